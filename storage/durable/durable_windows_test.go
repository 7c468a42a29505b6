package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// TestRenameOverOpen: a file that is open stays, and a missing one is not waited for.
func TestRenameOverOpen(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "new"), filepath.Join(folder, "file")
	write(t, from, "new")
	write(t, to, "old")
	f, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := Rename(from, to); !isOpen(err) || read(t, to) != "old" {
		t.Errorf("over an open file: %v", err)
	}
	if err := errors.Join(f.Close(), Rename(from, to)); err != nil || read(t, to) != "new" {
		t.Errorf("over a closed file: %v", err)
	}
	if err := Rename(from, to); !errors.Is(err, windows.ERROR_FILE_NOT_FOUND) {
		t.Errorf("a missing file: %v", err)
	}
}
