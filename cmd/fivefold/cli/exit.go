package cli

import (
	"errors"
	"fmt"

	"fivefold/storage/bolt"
)

// The exit codes besides 0.
const (
	ExitFailure     = 1
	ExitWrongUse    = 78      // wrong command line or setting; a restart does not help (EX_CONFIG of sysexits.h)
	ExitRestart     = 75      // a supervisor should start the program again (EX_TEMPFAIL of sysexits.h)
	ExitInterrupted = 128 + 2 // SIGINT, as shells report it
)

// exitError is an error with an exit code of its own.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// WrongUse is [fmt.Errorf] for a mistake in the command line or the settings.
func WrongUse(format string, args ...any) error {
	return exitError{fmt.Errorf(format, args...), ExitWrongUse}
}

// ErrInterrupted is the cause of the end of the program's context after SIGINT.
var ErrInterrupted = errors.New("interrupted")

// Interrupted returns the error of a command that ended with err after SIGINT.
func Interrupted(err error) error { return exitError{err, ExitInterrupted} }

// ExitCode returns the exit code for the error of the program.
func ExitCode(err error) int {
	own, ok := errors.AsType[exitError](err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, bolt.ErrSync):
		return ExitRestart
	case ok:
		return own.code
	}
	return ExitFailure
}
