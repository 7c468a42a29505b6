package discordtest

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oldMessage is the age from which Discord takes few edits of messages: 3 in 6 s in each
// channel, then error 30046. How many it takes is not documented; whether updates by a
// component count is not known, so they do here.
const oldMessage = time.Hour

// oldEditLocked counts an edit of an old message, and refuses one too many. That is no
// violation: a bot cannot know of every earlier edit.
func (s *Server) oldEditLocked(c *incoming, m *message) *reply {
	if c.at.Sub(madeAt(m.id)) <= oldMessage {
		return nil
	}
	if s.takeLocked(rateOldEdit, m.channel, c.at, http.Header{}) {
		return nil
	}
	rep := apiError(http.StatusBadRequest, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later")
	return &rep
}

// nonceKept is for how long a nonce is enforced: Discord says "a few minutes".
const nonceKept = 2 * time.Minute

// postLocked takes a message that the bot posts in a channel by itself.
func (s *Server) postLocked(c *incoming, id string) reply {
	ch, may, refusal := s.reachLocked(c, id)
	if refusal != nil {
		return *refusal
	}
	var b body
	if p := decode("", c.body, &b); p != nil {
		return s.badFormLocked(c, p)
	}
	files := b.describe(c.files)
	if !ch.maySend(may, files) {
		return s.refusedLocked(c, http.StatusForbidden, 50013, "Missing Permissions")
	}
	if m := s.nonces[b.Nonce]; b.EnforceNonce && m != nil && c.at.Sub(madeAt(m.id)) < nonceKept {
		return reply{status: http.StatusOK, body: m.object(s)}
	}
	m := &message{id: s.ids.next(), channel: id, posted: true}
	var k checker
	k.onlyFlags("flags", b.Flags.value, flagSuppressEmbeds|flagSuppressNotifications)
	k.checkAttachments("", &b, files, nil)
	m.apply(s, &b, files)
	m.flags = b.Flags.value
	k.checkMessage("", &b)
	k.against(s.openAPI, "MessageCreateRequest", c.body)
	if rep := s.unfitLocked(c, &k, m); rep != nil {
		return *rep
	}
	s.mentionsLocked(c, "", &b)
	s.picturesLocked(c, files)
	s.looseMessageLocked(m)
	if b.Nonce != "" {
		s.nonces[b.Nonce] = m
	}
	s.changed.fire()
	return reply{status: http.StatusOK, body: m.object(s)}
}

// listLocked lists the first messages in a channel that follow one, the newest of them first: none where the
// bot may not read the history.
func (s *Server) listLocked(c *incoming, id string) reply {
	_, may, refusal := s.reachLocked(c, id)
	if refusal != nil {
		return *refusal
	}
	after, limit := strings.Join(c.query["after"], ","), strings.Join(c.query["limit"], ",")
	most, err := strconv.Atoi(limit)
	if len(c.query) != 2 || !isSnowflake(after) || err != nil || most < 1 || most > 100 {
		return s.badFormLocked(c, []problem{{"after, limit", "the fake knows no other lists"}})
	}
	list := []object{}
	for _, key := range slices.SortedFunc(maps.Keys(s.messages), byAge) {
		m := s.messages[key]
		if m.channel == id && !m.deleted && m.flags&flagEphemeral == 0 && byAge(after, key) < 0 && may&ReadMessageHistory != 0 && len(list) < most {
			list = append(list, m.object(s))
		}
	}
	slices.Reverse(list)
	return reply{status: http.StatusOK, body: list}
}

// maySend reports whether the bot may send such a message in a channel.
func (ch *channel) maySend(may int64, files []File) bool {
	need := int64(SendMessages)
	if ch.Type == ChannelPublicThread || ch.Type == ChannelPrivateThread {
		need = SendMessagesInThread
	}
	if len(files) > 0 {
		need |= AttachFiles
	}
	return may&need == need
}

// unfitLocked refuses a body with problems, or one that leaves m empty or with too many files.
func (s *Server) unfitLocked(c *incoming, k *checker, m *message) *reply {
	var rep reply
	switch {
	case len(k.problems) > 0:
		rep = s.badFormLocked(c, k.problems)
	case m.empty():
		rep = s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message")
	case len(m.attachments) > maxFiles:
		rep = s.refusedLocked(c, http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)")
	default:
		return nil
	}
	return &rep
}

// channelMessageLocked reads, edits or deletes a message in a channel.
func (s *Server) channelMessageLocked(c *incoming, id, messageID string) reply {
	ch, may, refusal := s.reachLocked(c, id)
	if refusal != nil {
		return *refusal
	}
	m := s.messages[messageID]
	if m == nil || m.deleted || m.channel != ch.ID || m.flags&flagEphemeral != 0 {
		// Private messages cannot be found in a channel.
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	}
	switch c.method {
	case http.MethodGet:
		if may&ReadMessageHistory == 0 {
			return s.refusedLocked(c, http.StatusForbidden, 50001, "Missing Access")
		}
		return reply{status: http.StatusOK, body: m.object(s)}
	case http.MethodDelete:
		if m.author != "" && may&ManageMessages == 0 {
			return s.refusedLocked(c, http.StatusForbidden, 50013, "Missing Permissions")
		}
		m.deleted = true
		s.changed.fire()
		return reply{status: http.StatusNoContent}
	case http.MethodPatch:
		if m.author != "" {
			return s.refusedLocked(c, http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
		}
		return s.patchLocked(c, m)
	}
	return s.unknownLocked(c)
}

// patchLocked edits a message of the bot's in a channel.
func (s *Server) patchLocked(c *incoming, m *message) reply {
	var b body
	if p := decode("", c.body, &b); p != nil {
		return s.badFormLocked(c, p)
	}
	files := b.describe(c.files)
	after := m.clone()
	var k checker
	k.checkEdit("", &b, m)
	k.checkAttachments("", &b, files, m.attachments)
	after.apply(s, &b, files)
	after.edited = true
	k.checkMessage("", &b)
	k.against(s.openAPI, "MessageEditRequestPartial", c.body)
	if rep := s.unfitLocked(c, &k, after); rep != nil {
		return *rep
	}
	if rep := s.oldEditLocked(c, m); rep != nil {
		return *rep
	}
	s.mentionsLocked(c, "", &b)
	s.picturesLocked(c, files)
	*m = *after
	s.changed.fire()
	return reply{status: http.StatusOK, body: m.object(s)}
}
