package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fivefold/storage/ordered"
	"fivefold/storage/storagetest/traced"
)

// envSyncFile makes the test binary commit to a file while a sync fails.
const envSyncFile = "FIVEFOLD_TEST_SYNC_FILE"

func init() {
	if path := os.Getenv(envSyncFile); path != "" {
		fmt.Println(commitWithFailingSync(path))
		os.Exit(0)
	}
}

func commitWithFailingSync(path string) string {
	m, err := Open(path, Options{})
	if err != nil {
		return err.Error()
	}
	if err := m.Commit(context.Background(), set("a", "2")); !errors.Is(err, ErrSync) || !errors.Is(err, syscall.EIO) {
		return fmt.Sprint("the commit returned ", err)
	}
	if _, err := m.Read(context.Background(), ordered.Key("a")); !errors.Is(err, ErrSync) {
		return fmt.Sprint("a read returned ", err)
	}
	return "refused as it should be"
}

// TestKernelFailsSync fails a sync of a commit, of the data and of the meta page, each not done and done.
func TestKernelFailsSync(t *testing.T) {
	for _, which := range []struct {
		n    int
		done bool
	}{{2, false}, {2, true}, {3, false}, {3, true}} { // the first sync is that of Open
		t.Run(fmt.Sprint(which), func(t *testing.T) {
			folder, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			path, output := filepath.Join(folder, "test.db"), filepath.Join(folder, "output")
			m := mustOpen(t, path)
			mustCommit(t, m, set("a", "1"))
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			out, err := os.Create(output)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			child := exec.Command(os.Args[0])
			child.Env, child.Stdout, child.Stderr = append(os.Environ(), envSyncFile+"="+path), out, out
			p, err := traced.Start(child, traced.Options{File: path, Before: traced.FailSync(which.n, which.done)})
			if errors.Is(err, traced.ErrUnsupported) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			err = p.Wait()
			if said, unread := os.ReadFile(output); err != nil || unread != nil || !strings.Contains(string(said), "refused as it should be") {
				t.Fatalf("%v\n%s", errors.Join(err, unread), said)
			}
			m = mustOpen(t, path)
			defer m.Close()
			if got := all(t, m); got["a"] != "1" {
				t.Errorf("opened again, it has %v", got)
			}
			mustCommit(t, m, set("a", "2"))
		})
	}
}
