//go:build !windows

package tty

// showsColours reports whether a terminal knows the codes for colours. Here all do, or say so by TERM.
func showsColours(any) bool { return true }
