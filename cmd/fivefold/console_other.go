//go:build !windows

package main

// keepWindow does nothing: here a program that is double-clicked has no window of its own.
func keepWindow() {}
