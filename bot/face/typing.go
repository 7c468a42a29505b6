package face

import (
	"fivefold/bot"
	"fivefold/game/marks"
)

// Typing is how a guess is typed where it needs no command, and goes into the tiles of a board.
type Typing struct {
	Goal     string   // what there is to find, such as "hidden five-letter word"
	Begin    string   // how to begin a game, in a sentence
	What     string   // what a guess is, such as "a word"
	Help     string   // how to write one, in a sentence
	Headings []string // above the tiles, each above those from one that is apart to the next; nil for none
	// Fits reports whether what was typed, without spaces, can become a guess.
	Fits func(typed string) bool
	// Tiles divides it into the texts of tiles. The last one is not whole if it lacks something.
	Tiles func(typed string) (tiles []string, whole bool)
}

// Aside is what there is to see of a game beside its tiles, where a board is drawn of them.
type Aside struct {
	Rows [][]Part
	// First means that it comes before the tiles. What there is to say at the end then follows
	// it; otherwise that takes its place.
	First bool
}

// Part is a part of a row of an [Aside]: text, which may be in an ink of its own, or a tile with a mark.
type Part struct {
	Text   string
	Ink    bot.Ink
	Marked bool
	Mark   marks.Mark
}
