// Package durable renames files so that the new name survives a loss of power.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rename gives a file another name in the same folder, in one step, and returns when the
// name is on the disk. A file that has that name already is replaced; at every moment
// either the old or the new one is there. On Windows no process may have the replaced
// file open; there Rename keeps trying for two seconds, since virus scanners open new
// files for a moment.
func Rename(from, to string) error { return rename(from, to) }

// Keep gives a file a second name, under which it stays when another one takes its place: the one that is wanted or, if
// that is taken, the same with a number. Where a file system has no links, the file only has the new name.
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
