// Package boardsgame is the kinds Duo, Quad and Octo: several boards at once, each with a hidden word. Each kind is a [Game], in the same
// files as bot/kinds/wordgame. That package has the code that all kinds with words share; game/boards has the rules.
package boardsgame

import (
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
)

// Game is a kind with its lists and its solver. It is safe for concurrent use.
type Game struct {
	wordgame.Words
	size
	solver *multi.Solver
}

// size distinguishes the kinds.
type size struct {
	kind   game.Kind
	boards int
	all    string // "all four" boards
}

// All returns the three kinds. Suggestions and reviews need a solver, new games need lists.
func All(lists *wordle.Lists, s *multi.Solver) (all []*Game) {
	for _, one := range []size{{"duo", 2, "both"}, {"quad", 4, "all four"}, {"octo", 8, "all eight"}} {
		all = append(all, &Game{wordgame.NewWords(lists), one, s})
	}
	return all
}

// Face returns the face of the kind.
func (g *Game) Face() face.Face { return face.Face{Phrases: g.phrases(), Display: g} }
