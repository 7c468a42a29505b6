//go:build !windows

package tty

import (
	"os"
	"os/signal"
	"syscall"
)

// showsColours reports whether a terminal knows the codes for colours; here all do, or say
// so by TERM.
func showsColours(any) bool { return true }

// Resized passes on that the terminal has another size, until stop is called.
func Resized() (sizes <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c); close(c) }
}
