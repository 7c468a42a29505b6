//go:build !windows

package main

// prepareConsole does nothing: terminals need no preparation here.
func prepareConsole() {}

// keepWindow does nothing: here a program that is double-clicked has no window of its own.
func keepWindow() {}
