package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestRenameOverOpen: a file that is open stays, and is replaced when it is closed in time.
func TestRenameOverOpen(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "new"), filepath.Join(folder, "file")
	write(t, from, "new")
	write(t, to, "old")
	f, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := Rename(from, to); !isOpen(err) {
		t.Errorf("over an open file: %v", err)
	}
	attempts := 0
	err = renameWithin(time.Hour, from, to, func() error {
		if attempts++; attempts == 3 {
			return f.Close()
		}
		return nil
	})
	if got := read(t, to); err != nil || got != "new" || attempts != 3 {
		t.Errorf("closed before the third attempt: %v, %q, %d attempts", err, got, attempts)
	}
}

// TestRenameFailsAtOnce: only what may pass is tried again.
func TestRenameFailsAtOnce(t *testing.T) {
	attempts := 0
	err := renameWithin(time.Hour, filepath.Join(t.TempDir(), "missing"), filepath.Join(t.TempDir(), "file"), func() error {
		if attempts++; attempts > 1 {
			return errors.New("it is tried again")
		}
		return nil
	})
	if !errors.Is(err, windows.ERROR_FILE_NOT_FOUND) && !errors.Is(err, windows.ERROR_PATH_NOT_FOUND) {
		t.Error(err)
	}
}

func TestLong(t *testing.T) {
	for path, want := range map[string]string{
		`C:\a\b`: `\\?\C:\a\b`, `\\server\share\a`: `\\server\share\a`, `\\?\C:\a`: `\\?\C:\a`, ``: ``,
	} {
		if got := long(path); got != want {
			t.Errorf("long(%q) = %q, want %q", path, got, want)
		}
	}
	folder := filepath.Join(t.TempDir(), strings.Repeat("a", 150), strings.Repeat("b", 150))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "from"), "x")
	if err := Rename(filepath.Join(folder, "from"), filepath.Join(folder, "to")); err != nil {
		t.Error(err)
	}
}
