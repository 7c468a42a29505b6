//go:build unix

package main

import "syscall"

const sigStop, sigContinue = syscall.SIGSTOP, syscall.SIGCONT
