//go:build !linux || !amd64

package powerloss

import "os/exec"

// Start returns [ErrUnsupported].
func (*Log) Start(*exec.Cmd) (pid int, wait func() error, err error) { return 0, nil, ErrUnsupported }
