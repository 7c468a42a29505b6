package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHolder: an open file is refused with the process that has it, and without waiting
// longer than the caller wants.
func TestHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	if got := holder(path); got != "" {
		t.Errorf("a missing file is held by %q", got)
	}
	m := mustOpen(t, path)
	defer m.Close()
	var err error
	_, err = Open(path, Options{LockWait: time.Millisecond})
	want := strconv.Itoa(os.Getpid()) + " (" + filepath.Base(os.Args[0]) + " "
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "in use by another process: "+want) {
		t.Errorf("got %v, want %q", err, want)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := holder(other); got != "" {
		t.Errorf("a closed file is held by %q", got)
	}
}
