package discord

import (
	"sync/atomic"

	"fivefold/bot"
	pictures "fivefold/bot/picture"
)

// emojis are the ids of the application's own emojis, by name; nil for none.
type emojis map[string]string

// of returns the emoji of a tile, an empty id if there is none.
func (e emojis) of(t bot.Tile, c bot.Colours) (id, name string) {
	name = pictures.Emoji{Text: t.Text, Mark: t.Mark, Contrast: c == bot.ContrastColours}.Name()
	return e[name], name
}

// emojiSet holds the emojis that are there. They come while the bot is serving.
type emojiSet struct{ now atomic.Pointer[emojis] }

func (s *emojiSet) known() emojis {
	if e := s.now.Load(); e != nil {
		return *e
	}
	return nil
}

func (s *emojiSet) set(e emojis) { s.now.Store(&e) }
