package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// Where the system does not say who has locked a file, a store has a note next to it, as long
// as it is open: the number of the process and its command. A process that was killed leaves
// its note behind; the next one to open the store replaces it.

// notePath is where the note of a store is.
func notePath(path string) string { return path + ".holder" }

// writeNote writes the note of this process, which must have locked the store.
func writeNote(path string) error {
	args := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	return os.WriteFile(notePath(path), fmt.Appendf(nil, "%d (%s)\n", os.Getpid(), strings.Join(args, " ")), 0o600)
}

// removeNote removes the note; the store must still be locked, or the note could be another
// process's.
func removeNote(path string) error {
	if err := os.Remove(notePath(path)); !errors.Is(err, fs.ErrNotExist) {
		return plain(err)
	}
	return nil
}

// noted returns what the note of a locked store says, such as "1234 (fivefold play)", or an
// empty string if there is none or its process is gone: then the store is locked by a command
// that keeps no note, such as a check.
func noted(path string) string {
	note, err := os.ReadFile(notePath(path))
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(note))
	number, _, _ := strings.Cut(text, " ")
	if pid, err := strconv.Atoi(number); err != nil || !runs(pid) {
		return ""
	}
	return text
}

// runs reports whether there is a process with that number.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // FindProcess would not have found it
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
