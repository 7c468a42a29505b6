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
func (s *Server) webhookLocked(c *incoming) (*Call, *reply) {
	target := s.tokens[c.PathValue("token")]
	switch {
	case target == nil || target.first == nil:
		return nil, new(s.refusedLocked(c, http.StatusNotFound, 10015, "Unknown Webhook"))
	case c.at.Sub(target.began) > tokenLife:
		// No violation: a bot may try and fall back.
		return nil, new(apiError(http.StatusUnauthorized, 50027, "Invalid Webhook Token"))
	}
	return target, nil
}

// followUpLocked takes a further message.
func (s *Server) followUpLocked(c *incoming) reply {
	target, refusal := s.webhookLocked(c)
	switch {
	case refusal != nil:
		return *refusal
	case (target.asked.UserInstalled || target.asked.GroupDM) && len(target.followUps) >= maxUserFollowUps:
		return s.refusedLocked(c, http.StatusBadRequest, 40094, "This interaction has reached the maximum number of follow-up messages")
	case target.original != nil && target.original.loading:
		// Discord would take it instead of the answer that was deferred.
		return s.refusedLocked(c, http.StatusBadRequest, 0, "this bot edits what it has deferred")
	}
	m, refusal := s.changedLocked(c, target.newMessage(s), change{said: c.body, schema: "IncomingWebhookRequestPartial"})
	if refusal != nil {
		return *refusal
	}
	s.keepLocked(m)
	target.messages[m.ID] = m
	a := m.shown()
	target.followUps = append(target.followUps, a)
	target.showLocked(a)
	return ok(m.seen())
}

// webhookMessageLocked reads, edits or deletes the answer (@original) or a
// follow-up.
func (s *Server) webhookMessageLocked(c *incoming) reply {
	target, refusal := s.webhookLocked(c)
	if refusal != nil {
		return *refusal
	}
	id := c.PathValue("message")
	m := target.messages[id]
	if o := target.original; o != nil && (id == "@original" || id == o.ID) && target.first.MessageID != "" {
		m = o
	}
	if m == nil || m.deleted {
		return s.unknownMessageLocked(c, m)
	}
	rep := s.doLocked(c, m, "IncomingWebhookUpdateRequestPartial")
	if c.Method == http.MethodPatch && rep.status == http.StatusOK && m == target.original {
		target.showLocked(m.shown())
	}
	return rep
}
