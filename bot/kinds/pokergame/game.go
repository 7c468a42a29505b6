// Package pokergame is the poker game as a kind. Its [Game] is the kind's rules (rules.go), display (face.go,
// typing.go, texts.go) and codec (codec.go); phrases.go has the words that don't depend on the state of a game.
//
// Other packages hold the parts that are used without the kind: cards, hands and scores are in game/pokle, the solver
// and the deals in solver/poker, the picture of the table in bot/picture, and help with puzzles from elsewhere in
// solver/solve and bot/solve.
package pokergame

import (
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/solver/poker"
	"fivefold/storage/record"
)

// Kind is the kind of the poker game.
const Kind game.Kind = "pokle"

// Game is the poker game with its solver. It is safe for concurrent use.
type Game struct {
	face.Plain
	solver *poker.Solver
}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// New returns the game. A game without a solver is enough to read matches from a store.
func New(s *poker.Solver) *Game { return &Game{solver: s} }

// Face returns the face of the game.
func (g *Game) Face() face.Face { return face.Face{Phrases: phrases(), Display: g} }
