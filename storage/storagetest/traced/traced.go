// Package traced runs a program and watches what it does to one file: each write, each
// change of the file's size and each sync, in their order. It can make them fail, before
// or after they have taken effect.
//
// It uses ptrace, so it works on Linux only, on amd64; elsewhere [Start]
// returns [ErrUnsupported]. The program needs no preparation, and need not be ours.
package traced

import (
	"errors"
	"syscall"
)

// ErrUnsupported means that programs cannot be traced here.
var ErrUnsupported = errors.New("programs cannot be traced here")

// Kind is what a call does to the file.
type Kind uint8

// The kinds of calls.
const (
	Write Kind = iota
	Resize
	Sync
)

// Call is one system call for the file.
type Call struct {
	Kind   Kind
	Offset int64
	Data   []byte // of a Write
	Size   int64  // of a Resize
}

// Failure is how a call fails. The zero value lets it succeed.
type Failure struct {
	Errno syscall.Errno // what the program is told
	Done  bool          // the call takes effect all the same
}

// Options say what to watch. The functions are called from one goroutine while the
// program's thread waits, so they must be quick. Each may be nil.
type Options struct {
	// File is the path of the file, absolute and without symbolic links.
	File string
	// Before is asked how a call is to fail.
	Before func(Call) Failure
	// Began is called when a call begins that is going to take effect.
	Began func(Call)
	// Ended is called when such a call has ended well.
	Ended func(Call)
}

// FailSync is for [Options].Before: it fails the n-th sync of the file, counted from 1, as a broken disk
// does. If done is true, the file is synced all the same.
func FailSync(n int, done bool) func(Call) Failure {
	return func(c Call) Failure {
		if c.Kind == Sync {
			if n--; n == 0 {
				return Failure{syscall.EIO, done}
			}
		}
		return Failure{}
	}
}
