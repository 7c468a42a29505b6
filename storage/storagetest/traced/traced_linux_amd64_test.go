package traced

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// childEnv makes the test binary work on the file that it names, from many threads, and
// print what it was told.
const childEnv = "FIVEFOLD_TEST_TRACED"

func TestMain(m *testing.M) {
	path := os.Getenv(childEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	other, err := os.Create(path + ".other")
	if err != nil {
		panic(err)
	}
	say := func(what string, err error) {
		var errno syscall.Errno
		errors.As(err, &errno)
		fmt.Printf("%s: %d\n", what, int(errno))
	}
	var others sync.WaitGroup
	for n := range 8 { // so that there are more threads
		others.Go(func() {
			runtime.LockOSThread()
			if _, err := other.WriteAt([]byte("other"), int64(n)); err != nil {
				panic(err)
			}
		})
	}
	others.Wait()
	_, err = f.WriteAt([]byte("first"), 100)
	say("write", err)
	say("sync", syscall.Fdatasync(int(f.Fd())))
	say("resize", f.Truncate(4096))
	say("sync", f.Sync())
	_, err = f.WriteAt([]byte("second"), 4000)
	say("write", err)
	os.Exit(3)
}

// runChild traces the child and returns what it printed.
func runChild(t *testing.T, o Options) (printed, path string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.File = filepath.Join(folder, "file")
	out, err := os.Create(filepath.Join(folder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+o.File)
	cmd.Stdout, cmd.Stderr = out, out
	p, err := Start(cmd, o)
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil || err.Error() != "exit status 3" {
		t.Errorf("the program ended with %v", err)
	}
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b), o.File
}

var childCalls = []Call{
	{Kind: Write, Offset: 100, Data: []byte("first")}, {Kind: Sync}, {Kind: Resize, Size: 4096}, {Kind: Sync},
	{Kind: Write, Offset: 4000, Data: []byte("second")},
}

func TestSees(t *testing.T) {
	var began, ended []Call
	printed, _ := runChild(t, Options{
		Began: func(c Call) { began = append(began, c) },
		Ended: func(c Call) { ended = append(ended, c) },
	})
	if !reflect.DeepEqual(began, childCalls) || !reflect.DeepEqual(ended, childCalls) {
		t.Errorf("began %v, ended %v, want %v", began, ended, childCalls)
	}
	if want := "write: 0\nsync: 0\nresize: 0\nsync: 0\nwrite: 0\n"; printed != want {
		t.Errorf("got %q, want %q", printed, want)
	}
}

// TestFails: each call fails, before or after it has taken effect.
func TestFails(t *testing.T) {
	for _, done := range []bool{false, true} {
		t.Run(fmt.Sprintf("done=%t", done), func(t *testing.T) {
			errnos := map[Kind]syscall.Errno{Write: syscall.ENOSPC, Resize: syscall.EROFS, Sync: syscall.EIO}
			var ended []Call
			printed, path := runChild(t, Options{
				Before: func(c Call) Failure { return Failure{errnos[c.Kind], done} },
				Ended:  func(c Call) { ended = append(ended, c) },
			})
			if !strings.HasPrefix(printed, "write: 28\nsync: 5\nresize: 30\nsync: 5\nwrite: 28\n") {
				t.Errorf("the program was told %q", printed)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, 4096)
			copy(want[100:], "first")
			copy(want[4000:], "second")
			if !done {
				want = []byte{}
			}
			if !reflect.DeepEqual(content, want) {
				t.Errorf("the file has %d bytes with %q, want %d", len(content), strings.Trim(string(content), "\x00"), len(want))
			}
			if done != (len(ended) == len(childCalls)) {
				t.Errorf("%d calls took effect", len(ended))
			}
		})
	}
}
