package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// envSync makes the test binary commit to the file that envSyncFile names, while the
// kernel fails that many-th sync from then on; a letter d after the number has it done
// all the same.
const (
	envSync     = "FIVEFOLD_TEST_SYNC"
	envSyncFile = "FIVEFOLD_TEST_SYNC_FILE"
)

// TestKernelFailsSync has the kernel itself fail a sync of a commit, of the data and of
// the meta page, each not done and done.
func TestKernelFailsSync(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, which := range []string{"1", "1d", "2", "2d"} {
		t.Run(which, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			s := mustOpen(t, path)
			was, guess := guessed(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(program)
			child.Env = append(os.Environ(), envSync+"="+which, envSyncFile+"="+path)
			out, err := child.CombinedOutput()
			if strings.Contains(string(out), "cannot intercept") {
				t.Skipf("%s", out)
			}
			if err != nil || !strings.Contains(string(out), "refused as it should be") {
				t.Fatalf("%v\n%s", err, out)
			}
			s = mustOpen(t, path)
			defer s.Close()
			if got, err := s.Load(t.Context(), was.Slot()); err != nil || got.Version != was.Version {
				t.Errorf("opened again, it has %v, %v; want %v", got, err, was)
			}
			if err := s.Commit(t.Context(), guess); err != nil {
				t.Errorf("opened again: %v", err)
			}
			if err := view(s.db, func(tx *bbolt.Tx) error {
				for err := range tx.Check() {
					t.Error(err)
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
}

func init() {
	if which := os.Getenv(envSync); which != "" {
		fmt.Println(commitWithFailingSync(which, os.Getenv(envSyncFile)))
		os.Exit(0)
	}
}

func commitWithFailingSync(which, path string) string {
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		return err.Error()
	}
	digits, done := strings.CutSuffix(which, "d")
	n, err := strconv.Atoi(digits)
	if err == nil {
		err = failSync(n, done)
	}
	if err != nil {
		return "cannot intercept: " + err.Error()
	}
	ctx := context.Background()
	was, err := s.Load(ctx, game.ChannelSlot(game.Wordle, "c"))
	if err != nil {
		return err.Error()
	}
	m := was
	if m.State, err = storagetest.Wordle.Move("slate")(was.State); err != nil {
		return err.Error()
	}
	m.Version++
	m.Moves = []game.Move{{Player: "ana", At: storagetest.Epoch, Version: m.Version}}
	guess := game.Change{Match: m, Request: requestOf(m), At: storagetest.Epoch}
	if err := s.Commit(ctx, guess); !errors.Is(err, ErrSync) || !errors.Is(err, unix.EIO) {
		return fmt.Sprint("the commit returned ", err)
	}
	if _, err := s.Load(ctx, was.Slot()); !errors.Is(err, ErrSync) {
		return fmt.Sprint("a read returned ", err)
	}
	return "refused as it should be"
}

// failSync makes the n-th fdatasync of this process from now on return EIO, after doing
// it if so told. It uses a filter of system calls that asks this process itself: see
// seccomp_unotify(2).
func failSync(n int, done bool) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FDATASYNC, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	go func() {
		for i := 1; ; i++ {
			// struct seccomp_notif, then struct seccomp_notif_resp
			var asked struct {
				id         uint64
				pid, flags uint32
				nr         int32
				arch       uint32
				ip         uint64
				args       [6]uint64
			}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&asked))); errno != 0 {
				panic(errno)
			}
			answer := struct {
				id    uint64
				value int64
				err   int32
				flags uint32
			}{id: asked.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
			if i == n {
				if done {
					if err := unix.Fsync(int(asked.args[0])); err != nil { // not the call that is intercepted
						panic(err)
					}
				}
				answer.err, answer.flags = -int32(unix.EIO), 0
			}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer))); errno != 0 {
				panic(errno)
			}
		}
	}()
	return nil
}
