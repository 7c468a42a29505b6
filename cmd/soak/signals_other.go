//go:build !unix

package main

import "syscall"

// No process can be halted here.
const sigStop, sigContinue = syscall.Signal(0), syscall.Signal(0)
