package interaction

import (
	"fivefold/bot"
	pictures "fivefold/bot/picture"
	"fivefold/game/marks"
)

// Emojis are the ids of the application's own emojis, by name.
type Emojis map[string]string

// find returns the emoji of a tile, with an empty id if there is none.
func (e Emojis) find(t bot.Tile, c bot.Colours) (id, name string) {
	return e.named(pictures.Emoji{Text: t.Text, Mark: t.Mark}, c)
}

func (e Emojis) named(of pictures.Emoji, c bot.Colours) (id, name string) {
	if e == nil {
		return "", ""
	}
	of.Contrast = c == bot.ContrastColours
	name = of.Name()
	return e[name], name
}

// findKey returns the emoji of a key, with an empty id if there is none.
func (e Emojis) findKey(k bot.Key, c bot.Colours) (id, name string) {
	of := pictures.Emoji{Text: k.Text, Mark: k.Mark}
	switch {
	case !k.Tried:
		of.Key = pictures.Untried
	case k.Mark == marks.Black:
		of.Key = pictures.Used
	}
	return e.named(of, c)
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
