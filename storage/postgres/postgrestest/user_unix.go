//go:build unix

package postgrestest

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

const quit = syscall.SIGQUIT

// asRoot reports whether this process is root's, and if so which user PostgreSQL's programs run as: they
// refuse to run as root.
func asRoot() (uid, gid int, root bool, err error) {
	if os.Getuid() != 0 {
		return 0, 0, false, nil
	}
	var found *user.User
	for _, name := range []string{"postgres", "nobody"} {
		if found, err = user.Lookup(name); err == nil {
			break
		}
	}
	if err != nil {
		return 0, 0, true, err
	}
	uid, failed := strconv.Atoi(found.Uid)
	gid, failed2 := strconv.Atoi(found.Gid)
	return uid, gid, true, errors.Join(failed, failed2)
}

// asUser has a program run as the user of asRoot, if this process is root's.
func asUser(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{}
	endWithParent(c.SysProcAttr)
	if uid, gid, root, err := asRoot(); root && err == nil { // ownFolder has returned the error
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

// ownFolder gives a folder to the user of asRoot, if this process is root's.
func ownFolder(path string) error {
	uid, gid, root, err := asRoot()
	if !root || err != nil {
		return err
	}
	return os.Chown(path, uid, gid)
}
