// Package evilgame is the word that dodges as a kind. Its [Game] is the kind's rules (rules.go), display (face.go) and codec
// (codec.go); phrases.go has the words that don't depend on the state of a game.
//
// The rules of a game are in game/evil, the solver in solver/dodge, and what it shares with other kinds with words in
// bot/kinds/wordgame.
package evilgame

import (
	"cmp"

	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/storage/record"
)

// Kind is the kind of the word that dodges.
const Kind game.Kind = "evil"

// Game is the word that dodges with its lists and its solver. It is safe for concurrent use.
type Game struct {
	wordgame.Words
	answers []wordle.Word
	solver  *dodge.Solver
}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// New returns the game. Suggestions and reviews need a solver, games need lists.
func New(lists *wordle.Lists, s *dodge.Solver) *Game {
	return &Game{Words: wordgame.NewWords(lists), answers: cmp.Or(lists, new(wordle.Lists)).Answers(), solver: s}
}

// Face returns the face of the game.
func (g *Game) Face() face.Face { return face.Face{Phrases: phrases(), Display: g} }
