//go:build unix && !linux

package postgrestest

import "syscall"

// endWithParent does nothing: there is no such thing here.
func endWithParent(*syscall.SysProcAttr) {}
