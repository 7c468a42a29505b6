//go:build !windows

package main

// prepareConsole does nothing: terminals here need no preparation.
func prepareConsole() {}

// keepWindow does nothing: a program here has no window of its own.
func keepWindow() {}
