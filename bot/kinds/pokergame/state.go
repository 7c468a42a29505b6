// Package pokergame is the poker game as a kind: its state, rules, codec and face.
package pokergame

import (
	"fivefold/game"
	"fivefold/game/pokle"
)

// Kind is the kind of the poker game.
const Kind game.Kind = "pokle"

// State is a game, as package game takes it.
type State struct{ pokle.State }

func (s State) guess(b pokle.Board) (State, error) {
	next, err := s.Guess(b)
	return State{next}, err
}

// What follows implements [game.State]. The poker game has no hard mode.

func (s State) Hard() bool                 { return false }
func (s State) Rewind(used int) game.State { return State{s.State.Rewind(used)} }
func (s State) Fresh(bool) game.State      { return State{pokle.NewState(s.Deal(), s.Hidden())} }
func (s State) Answer() string             { return s.Hidden().Plain() }
