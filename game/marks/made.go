package marks

import (
	"errors"
	"fmt"
	"log/slog"
)

// Attempts is the number of guesses a game has.
const Attempts = 6

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

// Made are the guesses of a game so far, as a value: equal with == where they are.
//
// It prints without them, and so does every type that embeds it: what a game hides cannot slip into a log.
type Made[G comparable] struct {
	used    uint8
	guesses [Attempts]G
}

// ErrEnded means that a game takes no more guesses.
var ErrEnded = errors.New("the game has ended")

// RepeatedError says that the same guess was made before.
type RepeatedError struct {
	Attempt int // the attempt it was, from 1
}

func (e *RepeatedError) Error() string { return fmt.Sprintf("the same as attempt %d", e.Attempt) }

// Add returns the guesses with one more, in a game of this status. The error is [ErrEnded] or, if one of them is the
// same, a *[RepeatedError].
func (m Made[G]) Add(guess G, s Status, same func(G) bool) (Made[G], error) {
	if s != Playing {
		return m, ErrEnded
	}
	for i, g := range m.guesses[:m.used] {
		if same(g) {
			return m, &RepeatedError{Attempt: i + 1}
		}
	}
	m.guesses[m.used] = guess
	m.used++
	return m, nil
}

// Turns returns the guesses with their feedback, oldest first. The caller owns the slice.
func (m Made[G]) Turns(score func(G) Feedback) []Turn[G] {
	turns := make([]Turn[G], m.used)
	for i, g := range m.guesses[:m.used] {
		turns[i] = Turn[G]{g, score(g)}
	}
	return turns
}

// Used returns the number of guesses so far.
func (m Made[G]) Used() int { return int(m.used) }

// AttemptsLeft returns the number of attempts left.
func (m Made[G]) AttemptsLeft() int { return Attempts - int(m.used) }

// Status returns whether the game is still being played or how it ended, given what wins it.
func (m Made[G]) Status(wins func(G) bool) Status {
	switch {
	case m.used > 0 && wins(m.guesses[m.used-1]):
		return Won
	case m.used == Attempts:
		return Lost
	}
	return Playing
}

// Rewind returns the first n guesses; n is at most [Made.Used].
func (m Made[G]) Rewind(n int) Made[G] {
	clear(m.guesses[n:])
	m.used = uint8(n)
	return m
}

// String returns how many guesses were made.
func (m Made[G]) String() string { return fmt.Sprintf("%d guesses", m.used) }

// GoString is String: %#v must not print what is hidden either.
func (m Made[G]) GoString() string { return m.String() }

// LogValue is String for log records.
func (m Made[G]) LogValue() slog.Value { return slog.StringValue(m.String()) }
