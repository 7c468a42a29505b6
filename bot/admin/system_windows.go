package admin

import "syscall"

// Errors of listening and of connecting. The constants of these names in package syscall are
// not what Windows returns:
// learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2.
const (
	addressInUse      = syscall.Errno(10048) // WSAEADDRINUSE
	connectionRefused = syscall.Errno(10061) // WSAECONNREFUSED
)

// setUmask does nothing: there is no such mask here, and the folder says who can use a file.
func setUmask(int) (reset func()) { return func() {} }
