package bolt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHolderNote: a note names its process as long as that runs.
func TestHolderNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	if got := noted(path); got != "" {
		t.Errorf("without a note: %q", got)
	}
	if err := writeNote(path); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%d (%s", os.Getpid(), filepath.Base(os.Args[0]))
	if got := noted(path); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ")") {
		t.Errorf("got %q, want %q …", got, want)
	}
	for range 2 { // the second time there is none
		if err := removeNote(path); err != nil {
			t.Fatal(err)
		}
	}
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for _, note := range []string{fmt.Sprintf("%d (fivefold play)\n", gone.Process.Pid), "", "fivefold\n"} {
		if err := os.WriteFile(notePath(path), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := noted(path); got != "" {
			t.Errorf("the note %q of no process names %q", note, got)
		}
	}
}

// TestStoreKeepsNote: where the system does not name the holder, a store has a note while it is
// open; where it does, none.
func TestStoreKeepsNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	m := mustOpen(t, path)
	if _, err := os.Stat(notePath(path)); (err == nil) != keepsNote {
		t.Errorf("while it is open: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(notePath(path)); !os.IsNotExist(err) {
		t.Errorf("when it is closed: %v", err)
	}
}
