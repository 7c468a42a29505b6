package game

import (
	"fmt"

	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// MaxAttempts is the most guesses that a match of any kind can have.
const MaxAttempts = 6

// State is one game by the rules of its kind: a value that never changes. Each kind
// has a type of its own, whose methods make the moves: see [Play].
type State interface {
	// Status is Playing, Won or Lost.
	Status() Status
	// Used returns the number of accepted guesses.
	Used() int
	// Left returns how many guesses are left, whatever the status.
	Left() int
	// Hard reports whether it is in hard mode, in which every clue must be used.
	Hard() bool
	// Rewind returns the game after its first guesses, at most [State.Used] of them.
	Rewind(used int) State
	// Fresh returns the same puzzle without a guess. It is in hard mode if hard is
	// true and the kind has that mode.
	Fresh(hard bool) State
	// Answer is what is hidden, as players can type it.
	Answer() string
	// String describes the game without its answer and guesses.
	String() string
}

// Play turns a move of one kind of game into one that takes any state. For a state of
// another kind it returns that state and [ErrKind].
func Play[S State](move func(S) (S, error)) func(State) (State, error) {
	return func(s State) (State, error) {
		own, ok := s.(S)
		if !ok {
			return s, ErrKind
		}
		next, err := move(own)
		return next, err
	}
}

// WordState is a game of [Wordle].
type WordState struct{ wordle.State }

// Status implements [State].
func (s WordState) Status() Status { return Status(s.State.Status().String()) }

// Rewind implements [State].
func (s WordState) Rewind(used int) State { return WordState{s.State.Rewind(used)} }

// Fresh implements [State].
func (s WordState) Fresh(hard bool) State { return WordState{wordle.NewState(s.Hidden(), hard)} }

// Answer implements [State].
func (s WordState) Answer() string { return s.Hidden().String() }

// GoString implements [fmt.GoStringer].
func (s WordState) GoString() string { return fmt.Sprintf("game.WordState(%s)", s) }

// BoardState is a game of [Pokle].
type BoardState struct{ pokle.State }

// Status implements [State].
func (s BoardState) Status() Status { return Status(s.State.Status().String()) }

// Hard implements [State]: the poker game has no hard mode.
func (s BoardState) Hard() bool { return false }

// Rewind implements [State].
func (s BoardState) Rewind(used int) State { return BoardState{s.State.Rewind(used)} }

// Fresh implements [State].
func (s BoardState) Fresh(bool) State { return BoardState{pokle.NewState(s.Deal(), s.Hidden())} }

// Answer implements [State].
func (s BoardState) Answer() string { return s.Hidden().Plain() }

// GoString implements [fmt.GoStringer].
func (s BoardState) GoString() string { return fmt.Sprintf("game.BoardState(%s)", s) }
