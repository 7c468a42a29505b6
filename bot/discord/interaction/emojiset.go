package interaction

import (
	"sync/atomic"

	"fivefold/bot"
	pictures "fivefold/bot/picture"
)

// Emojis are the ids of the application's own emojis, by name; nil for none.
type Emojis map[string]string

// of returns the emoji of a tile, an empty id if there is none.
func (e Emojis) of(t bot.Tile, c bot.Colours) (id, name string) {
	if e == nil {
		return "", ""
	}
	name = pictures.Emoji{Text: t.Text, Mark: t.Mark, Contrast: c == bot.ContrastColours}.Name()
	return e[name], name
}

// Complete returns the emojis of those sets that are all there: a board shows either tiles or
// squares, never both.
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

// EmojiSet holds the emojis that can be used, which become known while the bot is serving. It
// is safe for concurrent use.
type EmojiSet struct{ usable atomic.Pointer[Emojis] }

// Learn makes those known that can be used.
func (s *EmojiSet) Learn(have Emojis) {
	usable := have.Complete()
	s.usable.Store(&usable)
}

// Known returns the emojis that can be used.
func (s *EmojiSet) Known() Emojis {
	if e := s.usable.Load(); e != nil {
		return *e
	}
	return nil
}
