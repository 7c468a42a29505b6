package durable

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// retryFor is how long rename repeats an attempt that fails because a file is open.
const retryFor = 2 * time.Second

func rename(from, to string) error {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := move(from, to)
		if err == nil || !isOpen(err) || time.Since(began) >= retryFor {
			return err
		}
	}
}

// move is os.Rename, but returns only when the name is on the disk.
func move(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	now, invalid := windows.UTF16PtrFromString(to)
	if err = errors.Join(err, invalid); err == nil {
		err = windows.MoveFileEx(old, now, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// isOpen reports whether a rename failed because one of the files is open. Windows has three errors for that;
// ERROR_ACCESS_DENIED has other causes as well.
func isOpen(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// syncFolder returns an error only if there is no such folder. Windows cannot sync a folder: NTFS keeps changes of names in its
// journal, in their order, and [move] waits for the journal.
func syncFolder(path string) error {
	_, err := os.Stat(path)
	return err
}
