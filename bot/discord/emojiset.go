package discord

import (
	"fivefold/bot"
	pictures "fivefold/bot/picture"
	"sync/atomic"
)

// emojis are the ids of the application's own emojis, by name; nil for none.
type emojis map[string]string

// of returns the emoji of a tile, an empty id if there is none.
func (e emojis) of(t bot.Tile, c bot.Colours) (id, name string) {
	if e == nil {
		return "", ""
	}
	name = pictures.Emoji{Text: t.Text, Mark: t.Mark, Contrast: c == bot.ContrastColours}.Name()
	return e[name], name
}

// complete returns the emojis of those sets that are all there: a board shows either tiles or
// squares, never both.
func (e emojis) complete() emojis {
	found := emojis{}
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

// emojiSet holds the emojis that can be used, which become known while the bot is serving. It
// is safe for concurrent use.
type emojiSet struct{ now atomic.Pointer[emojis] }

func (s *emojiSet) known() emojis {
	if e := s.now.Load(); e != nil {
		return *e
	}
	return nil
}
