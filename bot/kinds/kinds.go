// Package kinds has every kind of game, each as one value.
package kinds

import (
	"cmp"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/storage/record"
)

// Kind is all that the program has of a kind of game: each layer is handed its part.
type Kind struct {
	Rules game.Rules
	Codec record.Codec
}

// Kinds are kinds of games, each once. The first one is what players mean who name none.
type Kinds []Kind

// Parts are what the kinds are made of. Of a zero value only the codecs can be used.
type Parts struct {
	Lists *wordle.Lists
	Words *solver.Solver
	Cards *boards.Solver
}

// All returns every kind of game.
func All(p Parts) Kinds {
	lists := cmp.Or(p.Lists, new(wordle.Lists))
	return Kinds{
		{wordgame.Rules(lists, p.Words), wordgame.Codec},
		{pokergame.Rules(p.Cards), pokergame.Codec},
	}
}

// Codecs returns the codecs of every kind of game.
func Codecs() record.Codecs { return All(Parts{}).Codecs() }

// Rules returns the rules of the kinds.
func (all Kinds) Rules() []game.Rules {
	var rules []game.Rules
	for _, k := range all {
		rules = append(rules, k.Rules)
	}
	return rules
}

// Codecs returns the codecs of the kinds.
func (all Kinds) Codecs() record.Codecs {
	var codecs record.Codecs
	for _, k := range all {
		codecs = append(codecs, k.Codec)
	}
	return codecs
}
