//go:build !linux || !(amd64 || arm64)

package traced

import "os/exec"

// Process is a traced program.
type Process struct{ Pid int }

// Start starts a program, traced.
func Start(*exec.Cmd, Options) (*Process, error) { return nil, ErrUnsupported }

// Wait waits until the program has ended.
func (*Process) Wait() error { return ErrUnsupported }
