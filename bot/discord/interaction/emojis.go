package interaction

import (
	"maps"
	"slices"

	"fivefold/bot"
	pictures "fivefold/bot/picture"
	"fivefold/game/marks"
)

// Emojis are the ids of the application's own emojis, by name.
type Emojis map[string]string

// Tiles are the usable emojis as a message writes them: "<:Ag1:1100000000000000001>".
type Tiles map[pictures.Emoji]string

// Count is the number of different emojis.
func (t Tiles) Count() int { return len(slices.Compact(slices.Sorted(maps.Values(t)))) }

// tile returns the emoji of a tile, or "".
func (t Tiles) tile(of bot.Tile, c bot.Colours) string {
	return t[pictures.Emoji{Text: of.Text, Mark: of.Mark, Contrast: c == bot.ContrastColours}]
}

// key returns the emoji of a key, or "".
func (t Tiles) key(k bot.Key, c bot.Colours) string {
	of := pictures.Emoji{Text: k.Text, Mark: k.Mark, Contrast: c == bot.ContrastColours}
	switch {
	case !k.Tried:
		of.Key = pictures.Untried
	case k.Mark == marks.Black:
		of.Key = pictures.Used
	}
	return t[of]
}

// Complete returns the tiles of complete sets: a board shows either tiles or squares.
func (e Emojis) Complete() Tiles {
	found := Tiles{}
	for _, set := range pictures.EmojiSets() {
		if slices.ContainsFunc(set, func(tile pictures.Emoji) bool { return e[tile.Name()] == "" }) {
			continue
		}
		for _, tile := range set {
			found[tile] = "<:" + tile.Name() + ":" + e[tile.Name()] + ">"
		}
	}
	return found
}
