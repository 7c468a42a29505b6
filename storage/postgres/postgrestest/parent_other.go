//go:build unix && !linux

package postgrestest

import "syscall"

// endWithParent does nothing: only Linux can do that.
func endWithParent(*syscall.SysProcAttr) {}
