// Package wordgame is the word game as a kind: its rules, codec and face.
package wordgame

import (
	"cmp"

	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/storage/record"
)

// Kind is the kind of the word game.
const Kind game.Kind = "wordle"

// Game is the word game with lists and a solver.
type Game struct {
	face.Plain
	lists  *wordle.Lists
	solver *optimal.Solver
}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// New returns the game. Without a solver it gives neither suggestions nor reviews; without lists it begins no game.
func New(lists *wordle.Lists, s *optimal.Solver) *Game {
	return &Game{lists: cmp.Or(lists, new(wordle.Lists)), solver: s}
}

// Face returns the face of the game.
func (g *Game) Face() face.Face { return face.Face{Phrases: g.phrases(), Display: g} }
