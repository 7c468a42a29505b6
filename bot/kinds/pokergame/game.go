// Package pokergame is the poker game as a kind: its rules, codec and face.
package pokergame

import (
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/solver/boards"
	"fivefold/storage/record"
)

// Kind is the kind of the poker game.
const Kind game.Kind = "pokle"

// Game is the poker game with a solver.
type Game struct {
	face.Plain
	solver *boards.Solver
}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// New returns the game. Without a solver it can only be read from a store.
func New(s *boards.Solver) *Game { return &Game{solver: s} }

// Face returns the face of the game.
func (g *Game) Face() face.Face { return face.Face{Phrases: phrases(), Display: g} }
