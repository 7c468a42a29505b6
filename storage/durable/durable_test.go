package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestRename: a new name, and the name of another file.
func TestRename(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "ä new"), filepath.Join(folder, "file")
	for _, content := range []string{"first", "second"} {
		write(t, from, content)
		if err := Rename(from, to); err != nil {
			t.Fatal(err)
		}
		if got := read(t, to); got != content {
			t.Errorf("the file has %q, want %q", got, content)
		}
		if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the old name is still there: %v", err)
		}
	}
	if err := Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("renaming a missing file: %v", err)
	}
	if got := read(t, to); got != "second" {
		t.Errorf("after a failure the file has %q", got)
	}
}

// TestRenameIf: nothing is renamed after a refusal.
func TestRenameIf(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "new"), filepath.Join(folder, "file")
	write(t, from, "new")
	write(t, to, "old")
	refused := errors.New("refused")
	if err := RenameIf(from, to, func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if got := read(t, to); got != "old" {
		t.Errorf("the file has %q", got)
	}
}

func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	if err := SyncFolder(folder); err != nil {
		t.Error(err)
	}
	if err := SyncFolder(filepath.Join(folder, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
