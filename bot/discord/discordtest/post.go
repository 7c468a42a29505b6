package discordtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// oldMessage is the age from which Discord takes few edits of messages: 3 in 6 s in each
// channel, then error 30046. How many it takes is not documented; whether updates by a
// component count is not known, so they do here.
const oldMessage = time.Hour

// oldEditLocked counts an edit of an old message, and reports whether it is one too many.
func (s *Server) oldEditLocked(c *incoming, m *message) bool {
	return c.at.Sub(MadeAt(m.ID)) > oldMessage && !s.takeLocked(rateOldEdit, m.Channel, c.at, http.Header{})
}

// nonceKept is for how long a nonce is enforced: Discord says "a few minutes".
const nonceKept = 2 * time.Minute

// postLocked takes a message that the bot posts in a channel by itself.
func (s *Server) postLocked(c *incoming) reply {
	ch, may, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	switch {
	case !ch.maySend(may, c.files):
		return s.refusedLocked(c, http.StatusForbidden, 50013, "Missing Permissions")
	case ch.Locked:
		return s.refusedLocked(c, http.StatusBadRequest, 50083, "Thread is archived")
	}
	var once struct {
		Nonce   string `json:"nonce"`
		Enforce bool   `json:"enforce_nonce"`
	}
	var k checker
	if !k.read("", c.body, &once) {
		return s.badFormLocked(c, &k)
	}
	if m := s.nonces[once.Nonce]; once.Enforce && m != nil && c.at.Sub(MadeAt(m.ID)) < nonceKept {
		return ok(m.seen())
	}
	m, refusal := s.changedLocked(c, s.newMessageLocked(0, ch.ID, appID), change{said: c.body, schema: "MessageCreateRequest"})
	if refusal != nil {
		return *refusal
	}
	s.keepLocked(m)
	if once.Nonce != "" {
		s.nonces[once.Nonce] = m
	}
	return ok(m.seen())
}

// listLocked lists the first messages in a channel that follow one, the newest of them first: none where the
// bot may not read the history.
func (s *Server) listLocked(c *incoming) reply {
	ch, may, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	query := c.URL.Query()
	after := query.Get("after")
	most, err := strconv.Atoi(query.Get("limit"))
	if len(query) != 2 || !isSnowflake(after) || err != nil || most < 1 || most > 100 {
		return s.refusedLocked(c, http.StatusBadRequest, 50035, "the fake knows no other lists than after and limit")
	}
	var keys []string
	for key, m := range s.messages {
		if m.Channel == ch.ID && !m.deleted && m.Flags&flagEphemeral == 0 && byAge(after, key) < 0 && may&ReadMessageHistory != 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, byAge)
	list := []message{}
	for _, key := range keys[:min(most, len(keys))] {
		list = append(list, s.messages[key].seen())
	}
	slices.Reverse(list)
	return ok(list)
}

// maySend reports whether the bot may send such a message in a channel.
func (ch *Channel) maySend(may int64, files []File) bool {
	need := int64(SendMessages)
	if ch.Type == ChannelPublicThread || ch.Type == ChannelPrivateThread {
		need = SendMessagesInThread
	}
	if len(files) > 0 {
		need |= AttachFiles
	}
	return may&need == need
}

// ownMessageLocked edits or deletes a message of the bot's in a channel.
func (s *Server) ownMessageLocked(c *incoming) reply {
	ch, _, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	m := s.messages[c.PathValue("message")]
	switch {
	case m == nil || m.deleted || m.Channel != ch.ID || m.Flags&flagEphemeral != 0: // private messages cannot be found in a channel
		return s.unknownMessageLocked(c, m)
	case m.Author.ID != appID:
		return s.refusedLocked(c, http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	return s.doLocked(c, m, "MessageEditRequestPartial")
}

// doLocked reads, edits or deletes a message, as the call's method says.
func (s *Server) doLocked(c *incoming, m *message, schema string) reply {
	switch c.Method {
	case http.MethodDelete:
		m.deleted = true
		return reply{status: http.StatusNoContent}
	case http.MethodPatch:
		after, refusal := s.changedLocked(c, m, change{said: c.body, schema: schema, edit: true})
		if refusal != nil {
			return *refusal
		}
		*m = *after
	}
	return ok(m.seen())
}
