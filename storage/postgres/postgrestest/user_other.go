//go:build !unix

package postgrestest

import (
	"os"
	"os/exec"
)

var quit = os.Kill

func asUser(*exec.Cmd) {}

// ownFolder returns ErrAbsent: tests start no server here.
func ownFolder(string) error { return ErrAbsent }
