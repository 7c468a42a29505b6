package pokle

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

// Step is one accepted guess, as it was written, and its feedback. What is a turn in
// the word game is a step here, where [Turn] is a street.
type Step = marks.Turn[Board]

// State is one game as a value: the deal, the hidden board and the guesses so far.
// States are equal with == when the games are. [NewState] makes one; the zero State is
// not a game.
//
// A State prints without its hidden board, so that it cannot slip into a log.
type State struct {
	deal    Deal
	hidden  Board
	used    uint8
	guesses [Attempts]Board
}

// NewState returns a game without guesses. The deal must be valid, and the hidden
// board must fit it.
func NewState(deal Deal, hidden Board) State {
	return State{deal: deal, hidden: hidden.Canonical()}
}

// ErrEnded means that a game takes no more guesses.
var ErrEnded = errors.New("the game has ended")

// RepeatedError says that the board was guessed before, in whatever order its flop
// was written.
type RepeatedError struct {
	Attempt int // the attempt it was, from 1
}

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("the same board as attempt %d", e.Attempt)
}

// Guess returns the game after one more guess. A board that does not fit the deal
// counts like any other: it may be guessed for its feedback. The error is
// [ErrEnded], a *[TwiceError], a *[HeldError] or a *[RepeatedError]; the state
// returned with it is s.
func (s State) Guess(b Board) (State, error) {
	if s.Status() != Playing {
		return s, ErrEnded
	}
	if err := s.deal.Allows(b); err != nil {
		return s, err
	}
	for i, g := range s.guesses[:s.used] {
		if g.Canonical() == b.Canonical() {
			return s, &RepeatedError{Attempt: i + 1}
		}
	}
	s.guesses[s.used] = b
	s.used++
	return s, nil
}

// Guesses returns the guesses so far with their feedback, oldest first. The caller
// owns the slice.
func (s State) Guesses() []Step {
	guesses := make([]Step, s.used)
	for i, b := range s.guesses[:s.used] {
		guesses[i] = Step{Guess: b, Feedback: s.deal.Score(b, s.hidden)}
	}
	return guesses
}

// Deal returns what players know before they guess.
func (s State) Deal() Deal { return s.deal }

// Used returns the number of guesses so far.
func (s State) Used() int { return int(s.used) }

// Left returns the number of attempts left.
func (s State) Left() int { return Attempts - int(s.used) }

// Hidden returns the board to find, in canonical form. Show it only at the end of a
// game.
func (s State) Hidden() Board { return s.hidden }

// Status returns whether the game is still being played or how it ended.
func (s State) Status() Status {
	switch {
	case s.used > 0 && s.deal.Score(s.guesses[s.used-1], s.hidden) == AllGreen:
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

// String describes the game without its hidden board.
func (s State) String() string {
	return fmt.Sprintf("%s after %d guesses", s.Status(), s.used)
}

// GoString is String: %#v must not print the hidden board either.
func (s State) GoString() string { return "pokle.State(" + s.String() + ")" }

// LogValue is String for log records.
func (s State) LogValue() slog.Value { return slog.StringValue(s.String()) }
