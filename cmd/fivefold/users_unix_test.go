//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// runAs makes a command run as the user with an id and without other groups, which only root can do.
func runAs(cmd *exec.Cmd, id int) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(id), Gid: uint32(id)}}
}
