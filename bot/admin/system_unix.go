//go:build unix

package admin

import "syscall"

// Errors of listening and of connecting.
const (
	addressInUse      = syscall.EADDRINUSE
	connectionRefused = syscall.ECONNREFUSED
)

// setUmask sets the mask of new files' permissions and returns a function that sets it
// back. The mask is the whole process's; a file that another goroutine makes meanwhile is
// at most more private than it would be.
func setUmask(mask int) (reset func()) {
	old := syscall.Umask(mask)
	return func() { syscall.Umask(old) }
}
