package marks

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
)

// MostAttempts is the most guesses that a game of any kind can have.
const MostAttempts = 13

// Status says whether a game is still being played or how it ended.
type Status string

// A game is being played until it is won or lost.
const (
	Playing Status = "playing"
	Won     Status = "won"
	Lost    Status = "lost"
)

// Turn is a guess that was made, and the feedback it got.
type Turn[G any] struct {
	Guess    G
	Feedback Feedback
}

// Made holds the guesses of a game so far with their feedback. It is a value: two are equal with == if they hold the same.
// [NewMade] makes one; the zero Made has no attempts.
//
// It prints the number of guesses only, and so does every type that embeds it. So no log shows what a game hides.
type Made[G comparable] struct {
	attempts, used uint8
	turns          [MostAttempts]Turn[G]
}

// NewMade returns a game without guesses that has a number of attempts, at most [MostAttempts].
func NewMade[G comparable](attempts int) Made[G] { return Made[G]{attempts: uint8(attempts)} }

// ErrEnded means that a game takes no more guesses.
var ErrEnded = errors.New("the game has ended")

// RepeatedError says that the same guess was made before.
type RepeatedError struct {
	Attempt int // the earlier attempt, from 1
}

func (e *RepeatedError) Error() string { return fmt.Sprintf("the same as guess %d", e.Attempt) }

// CheckNew returns nil if the game takes one more guess, and same is false for every earlier guess. The error is [ErrEnded] or a
// *[RepeatedError].
func (m Made[G]) CheckNew(same func(G) bool) error {
	if m.Status() != Playing {
		return ErrEnded
	}
	for i, t := range m.turns[:m.used] {
		if same(t.Guess) {
			return &RepeatedError{Attempt: i + 1}
		}
	}
	return nil
}

// Add returns the guesses with one more and its feedback. [Made.CheckNew] must have allowed that guess.
func (m Made[G]) Add(guess G, f Feedback) Made[G] {
	m.turns[m.used] = Turn[G]{guess, f}
	m.used++
	return m
}

// Turns returns the guesses with their feedback, oldest first. The caller owns the slice.
func (m Made[G]) Turns() []Turn[G] { return slices.Clone(m.turns[:m.used]) }

// Used returns the number of guesses so far.
func (m Made[G]) Used() int { return int(m.used) }

// AttemptsLeft returns the number of attempts left.
func (m Made[G]) AttemptsLeft() int { return int(m.attempts - m.used) }

// Status returns whether the game is still being played or how it ended. A guess whose feedback is [AllGreen] wins it.
func (m Made[G]) Status() Status {
	switch {
	case m.used > 0 && m.turns[m.used-1].Feedback == AllGreen:
		return Won
	case m.used == m.attempts:
		return Lost
	}
	return Playing
}

// Rewind returns the first n guesses; n is at most [Made.Used].
func (m Made[G]) Rewind(n int) Made[G] {
	clear(m.turns[n:])
	m.used = uint8(n)
	return m
}

// String returns how many guesses were made.
func (m Made[G]) String() string { return fmt.Sprintf("%d guesses", m.used) }

// GoString is String: %#v must not print secrets either.
func (m Made[G]) GoString() string { return m.String() }

// LogValue is String for log records.
func (m Made[G]) LogValue() slog.Value { return slog.StringValue(m.String()) }
