package discordtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// message is a message as players see it. Server.mu protects it.
type message struct {
	id         string
	channel    string
	content    string
	components json.RawMessage
	files      []File
	flags      int
	loading    bool // a deferred answer: "is thinking…"
	edited     bool
	deleted    bool
	author     string    // "" is the bot
	posted     bool      // by the bot in the channel, not as an answer
	used       time.Time // when it was made, changed or pressed last
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
	if !listless(how.said) {
		k.read(how.where, how.said, &b)
	}
	files := b.describe(c.files)
	k.checkAttachments(how.where, &b, files, m.files)
	k.checkMessage(how.where, &b)
	after := m.changed(s, &b, files)
	after.used = c.at
	may := newMessageFlags
	if how.edit { // whether it is private was fixed by the first answer
		may = flagSuppressEmbeds | m.flags&flagEphemeral
		after.edited = !m.loading
	} else {
		after.flags = m.flags | b.flags()
	}
	if m.posted {
		may &^= flagEphemeral
	}
	k.onlyFlags(under(how.where, "flags"), b.flags(), may)
	k.against(s.openAPI, how.schema, c.body)
	switch {
	case len(k.problems) > 0:
		return refuse(s.badFormLocked(c, &k))
	case after.content == "" && after.components == nil && len(after.files) == 0:
		return refuse(s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message"))
	case len(after.files) > maxFiles:
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
	after.content = *cmp.Or(b.Content, &m.content)
	if b.Components != nil {
		after.components = listOrNil(b.Components)
	}
	if b.Flags != nil {
		// Whether it is private cannot be changed.
		after.flags = m.flags&flagEphemeral | b.flags()&^flagEphemeral
	}
	after.files = nil
	for _, f := range m.files {
		if b.Attachments == nil || slices.ContainsFunc(*b.Attachments, func(a attachmentBody) bool { return a.id() == f.id }) {
			after.files = append(after.files, b.describe([]File{f})...)
		}
	}
	for _, f := range files {
		f.id = s.ids.next()
		after.files = append(after.files, f)
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

// object is the message as Discord returns it.
func (m *message) object(s *Server) object {
	attachments := []object{}
	for _, a := range m.files {
		url := s.http.URL + "/attachments/" + a.id + "/" + a.Name
		o := object{"id": a.id, "filename": a.Name, "size": len(a.Data), "content_type": a.ContentType, "url": url, "proxy_url": url}
		if a.Description != "" {
			o["description"] = a.Description
		}
		attachments = append(attachments, o)
	}
	flags := m.flags
	if m.loading {
		flags |= flagLoading
	}
	o := object{
		"id": m.id, "channel_id": m.channel, "type": 20, "author": s.botUser(),
		"content": m.content, "embeds": []object{}, "components": []object{}, "attachments": attachments,
		"flags": flags, "mentions": []object{}, "mention_roles": []string{}, "mention_everyone": false, "pinned": false,
		"tts": false, "timestamp": timeOf(m.id), "edited_timestamp": nil,
	}
	if m.components != nil {
		o["components"] = m.components
	}
	switch {
	case m.author != "":
		o["type"], o["author"] = 0, userObject(m.author, "somebody")
	case m.posted:
		o["type"] = 0
	default:
		o["application_id"], o["webhook_id"] = appID, appID
	}
	if m.edited {
		o["edited_timestamp"] = timeOf(s.ids.next())
	}
	return o
}

// Delete deletes a message, as somebody in the channel does.
func (s *Server) Delete(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[message].deleted = true
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
		Content: m.content, Components: usable(k.components("", m.components)), // they were checked when they came
		Files: slices.Clone(m.files), MessageID: m.id, Ephemeral: m.flags&flagEphemeral != 0,
	}
}
