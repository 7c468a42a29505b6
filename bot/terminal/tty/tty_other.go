//go:build !windows

package tty

// takesControls reports whether a terminal knows control sequences. Here all do, or say so by TERM.
func takesControls(any) bool { return true }
