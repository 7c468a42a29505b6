// Package boardsgame has three kinds, in which words are hidden on several boards at once: Duo, Quad and Octo. Each is a [Game], with
// files as in bot/kinds/wordgame, which has what all kinds with words share. The rules without the kinds are in game/boards.
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

// size is what tells the kinds from each other.
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
