package cli

import (
	"context"
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

// ExitCode returns the exit code for the error of the program.
func ExitCode(err error) int {
	switch _, wrongUse := errors.AsType[wrongUseError](err); {
	case err == nil:
		return 0
	case errors.Is(err, bolt.ErrSync):
		return ExitRestart
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case wrongUse:
		return ExitWrongUse
	}
	return ExitFailure
}

// ErrInterrupted is the cause of the end of the program's context after SIGINT. It is also
// [context.Canceled].
var ErrInterrupted error = interruptedError{}

type interruptedError struct{}

func (interruptedError) Error() string { return "interrupted" }

func (interruptedError) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether ctx ended because of SIGINT.
func Interrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrInterrupted) }

// StoppedWith returns the error of a command that returned err, which may be nil, after SIGINT.
func StoppedWith(err error) error {
	if err == nil || err == context.Canceled || err == ErrInterrupted {
		return ErrInterrupted
	}
	return stoppedError{err}
}

// stoppedError is the error of a command that SIGINT stopped.
type stoppedError struct{ error }

func (e stoppedError) Unwrap() []error { return []error{e.error, ErrInterrupted} }

// wrongUseError is a mistake in the command line or the settings.
type wrongUseError struct{ error }

func (e wrongUseError) Unwrap() error { return e.error }

// WrongUse is [fmt.Errorf] for a mistake in the command line or the settings.
func WrongUse(format string, args ...any) error { return wrongUseError{fmt.Errorf(format, args...)} }
