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

	"fivefold/storage/ordered"
	"fivefold/storage/storagetest/failsync"
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
	for _, which := range []string{"1", "1d", "2", "2d"} {
		t.Run(which, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			m := mustOpen(t, path)
			mustCommit(t, m, set("a", "1"))
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), envSync+"="+which, envSyncFile+"="+path)
			out, err := child.CombinedOutput()
			if strings.Contains(string(out), "cannot intercept") {
				t.Skipf("%s", out)
			}
			if err != nil || !strings.Contains(string(out), "refused as it should be") {
				t.Fatalf("%v\n%s", err, out)
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

func init() {
	if which := os.Getenv(envSync); which != "" {
		fmt.Println(commitWithFailingSync(which, os.Getenv(envSyncFile)))
		os.Exit(0)
	}
}

func commitWithFailingSync(which, path string) string {
	m, err := Open(path, Options{})
	if err != nil {
		return err.Error()
	}
	digits, done := strings.CutSuffix(which, "d")
	n, err := strconv.Atoi(digits)
	if err == nil {
		err = failsync.Nth(n, done)
	}
	if err != nil {
		return "cannot intercept: " + err.Error()
	}
	if err := m.Commit(context.Background(), set("a", "2")); !errors.Is(err, ErrSync) || !errors.Is(err, syscall.EIO) {
		return fmt.Sprint("the commit returned ", err)
	}
	if _, err := m.Read(context.Background(), ordered.Key("a")); !errors.Is(err, ErrSync) {
		return fmt.Sprint("a read returned ", err)
	}
	return "refused as it should be"
}
