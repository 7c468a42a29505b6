package interaction

import (
	"fivefold/bot"
	pictures "fivefold/bot/picture"
)

// Emojis are the ids of the application's own emojis, by name.
type Emojis map[string]string

// find returns the emoji of a tile, with an empty id if there is none.
func (e Emojis) find(t bot.Tile, c bot.Colours) (id, name string) {
	if e == nil {
		return "", ""
	}
	name = pictures.Emoji{Text: t.Text, Mark: t.Mark, Contrast: c == bot.ContrastColours}.Name()
	return e[name], name
}

// Complete returns the emojis of complete sets: a board shows either tiles or squares.
func (e Emojis) Complete() Emojis {
	found := Emojis{}
	for _, set := range pictures.EmojiSets() {
		whole := true
		for _, tile := range set {
			whole = whole && e[tile.Name()] != ""
		}
		for _, tile := range set {
			if whole {
				found[tile.Name()] = e[tile.Name()]
			}
		}
	}
	return found
}
