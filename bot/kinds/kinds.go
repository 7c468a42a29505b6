// Package kinds lists the kinds of games. Each kind has its own package here, and a line in [All].
package kinds

import (
	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/boardsgame"
	"fivefold/bot/kinds/evilgame"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/solve"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/poker"
	"fivefold/storage/record"
)

// Kind is one kind of game: a part for each layer of the program.
type Kind struct {
	Rules game.Rules
	Codec record.Codec
	Face  face.Face
	// Elsewhere are the commands that help with puzzles from elsewhere; a kind without any is helped with by the first kind's. About
	// describes them if they share no first word with the kind's other commands.
	Elsewhere []bot.Command
	About     string
}

// Kinds lists kinds of games, each once. The first is the default for players.
type Kinds []Kind

// Parts are the solvers and lists of the kinds. The zero Parts are enough for codecs and names of commands.
type Parts struct {
	Lists     *wordle.Lists
	Words     *optimal.Solver
	Boards    *multi.Solver
	Cards     *poker.Solver
	Dodge     *dodge.Solver
	Elsewhere solve.Handlers
}

// All returns every kind of game.
func All(p Parts) Kinds {
	words, cards, evil := wordgame.New(p.Lists, p.Words), pokergame.New(p.Cards), evilgame.New(p.Lists, p.Dodge)
	all := Kinds{
		{
			Rules: words, Codec: words, Face: words.Face(),
			Elsewhere: p.Elsewhere.WordCommands(),
			About:     "Help with a word puzzle from elsewhere; only you see it",
		},
		{
			Rules: cards, Codec: cards, Face: cards.Face(),
			Elsewhere: []bot.Command{p.Elsewhere.CardCommand()},
		},
	}
	for _, g := range boardsgame.All(p.Lists, p.Boards) {
		all = append(all, Kind{Rules: g, Codec: g, Face: g.Face()})
	}
	return append(all, Kind{Rules: evil, Codec: evil, Face: evil.Face()})
}

// Codecs returns the codecs of every kind of game.
func Codecs() record.Codecs { return All(Parts{}).Codecs() }

// Rules returns the rules of each kind.
func (all Kinds) Rules() []game.Rules {
	return bot.Each(all, func(k Kind) game.Rules { return k.Rules })
}

// Codecs returns the codec of each kind.
func (all Kinds) Codecs() record.Codecs {
	return bot.Each(all, func(k Kind) record.Codec { return k.Codec })
}

// Faces returns the face of each kind.
func (all Kinds) Faces() face.Faces { return bot.Each(all, func(k Kind) face.Face { return k.Face }) }
