package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
)

// wrongUser returns an error if a file or folder belongs to another user and we cannot open it. Root can open
// everything, which says nothing about the bot's user, so for root any other owner is an error.
func wrongUser(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // the error comes when the file is used
	}
	owner := reflect.Indirect(reflect.ValueOf(info.Sys())).FieldByName("Uid") // there is none on Windows
	if !owner.IsValid() || int(owner.Uint()) == os.Getuid() {
		return nil
	}
	if f, err := os.Open(path); err == nil && f.Close() == nil && os.Getuid() != 0 {
		return nil
	}
	return fmt.Errorf("%s belongs to user %d, and this runs as another: sudo -u '#%[2]d' fivefold doctor", path, owner.Uint())
}

// existing returns a path that exists, or the nearest folder above it.
func existing(path string) string {
	for path != filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}
