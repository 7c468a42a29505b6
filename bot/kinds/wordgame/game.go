// Package wordgame is the word game as a kind. Its [Game] is the kind's rules (rules.go), display (face.go, texts.go)
// and codec (codec.go); phrases.go has the words that don't depend on the state of a game.
//
// Other packages hold the parts that are used without the kind: scores, hard mode and words are in game/wordle, the
// proven solver in solver/optimal, the solver for puzzles with weights in solver/weighted, and help with puzzles from
// elsewhere in solver/solve and bot/solve.
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

// Words is what all kinds whose guesses are words share: which words there are, and how players type them. Their states have a
// method Turns, as that of [wordle.State].
type Words struct {
	face.Plain
	lists *wordle.Lists
}

// NewWords returns the words of the lists. No lists are enough to read matches from a store.
func NewWords(lists *wordle.Lists) Words { return Words{lists: cmp.Or(lists, new(wordle.Lists))} }

// Game is the word game with its lists and its solver. It is safe for concurrent use.
type Game struct {
	Words
	solver *optimal.Solver
}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// New returns the game. Suggestions and reviews need a solver, new games need lists.
func New(lists *wordle.Lists, s *optimal.Solver) *Game {
	return &Game{NewWords(lists), s}
}

// Face returns the face of the game.
func (g *Game) Face() face.Face { return face.Face{Phrases: g.phrases(), Display: g} }
