package serve

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"reflect"
)

// wrongUser returns an error if a file, or the folder where it is to be made, belongs to another user, and this one
// cannot use it, or is root, who can use all files and would say nothing about what the bot can.
func wrongUser(path string) error {
	path = existing(path)
	info, err := os.Stat(path)
	if err != nil {
		return nil // which is found when it is used
	}
	owner := reflect.Indirect(reflect.ValueOf(info.Sys())).FieldByName("Uid") // there is none on Windows
	if !owner.IsValid() || int(owner.Uint()) == os.Getuid() {
		return nil
	}
	if f, err := os.Open(path); err == nil && f.Close() == nil && os.Getuid() != 0 {
		return nil
	}
	name := fmt.Sprintf("'#%d'", owner.Uint()) // as sudo takes it
	if u, err := user.LookupId(fmt.Sprint(owner.Uint())); err == nil {
		name = u.Username
	}
	return fmt.Errorf("%s belongs to the user %s, and this runs as another: sudo -u %[2]s fivefold doctor", path, name)
}

// existing returns a path or, if there is nothing, the nearest folder above it that exists.
func existing(path string) string {
	for path != filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}
