package face

import (
	"fivefold/bot"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// LetterTiles is the row of one guess of the word game.
func LetterTiles(t wordle.Turn) bot.Line {
	var line bot.Line
	for i := range wordle.Length {
		line.Tiles = append(line.Tiles, bot.Tile{Text: string(t.Guess.Letter(i)), Mark: t.Feedback.Mark(i)})
	}
	return line
}

// CardTiles is the row of one guess of the poker game.
func CardTiles(g pokle.Step) bot.Line {
	var line bot.Line
	for i := range pokle.BoardCards {
		line.Tiles = append(line.Tiles, bot.Tile{Text: g.Guess[i].String(), Mark: g.Feedback.Mark(i), Apart: i >= pokle.Flop.Cards()})
	}
	return line
}
