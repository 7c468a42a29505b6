package main

import (
	"strings"

	"fivefold/game/wordle"
)

// typedTurn is a guess and its tiles as they were typed. There may be no tiles.
type typedTurn struct{ guess, tiles string }

// splitTurns tells guesses from tiles: "slate bbybb" and "slate:bbybb" are the same, and tiles
// may come in pieces, as squares and colours do. If guesses may be bare, the words after one
// are taken for its tiles only if they can be read as tiles.
func splitTurns(args []string, bare bool) []typedTurn {
	var words []string
	for _, arg := range args {
		words = append(words, strings.Fields(strings.ReplaceAll(arg, ":", " : "))...)
	}
	var turns []typedTurn
	for len(words) > 0 {
		t := typedTurn{guess: words[0]}
		words = words[1:]
		colon := len(words) > 0 && words[0] == ":"
		if colon {
			words = words[1:]
		}
		n := tilesAtFront(words)
		if n == 0 && (colon || !bare) {
			n = min(1, len(words)) // one word, to be refused as tiles
		}
		t.tiles = strings.Join(words[:n], " ")
		words = words[n:]
		turns = append(turns, t)
	}
	return turns
}

// tilesAtFront returns how many of the first words are the tiles of a guess, or 0 if they are
// not tiles.
func tilesAtFront(words []string) int {
	for n := range min(len(words), wordle.Length) {
		if _, err := wordle.ParseFeedback(strings.Join(words[:n+1], " ")); err == nil {
			return n + 1
		}
	}
	return 0
}
