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
	ExitWrongUse    = 78      // the command line or a setting is wrong, so a restart does not help: EX_CONFIG of sysexits.h; 2 is a crash of Go's
	ExitRestart     = 75      // asks a supervisor to start the program again: EX_TEMPFAIL of sysexits.h
	ExitInterrupted = 128 + 2 // after SIGINT, as shells report it
)

// ExitCode returns the code for what run returned.
func ExitCode(err error) int {
	var wrong wrongUseError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, bolt.ErrSync):
		return ExitRestart
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.As(err, &wrong):
		return ExitWrongUse
	}
	return ExitFailure
}

// ErrInterrupted is the cause with which the context of run ends after SIGINT. For [errors.Is]
// it is also [context.Canceled].
var ErrInterrupted error = interruptedError{}

type interruptedError struct{}

func (interruptedError) Error() string { return "interrupted" }

func (interruptedError) Is(target error) bool { return target == context.Canceled }

// Interrupted reports whether ctx ended because of SIGINT.
func Interrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrInterrupted) }

// StoppedWith returns the error of a command that SIGINT stopped and that returned err,
// which may be nil.
func StoppedWith(err error) error {
	if err == nil || err == context.Canceled || err == ErrInterrupted {
		return ErrInterrupted
	}
	return stoppedError{err}
}

// stoppedError is what a command said when SIGINT stopped it.
type stoppedError struct{ error }

func (e stoppedError) Unwrap() []error { return []error{e.error, ErrInterrupted} }

// wrongUseError says what is wrong with the command line or the settings.
type wrongUseError struct{ error }

func (e wrongUseError) Unwrap() error { return e.error }

// WrongUse returns an error for a wrong command line, with a text like that of fmt.Errorf.
func WrongUse(format string, args ...any) error { return wrongUseError{fmt.Errorf(format, args...)} }
