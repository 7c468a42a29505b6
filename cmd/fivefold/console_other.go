//go:build !windows

package main

// showsColours reports whether a terminal knows the codes for colours; here all do, or say
// so by TERM.
func showsColours(any) bool { return true }

// prepareConsole does nothing: terminals need no preparation here.
func prepareConsole() {}

// keepWindow does nothing: here a program that is double-clicked has no window of its own.
func keepWindow() {}
