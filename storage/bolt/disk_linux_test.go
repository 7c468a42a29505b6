package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fivefold/game"
)

// TestKernelFailsSync: the kernel's own error of a sync counts as one. It is that of a device that takes
// writes and cannot be synced.
func TestKernelFailsSync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m := mustOpen(t, path)
	mustCommit(t, m, set("a", "1"))
	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if err := syscall.Dup3(int(device.Fd()), int(m.group.disk.file.Fd()), syscall.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(t.Context(), set("a", "2")); !errors.Is(err, game.ErrNotSaved) || !errors.Is(err, ErrSync) || !errors.Is(err, syscall.EINVAL) {
		t.Errorf("the commit returned %v", err)
	}
	if _, err := m.Get(t.Context(), "a"); !errors.Is(err, ErrSync) {
		t.Errorf("a read returned %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	m = mustOpen(t, path)
	defer m.Close()
	if got := all(t, m); got["a"] != "1" {
		t.Errorf("opened again, it has %v", got)
	}
	mustCommit(t, m, set("a", "2"))
}
