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

// asUser makes the kernel end a program when the thread that started it ends, for example because the tests were killed.
// PostgreSQL's programs refuse to run as root: if this process is root's, the program runs as nobody, who gets the folder.
func asUser(c *exec.Cmd, folder string) error {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Getuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return err
	}
	uid, failed := strconv.Atoi(nobody.Uid)
	gid, failed2 := strconv.Atoi(nobody.Gid)
	c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return errors.Join(failed, failed2, os.Chown(folder, uid, gid))
}
