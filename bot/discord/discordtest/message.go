package discordtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"time"
)

// message is a message as Discord returns it. Server.mu protects it. Its lists are replaced, never changed.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
	Type    int    `json:"type"` // typeAnswer, or 0 for one that was posted
	Author  struct {
		ID string `json:"id"`
	} `json:"author"`
	Content    string      `json:"content"`
	Components []Component `json:"components,omitempty"`
	Files      []File      `json:"attachments,omitempty"`
	Flags      int         `json:"flags"`
	by         *Call       // the interaction that it answers; nil for others
	loading    bool        // a deferred answer: "is thinking…"
	deleted    bool
	used       time.Time // when it was made, changed or pressed last
}

const (
	typeAnswer = 20

	flagSuppressEmbeds        = 1 << 2
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
	newMessageFlags           = flagEphemeral | flagSuppressEmbeds | flagSuppressNotifications
)

// oldMessage is the age from which Discord takes few edits of a message: 3 in 6 s in each channel, then error 30046.
// The number is not documented. Whether updates by a component count is not known; here they do.
const oldMessage = time.Hour

// newMessageLocked returns an empty message in a channel.
func (s *Server) newMessageLocked(kind int, channel, author string) *message {
	m := &message{ID: s.ids.next(), Channel: channel, Type: kind}
	m.Author.ID = author
	return m
}

// changedLocked returns m as a body makes it, or a refusal. An edit changes a message that players have seen. The
// caller keeps the message.
func (s *Server) changedLocked(c *incoming, m *message, said json.RawMessage, edit bool) (*message, *reply) {
	refuse := func(r reply) (*message, *reply) { return nil, &r }
	var b body
	var k checker
	if said != nil {
		k.read(said, &b)
	}
	files := b.describe(c.files)
	k.checkAttachments(&b, files, m.Files)
	k.checkMessage(&b)
	after := m.changed(s, &b, files)
	after.used = c.at
	may := newMessageFlags
	if edit { // the first answer has fixed whether it is private
		may = flagSuppressEmbeds | m.Flags&flagEphemeral
	} else {
		after.Flags = m.Flags | b.flags()
	}
	if m.Type != typeAnswer {
		may &^= flagEphemeral
	}
	k.onlyFlags(b.flags(), may)
	switch {
	case len(k.problems) > 0:
		return refuse(s.badFormLocked(c, &k))
	case after.Content == "" && after.Components == nil && len(after.Files) == 0:
		return refuse(s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message"))
	case len(after.Files) > maxFiles:
		return refuse(s.refusedLocked(c, http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)"))
	case c.at.Sub(MadeAt(m.ID)) > oldMessage && !s.takeLocked(rateOldEdit, m.Channel, c.at, http.Header{}):
		// No violation: a bot cannot know of every earlier edit.
		return refuse(apiError(http.StatusBadRequest, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later"))
	}
	if !b.hasParse() {
		s.violateLocked("mentions: %s has no parse list", c.name) // Discord would take it
	}
	s.checkPicturesLocked(c, files)
	return after, nil
}

// changed returns m as a body changes it. What the body leaves out stays. Files are added, unless attachments says
// which of the earlier ones to keep.
func (m *message) changed(s *Server, b *body, files []File) *message {
	after := *m
	after.loading = false
	after.Content = *cmp.Or(b.Content, &m.Content)
	if b.Components != nil {
		after.Components = slices.Clip(*b.Components)
		if len(after.Components) == 0 {
			after.Components = nil
		}
	}
	if b.Flags != nil {
		after.Flags = m.Flags&flagEphemeral | b.flags()&^flagEphemeral
	}
	after.Files = nil
	for _, f := range m.Files {
		if b.Attachments == nil || slices.ContainsFunc(*b.Attachments, func(a attachmentBody) bool { return a.id() == f.ID }) {
			after.Files = append(after.Files, b.describe([]File{f})...)
		}
	}
	for _, f := range files {
		f.ID = s.ids.next()
		after.Files = append(after.Files, f)
	}
	return &after
}

// checkPicturesLocked notes PNGs that cannot be shown, or have no alt text. Discord would take them.
func (s *Server) checkPicturesLocked(c *incoming, files []File) {
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".png") {
			continue
		}
		if _, _, err := f.Size(); err != nil {
			s.violateLocked("pictures: %s: %s: %v", c.name, f.Name, err)
		}
		if strings.TrimSpace(f.Description) == "" {
			s.violateLocked("pictures: %s: %s has no alt text", c.name, f.Name)
		}
	}
}

// Size returns a PNG's width and height in pixels, or an error for anything else.
func (f File) Size() (width, height int, err error) {
	picture, err := png.DecodeConfig(bytes.NewReader(f.Data))
	return picture.Width, picture.Height, err
}

// doLocked reads, edits or deletes a message, as the call's method says.
func (s *Server) doLocked(c *incoming, m *message) reply {
	switch c.Method {
	case http.MethodDelete:
		m.deleted = true
		return reply{status: http.StatusNoContent}
	case http.MethodPatch:
		after, refusal := s.changedLocked(c, m, c.body, true)
		if refusal != nil {
			return *refusal
		}
		*m = *after
	}
	return ok(m.seen())
}

// unknownMessageLocked refuses a call about a message that is not where the call says. Only a bot that made up the id
// is at fault: others delete messages too, and a bot may delete a message twice.
func (s *Server) unknownMessageLocked(c *incoming, m *message) reply {
	const code, text = 10008, "Unknown Message"
	if c.Method == http.MethodDelete || m != nil && m.deleted {
		return apiError(http.StatusNotFound, code, text)
	}
	return s.refusedLocked(c, http.StatusNotFound, code, text)
}

// seen is the message as Discord returns it.
func (m *message) seen() message {
	seen := *m
	if m.loading {
		seen.Flags |= flagLoading
	}
	return seen
}

// shown is the message as players see it.
func (m *message) shown() Answer {
	a := Answer{Content: m.Content, Files: slices.Clone(m.Files), MessageID: m.ID, Ephemeral: m.Flags&flagEphemeral != 0}
	for n, row := range m.Components {
		for _, c := range row.Components {
			c.Row = n
			a.Components = append(a.Components, c)
		}
	}
	return a
}

// Shown returns a message as players see it now, by the MessageID of an [Answer]. It returns false if there is none,
// or if it was deleted.
func (s *Server) Shown(messageID string) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.messages[messageID]
	if m == nil || m.deleted {
		return Answer{}, false
	}
	return m.shown(), true
}

// Delete deletes a message, as a moderator does.
func (s *Server) Delete(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[message].deleted = true
}
