package discordtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// message is a message as Discord returns it, and as players see it. Server.mu protects it; what it has is
// replaced, not changed.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
	Type    int    `json:"type"` // typeAnswer, or 0 for one that was posted
	Author  struct {
		ID string `json:"id"`
	} `json:"author"`
	Content    string          `json:"content"`
	Components json.RawMessage `json:"components,omitempty"`
	Files      []File          `json:"attachments,omitempty"`
	Flags      int             `json:"flags"`
	loading    bool            // a deferred answer: "is thinking…"
	deleted    bool
	used       time.Time // when it was made, changed or pressed last
}

const typeAnswer = 20

// newMessageLocked returns an empty message of a type in a channel.
func (s *Server) newMessageLocked(kind int, channel, author string) *message {
	m := &message{ID: s.ids.next(), Channel: channel, Type: kind}
	m.Author.ID = author
	return m
}

const (
	flagSuppressEmbeds        = 1 << 2
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
	newMessageFlags           = flagEphemeral | flagSuppressEmbeds | flagSuppressNotifications
)

// change is what a call says of a message.
type change struct {
	where  string          // the place in the body, "" for all of it
	said   json.RawMessage // what is there
	schema string          // what the description calls the body
	edit   bool            // whether players have seen the message
}

// changedLocked returns m as a call makes it, or a refusal. The caller keeps the message.
func (s *Server) changedLocked(c *incoming, m *message, how change) (*message, *reply) {
	var b body
	refuse := func(r reply) (*message, *reply) { return nil, &r }
	var k checker
	if how.said != nil {
		k.read(how.where, how.said, &b)
	}
	files := b.describe(c.files)
	k.checkAttachments(how.where, &b, files, m.Files)
	k.checkMessage(how.where, &b)
	after := m.changed(s, &b, files)
	after.used = c.at
	may := newMessageFlags
	if how.edit { // whether it is private was fixed by the first answer
		may = flagSuppressEmbeds | m.Flags&flagEphemeral
	} else {
		after.Flags = m.Flags | b.flags()
	}
	if m.Type != typeAnswer {
		may &^= flagEphemeral
	}
	k.onlyFlags(under(how.where, "flags"), b.flags(), may)
	k.against(s.openAPI, how.schema, c.body)
	switch {
	case len(k.problems) > 0:
		return refuse(s.badFormLocked(c, &k))
	case after.Content == "" && after.Components == nil && len(after.Files) == 0:
		return refuse(s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message"))
	case len(after.Files) > maxFiles:
		return refuse(s.refusedLocked(c, http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)"))
	case s.oldEditLocked(c, m):
		// No violation: a bot cannot know of every earlier edit.
		return refuse(apiError(http.StatusBadRequest, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later"))
	}
	if !b.hasParse() {
		// Discord would take it; our rule does not.
		s.violateLocked("mentions: %s: %s has no parse list", c.name, under(how.where, "allowed_mentions"))
	}
	s.picturesLocked(c, files)
	return after, nil
}

// changed returns m as a body changes it: what the body leaves out stays, files are
// added to those that were there unless `attachments` says which to keep.
func (m *message) changed(s *Server, b *body, files []File) *message {
	after := *m
	after.loading = false
	after.Content = *cmp.Or(b.Content, &m.Content)
	if b.Components != nil {
		after.Components = listOrNil(b.Components)
	}
	if b.Flags != nil {
		// Whether it is private cannot be changed.
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

// listOrNil is nil for null and for the empty list.
func listOrNil(list json.RawMessage) json.RawMessage {
	if s := string(list); s == "null" || s == "[]" {
		return nil
	}
	return list
}

// seen is the message as it is now.
func (m *message) seen() message {
	seen := *m
	if m.loading {
		seen.Flags |= flagLoading
	}
	return seen
}

// Delete deletes a message, as somebody in the channel does.
func (s *Server) Delete(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[message].deleted = true
}

// unknownMessageLocked refuses a call about a message that is not there, or not where the call says. A bot cannot know
// what others have deleted, and may delete what it has deleted before.
func (s *Server) unknownMessageLocked(c *incoming, m *message) reply {
	const code, text = 10008, "Unknown Message"
	if c.Method == http.MethodDelete || m != nil && m.deleted {
		return apiError(http.StatusNotFound, code, text)
	}
	return s.refusedLocked(c, http.StatusNotFound, code, text)
}

// Shown returns a message as players see it now, by the MessageID of an
// [Answer]; false if there is none, or it was deleted.
func (s *Server) Shown(messageID string) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.messages[messageID]
	if m == nil || m.deleted {
		return Answer{}, false
	}
	return m.shown(), true
}

// shown is the message as players see it.
func (m *message) shown() Answer {
	var k checker
	return Answer{
		Content: m.Content, Components: usable(k.components("", m.Components)), // they were checked when they came
		Files: slices.Clone(m.Files), MessageID: m.ID, Ephemeral: m.Flags&flagEphemeral != 0,
	}
}
