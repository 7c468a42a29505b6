// Package wordgame is the room of the word game as a kind. Its [Game] is the kind's rules (rules.go), display (face.go,
// texts.go) and codec (codec.go); phrases.go has what it says whatever the state of a game.
//
// The other parts are elsewhere, since others need them without the kind: scores, hard mode and words in game/wordle,
// the proven solver in solver/optimal, the solver for puzzles with weights in solver/weighted, and help with puzzles
// played elsewhere in solver/solve and bot/solve.
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

// Game is the word game with its lists and its solver. It is safe for concurrent use.
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
