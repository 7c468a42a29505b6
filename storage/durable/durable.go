// Package durable renames files so that the new name survives a loss of power.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rename gives a file another name in the same folder, in one step, and returns when the name is on the disk. It replaces a
// file of that name; at every moment one of the two is there. On Windows Rename fails while a process has the replaced file
// open. It keeps trying for two seconds, since virus scanners open new files for a moment.
func Rename(from, to string) error { return rename(from, to) }

// Keep gives a file a second name, so that it stays when another file takes its first. The name is wanted or, if that is taken,
// wanted and a number: "x-2". On a file system without links, the file only has the new name.
func Keep(path, wanted string) (kept string, err error) {
	kept = wanted
	for n := 2; ; n++ {
		if err = os.Link(path, kept); !errors.Is(err, fs.ErrExist) {
			break
		}
		kept = fmt.Sprintf("%s-%d", wanted, n)
	}
	if err != nil {
		err = os.Rename(path, kept)
	}
	return kept, errors.Join(err, SyncFolder(filepath.Dir(path)))
}

// SyncFolder returns when the names of a folder's files are on the disk.
func SyncFolder(path string) error { return syncFolder(path) }
