//go:build !linux

package postgrestest

import (
	"os"
	"os/exec"
)

var quit = os.Kill

// asUser returns ErrAbsent: tests start no server here.
func asUser(*exec.Cmd, string) error { return ErrAbsent }
