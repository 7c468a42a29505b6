package discordtest

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

var emojiName = regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)

// emojiEntry is an emoji of the application's.
type emojiEntry struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Available bool   `json:"available"`
	png       []byte
}

// Emoji returns the picture, a PNG, of the application's emoji with that name; nil if
// there is none.
func (s *Server) Emoji(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := slices.IndexFunc(s.emojis, func(e *emojiEntry) bool { return e.Name == name }); n >= 0 {
		return s.emojis[n].png
	}
	return nil
}

// emojisLocked lists the application's emojis.
func (s *Server) emojisLocked(*incoming) reply {
	return ok(object{"items": slices.Clone(s.emojis)})
}

// deleteEmojiLocked deletes an emoji.
func (s *Server) deleteEmojiLocked(c *incoming) reply {
	before := len(s.emojis)
	s.emojis = slices.DeleteFunc(s.emojis, func(e *emojiEntry) bool { return e.ID == c.PathValue("emoji") })
	if len(s.emojis) == before {
		return s.refusedLocked(c, http.StatusNotFound, 10014, "Unknown Emoji")
	}
	return reply{status: http.StatusNoContent}
}

// addEmojiLocked takes a new emoji.
func (s *Server) addEmojiLocked(c *incoming) reply {
	var b struct {
		Name  string `json:"name"`
		Image string `json:"image"`
	}
	var k checker
	k.read("", c.body, &b)
	if !emojiName.MatchString(b.Name) {
		k.bad("name", "%q, must be 2 to 32 letters, digits or underscores", b.Name)
	}
	if slices.ContainsFunc(s.emojis, func(e *emojiEntry) bool { return e.Name == b.Name }) {
		k.bad("name", "there is an emoji %q already", b.Name)
	}
	text, isPNG := strings.CutPrefix(b.Image, "data:image/png;base64,") // Discord takes other formats too; we send PNGs
	picture, err := base64.StdEncoding.DecodeString(text)
	if _, broken := png.DecodeConfig(bytes.NewReader(picture)); !isPNG || err != nil || broken != nil {
		k.bad("image", "no data URI of a PNG: %.40q", b.Image)
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, &k)
	}
	e := &emojiEntry{s.ids.next(), b.Name, true, picture}
	s.emojis = append(s.emojis, e)
	return reply{status: http.StatusCreated, body: e}
}
