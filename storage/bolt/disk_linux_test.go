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
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// envSync makes the test binary commit to the file that envSyncFile names, while the kernel
// fails a sync: the one with this number, counted from 1. With a letter d after the number,
// the sync is done all the same.
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
		err = storagetest.FailSync(n, done)
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
	if err := s.Commit(ctx, guess); !errors.Is(err, ErrSync) || !errors.Is(err, syscall.EIO) {
		return fmt.Sprint("the commit returned ", err)
	}
	if _, err := s.Load(ctx, was.Slot()); !errors.Is(err, ErrSync) {
		return fmt.Sprint("a read returned ", err)
	}
	return "refused as it should be"
}
