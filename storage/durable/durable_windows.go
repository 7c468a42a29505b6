package durable

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// retryFor is how long an attempt is repeated that fails because a file is open.
const retryFor = 2 * time.Second

func rename(from, to string, check func() error) error {
	return renameWithin(retryFor, from, to, check)
}

func renameWithin(patience time.Duration, from, to string, check func() error) error {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if err := check(); err != nil {
			return err
		}
		err := move(from, to)
		if err == nil || !isOpen(err) || time.Since(began) >= patience {
			return err
		}
	}
}

// move is os.Rename, but returns only when the name is on the disk.
func move(from, to string) error {
	fail := func(err error) error { return &os.LinkError{Op: "rename", Old: from, New: to, Err: err} }
	var names [2]*uint16
	for i, name := range []string{from, to} {
		// An absolute path with the prefix \\?\ may be longer than 260 characters.
		absolute, err := filepath.Abs(name)
		if err == nil {
			names[i], err = windows.UTF16PtrFromString(long(absolute))
		}
		if err != nil {
			return fail(err)
		}
	}
	if err := windows.MoveFileEx(names[0], names[1], windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return fail(err)
	}
	return nil
}

// long adds the prefix of long paths to an absolute path of a drive.
func long(path string) string {
	if len(path) < 3 || path[1] != ':' {
		return path // a network path, or one with the prefix
	}
	return `\\?\` + path
}

// isOpen reports whether a rename failed because one of the files is open. Windows says
// so in three ways; one of them has other causes as well.
func isOpen(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// syncFolder returns an error only if there is no such folder. Windows cannot sync one:
// NTFS keeps changes of names in its journal, in their order, and [move] waits for it.
func syncFolder(path string) error {
	_, err := os.Stat(path)
	return err
}
