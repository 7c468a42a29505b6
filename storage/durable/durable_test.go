package durable

import (
	"errors"
	"fmt"
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

// TestKeep: a file stays under another name when its own is taken, and no name is taken twice.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for i, want := range []string{path + ".kept", path + ".kept-2"} {
		write(t, path, want)
		if kept, err := Keep(path, path+".kept"); kept != want || err != nil {
			t.Errorf("it is kept as %q, %v, want %q", kept, err, want)
		}
		write(t, path+".new", fmt.Sprint(i))
		if err := Rename(path+".new", path); err != nil || read(t, want) != want {
			t.Errorf("%s has %q, %v", want, read(t, want), err)
		}
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
