package discordtest

import (
	"net/http"
	"time"
)

// tokenLife is how long an interaction's token is accepted (2026-08).
const tokenLife = 15 * time.Minute

// maxUserFollowUps is how many follow-ups an application that only the user has
// installed may send to an interaction (2026-08).
const maxUserFollowUps = 5

// webhookLocked finds the interaction that a webhook call is about. Discord
// makes the webhook when it gets the first answer.
func (s *Server) webhookLocked(c *incoming, app, token string) (*Call, *reply) {
	target := s.tokens[token]
	switch {
	case app != s.appID || target == nil || target.first == nil:
		rep := s.refusedLocked(c, http.StatusNotFound, 10015, "Unknown Webhook")
		return nil, &rep
	case target.expired, c.at.Sub(target.began) > tokenLife:
		// No violation: a bot may try and fall back.
		rep := apiError(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
		return nil, &rep
	}
	return target, nil
}

// followUpLocked takes a further message.
func (s *Server) followUpLocked(c *incoming, app, token string) reply {
	target, refusal := s.webhookLocked(c, app, token)
	if refusal != nil {
		return *refusal
	}
	if target.userInstalled && len(target.followUps) >= maxUserFollowUps {
		return s.refusedLocked(c, http.StatusBadRequest, 40094, "This interaction has reached the maximum number of follow-up messages")
	}
	var b body
	if p := decode("", c.body, &b); p != nil {
		return s.badFormLocked(c, p)
	}
	files := b.describe(c.files)
	m := &message{id: s.ids.next(), channel: target.channel}
	takesPlace := target.first.Type == callbackDefer && target.original.loading
	if takesPlace {
		m = target.original.clone()
	}
	var k checker
	k.checkAttachments("", &b, files, nil)
	m.apply(s, &b, files)
	if !takesPlace {
		m.flags = b.Flags.value | target.privateFlag()
	}
	k.onlyFlags("flags", b.Flags.value, flagEphemeral|flagSuppressEmbeds|flagSuppressNotifications)
	k.checkMessage("", &b)
	k.against(s.openAPI, "IncomingWebhookRequestPartial", c.body)
	if len(k.problems) > 0 {
		return s.badFormLocked(c, k.problems)
	}
	if m.empty() {
		return s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	s.mentionsLocked(c, "", &b)
	s.picturesLocked(c, files)

	a := b.answer(c.body, files)
	m.describeTo(&a)
	if target.shown == nil {
		target.shown = &a
	}
	if takesPlace {
		*target.original = *m
		m = target.original
	} else {
		s.newMessageLocked(m)
		target.messages[m.id] = m
	}
	target.completeLocked(c, &a)
	target.followUps = append(target.followUps, a)
	return reply{status: http.StatusOK, body: m.object(s)}
}

// webhookMessageLocked reads, edits or deletes the answer (@original) or a
// follow-up.
func (s *Server) webhookMessageLocked(c *incoming, app, token, id string) reply {
	target, refusal := s.webhookLocked(c, app, token)
	if refusal != nil {
		return *refusal
	}
	m := target.messages[id]
	if o := target.original; o != nil && (id == "@original" || id == o.id) && target.first.MessageID != "" {
		m = o
	}
	if m == nil || m.deleted {
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	}
	switch c.method {
	case http.MethodGet:
		return reply{status: http.StatusOK, body: m.object(s)}
	case http.MethodDelete:
		m.deleted = true
		target.changed.fire()
		return reply{status: http.StatusNoContent}
	case http.MethodPatch:
		return s.editLocked(c, target, m)
	}
	return s.unknownLocked(c)
}

func (s *Server) editLocked(c *incoming, target *Call, m *message) reply {
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
	after.edited = !m.loading
	k.checkMessage("", &b)
	k.against(s.openAPI, "IncomingWebhookUpdateRequestPartial", c.body)
	if len(k.problems) > 0 {
		return s.badFormLocked(c, k.problems)
	}
	if after.empty() {
		return s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	if len(after.attachments) > maxFiles {
		return s.refusedLocked(c, http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)")
	}
	if rep := s.oldEditLocked(c, m); rep != nil {
		return *rep
	}
	s.mentionsLocked(c, "", &b)
	s.picturesLocked(c, files)

	*m = *after
	a := b.answer(c.body, files)
	m.describeTo(&a)
	if m == target.original && target.shown == nil {
		target.shown = &a
	}
	target.completeLocked(c, &a)
	target.edits = append(target.edits, a)
	return reply{status: http.StatusOK, body: m.object(s)}
}
