//go:build !unix

package postgrestest

import (
	"os"
	"os/exec"
)

var quit = os.Kill

func asUser(*exec.Cmd) {}

// ownFolder says that the tests do not start a server here.
func ownFolder(string) error { return ErrAbsent }
