//go:build !linux || !amd64

package traced

import "os/exec"

// Process is a traced program.
type Process struct{ Pid int }

// Start returns [ErrUnsupported].
func Start(*exec.Cmd, Options) (*Process, error) { return nil, ErrUnsupported }

// Wait returns [ErrUnsupported].
func (*Process) Wait() error { return ErrUnsupported }
