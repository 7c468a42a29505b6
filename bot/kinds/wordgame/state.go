// Package wordgame is the word game as a kind: its state, rules, codec and face.
package wordgame

import (
	"fivefold/game"
	"fivefold/game/wordle"
)

// Kind is the kind of the word game.
const Kind game.Kind = "wordle"

// State is a game, as package game takes it.
type State struct{ wordle.State }

func (s State) guess(w wordle.Word) (State, error) {
	next, err := s.Guess(w)
	return State{next}, err
}

// What follows implements [game.State].

func (s State) Rewind(used int) game.State { return State{s.State.Rewind(used)} }
func (s State) Fresh(hard bool) game.State { return State{wordle.NewState(s.Hidden(), hard)} }
func (s State) Answer() string             { return s.Hidden().String() }
