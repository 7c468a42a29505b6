package discordtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

var emojiName = regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)

// emojiEntry is an emoji of the application's.
type emojiEntry struct {
	id, name string
	png      []byte
}

func (e *emojiEntry) object(s *Server) object {
	return object{
		"id": e.id, "name": e.name, "roles": []string{}, "user": s.botUser(),
		"require_colons": true, "managed": false, "animated": false, "available": true,
	}
}

// Emoji returns the picture, a PNG, of the application's emoji with that name; nil if
// there is none.
func (s *Server) Emoji(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.emojis {
		if e.name == name {
			return e.png
		}
	}
	return nil
}

// emojisLocked lists the application's emojis, adds one, or deletes the one with an id.
func (s *Server) emojisLocked(c *incoming, id string) reply {
	switch n := slices.IndexFunc(s.emojis, func(e *emojiEntry) bool { return e.id == id }); {
	case id == "" && c.method == http.MethodGet:
		items := []object{}
		for _, e := range s.emojis {
			items = append(items, e.object(s))
		}
		return reply{status: http.StatusOK, body: object{"items": items}}
	case id == "" && c.method == http.MethodPost:
		return s.addEmojiLocked(c)
	case id != "" && n < 0:
		return s.refusedLocked(c, http.StatusNotFound, 10014, "Unknown Emoji")
	case c.method == http.MethodDelete:
		s.emojis = slices.Delete(s.emojis, n, n+1)
		return reply{status: http.StatusNoContent}
	}
	return s.unknownLocked(c)
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
	if slices.ContainsFunc(s.emojis, func(e *emojiEntry) bool { return e.name == b.Name }) {
		k.bad("name", "there is an emoji %q already", b.Name)
	}
	picture, err := pictureIn(b.Image)
	if err != nil {
		k.bad("image", "%v", err)
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, &k)
	}
	e := &emojiEntry{s.ids.next(), b.Name, picture}
	s.emojis = append(s.emojis, e)
	return reply{status: http.StatusCreated, body: e.object(s)}
}

// pictureIn reads the picture of a data URI. Discord takes other formats too; we send PNGs.
func pictureIn(uri string) ([]byte, error) {
	text, ok := strings.CutPrefix(uri, "data:image/png;base64,")
	if !ok {
		return nil, fmt.Errorf("no data URI of a PNG: %.40q", uri)
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	_, err = png.DecodeConfig(bytes.NewReader(b))
	return b, err
}
