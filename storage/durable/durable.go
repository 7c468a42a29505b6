// Package durable renames files so that the new name survives a loss of power.
package durable

// Rename gives a file another name in the same folder, in one step, and returns when the
// name is on the disk. A file that has that name already is replaced; at every moment
// either the old or the new one is there. On Windows no process may have the replaced
// file open; there Rename keeps trying for two seconds, since virus scanners open new
// files for a moment.
func Rename(from, to string) error { return RenameIf(from, to, nil) }

// RenameIf is Rename, but calls check before every attempt, and returns its error if
// there is one. check may be nil.
func RenameIf(from, to string, check func() error) error {
	if check == nil {
		check = func() error { return nil }
	}
	return rename(from, to, check)
}

// SyncFolder returns when the names of a folder's files are on the disk.
func SyncFolder(path string) error { return syncFolder(path) }
