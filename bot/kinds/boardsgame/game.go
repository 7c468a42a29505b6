// Package boardsgame has three kinds, in which words are hidden on several boards at once: Duo, Quad and Octo. A [Game] is the rules
// (rules.go), display (face.go) and codec (codec.go) of one of them; phrases.go has the words that don't depend on the state of a
// game.
//
// Other packages hold the parts that are used without the kinds: the rules in game/boards, the solver in solver/multi and the picture
// in bot/picture. What all kinds with words share is in bot/kinds/wordgame.
package boardsgame

import (
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/storage/record"
)

// Game is a kind with its lists and its solver. It is safe for concurrent use.
type Game struct {
	wordgame.Words
	size
	solver *multi.Solver
}

// size is what tells the kinds from each other.
type size struct {
	kind     game.Kind
	boards   int
	all, how string // "all four" boards, "Four words"
}

var sizes = []size{{"duo", 2, "both", "Two"}, {"quad", 4, "all four", "Four"}, {"octo", 8, "all eight", "Eight"}}

var (
	_ game.Rules   = (*Game)(nil)
	_ face.Display = (*Game)(nil)
	_ record.Codec = (*Game)(nil)
)

// All returns the three kinds. Suggestions and reviews need a solver, new games need lists.
func All(lists *wordle.Lists, s *multi.Solver) (all []*Game) {
	for _, one := range sizes {
		all = append(all, &Game{wordgame.NewWords(lists), one, s})
	}
	return all
}

// Face returns the face of the kind.
func (g *Game) Face() face.Face { return face.Face{Phrases: g.phrases(), Display: g} }
