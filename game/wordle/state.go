package wordle

import (
	"errors"
	"fmt"
	"log/slog"

	"fivefold/game/marks"
)

// Attempts is the number of guesses a game has.
const Attempts = 6

// Status says whether a game is still being played or how it ended.
type Status uint8

// A game is being played until it is won or lost.
const (
	Playing Status = iota
	Won
	Lost
)

// String returns "playing", "won" or "lost".
func (s Status) String() string {
	return [...]string{"playing", "won", "lost"}[s]
}

// Turn is a guess that was made, and the feedback it got.
type Turn = marks.Turn[Word]

// State is one game as a value: the hidden word, whether it is in hard mode,
// and the guesses so far. States are equal with == when the games are. [NewState]
// makes one; the zero State is not a game.
//
// A State prints without its hidden word, so that it cannot slip into a log.
type State struct {
	hidden  Word
	hard    bool
	used    uint8
	guesses [Attempts]Word
}

// NewState returns a game without guesses.
func NewState(hidden Word, hard bool) State {
	return State{hidden: hidden, hard: hard}
}

// ErrEnded means that a game takes no more guesses.
var ErrEnded = errors.New("the game has ended")

// RepeatedError says that the word was guessed before.
type RepeatedError struct {
	Attempt int // the attempt it was, from 1
}

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("the same word as attempt %d", e.Attempt)
}

// Guess returns the game after one more guess. It does not ask whether the word
// is in a list. The error is [ErrEnded], a *[RepeatedError] or a
// *[HardModeError]; the state returned with it is s.
func (s State) Guess(w Word) (State, error) {
	if s.Status() != Playing {
		return s, ErrEnded
	}
	for i, g := range s.guesses[:s.used] {
		if g == w {
			return s, &RepeatedError{Attempt: i + 1}
		}
	}
	if s.hard {
		if err := CheckHard(s.Turns(), w); err != nil {
			return s, err
		}
	}
	s.guesses[s.used] = w
	s.used++
	return s, nil
}

// Turns returns the guesses so far with their feedback, oldest first. The
// caller owns the slice.
func (s State) Turns() []Turn {
	turns := make([]Turn, s.used)
	for i, g := range s.guesses[:s.used] {
		turns[i] = Turn{Guess: g, Feedback: Score(g, s.hidden)}
	}
	return turns
}

// Used returns the number of guesses so far.
func (s State) Used() int { return int(s.used) }

// Left returns the number of attempts left.
func (s State) Left() int { return Attempts - int(s.used) }

// Hard reports whether the game is in hard mode.
func (s State) Hard() bool { return s.hard }

// Hidden returns the word to find. Show it only at the end of a game, or a part of it as
// a hint.
func (s State) Hidden() Word { return s.hidden }

// Status returns whether the game is still being played or how it ended.
func (s State) Status() Status {
	switch {
	case s.used > 0 && s.guesses[s.used-1] == s.hidden:
		return Won
	case s.used == Attempts:
		return Lost
	}
	return Playing
}

// Rewind returns the game as it was after its first n guesses; n is at most
// [State.Used].
func (s State) Rewind(n int) State {
	clear(s.guesses[n:])
	s.used = uint8(n)
	return s
}

// String describes the game without its hidden word.
func (s State) String() string {
	return fmt.Sprintf("%s after %d guesses", s.Status(), s.used)
}

// GoString is String: %#v must not print the hidden word either.
func (s State) GoString() string { return "wordle.State(" + s.String() + ")" }

// LogValue is String for log records.
func (s State) LogValue() slog.Value { return slog.StringValue(s.String()) }
