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
	case app != appID || target == nil || target.first == nil:
		rep := s.refusedLocked(c, http.StatusNotFound, 10015, "Unknown Webhook")
		return nil, &rep
	case c.at.Sub(target.began) > tokenLife:
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
	if target.original != nil && target.original.loading {
		// Discord would take it instead of the answer that was deferred.
		return s.refusedLocked(c, http.StatusBadRequest, 0, "this bot edits what it has deferred")
	}
	m := &message{id: s.ids.next(), channel: target.channel, flags: target.privateFlag()}
	m, a, refusal := s.changedLocked(c, m, change{said: c.body, schema: "IncomingWebhookRequestPartial"})
	if refusal != nil {
		return *refusal
	}
	if target.shown == nil {
		target.shown = &a
	}
	s.newMessageLocked(m)
	target.messages[m.id] = m
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
		after, a, refusal := s.changedLocked(c, m, change{said: c.body, schema: "IncomingWebhookUpdateRequestPartial", edit: true})
		if refusal != nil {
			return *refusal
		}
		*m = *after
		if m == target.original && target.shown == nil {
			target.shown = &a
		}
		target.completeLocked(c, &a)
		target.edits = append(target.edits, a)
		return reply{status: http.StatusOK, body: m.object(s)}
	}
	return s.unknownLocked(c)
}
