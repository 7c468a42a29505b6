package discordtest

import (
	"encoding/json"
	"net/http"
	"time"
)

// The types of a first answer.
const (
	callbackPong         = 1
	callbackMessage      = 4
	callbackDefer        = 5
	callbackDeferUpdate  = 6
	callbackUpdate       = 7
	callbackAutocomplete = 8
	callbackModal        = 9
)

const (
	// tokenLife is how long an interaction's token is accepted (2026-08).
	tokenLife = 15 * time.Minute
	// maxUserFollowUps is how many follow-ups to an interaction an application may send that only the user has
	// installed (2026-08).
	maxUserFollowUps = 5
)

// mayAnswer reports whether an interaction may be answered with that type.
func (c *Call) mayAnswer(callback int) bool {
	if c.asked.Type == TypeAutocomplete {
		return callback == callbackAutocomplete
	}
	switch callback {
	case callbackMessage, callbackDefer:
		return true
	case callbackDeferUpdate, callbackUpdate:
		return c.asked.onMessage()
	case callbackModal:
		return c.asked.Type != TypeModal
	}
	return false
}

// callbackLocked takes the first answer to an interaction.
func (s *Server) callbackLocked(c *incoming, id, token string) reply {
	target := s.calls[id]
	if target == nil || target.asked.token != token {
		return s.refusedLocked(c, http.StatusNotFound, 10062, "Unknown interaction")
	}
	if target.first != nil {
		const again = "Interaction has already been acknowledged."
		if !target.unheard {
			return s.refusedLocked(c, http.StatusBadRequest, 40060, again)
		}
		target.unheard = c.unheard
		return apiError(http.StatusBadRequest, 40060, again)
	}
	if after := c.at.Sub(target.began); after > s.answer {
		if !target.sent.IsZero() && target.sent.Before(target.began.Add(s.answer)) {
			s.violateLocked("%s: the first answer came after %s, at most %s", c.name, after, s.answer)
		}
		return apiError(http.StatusNotFound, 10062, "Unknown interaction")
	}
	var outer struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	var k checker
	k.read(c.body, &outer)
	update := outer.Type == callbackUpdate || outer.Type == callbackDeferUpdate
	switch {
	case outer.Type == callbackUpdate && target.asked.Type == TypeModal && !target.asked.onMessage():
		// The form was opened by a command: there is no message to update.
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	case update && target.original != nil && target.original.deleted: // while a form was open
		return apiError(http.StatusNotFound, 10008, "Unknown Message")
	case !target.mayAnswer(outer.Type):
		k.bad("type: %d does not answer an interaction of type %d", outer.Type, target.asked.Type)
		return s.badFormLocked(c, &k)
	}
	m, a, refusal := s.firstAnswerLocked(c, target, outer.Type, outer.Data)
	if refusal != nil {
		return *refusal
	}
	a.Type = outer.Type
	switch {
	case m == nil:
	case target.original != nil && target.original.ID == m.ID:
		*target.original = *m
	default:
		s.keepLocked(m)
		target.original = m
	}
	target.first, target.unheard = &a, c.unheard
	if outer.Type != callbackDefer && outer.Type != callbackDeferUpdate {
		target.showLocked(a)
	}
	target.changed.fire()
	if m == nil || c.URL.Query().Get("with_response") != "true" {
		return reply{status: http.StatusNoContent}
	}
	return ok(object{
		"interaction": object{
			"id": target.asked.ID, "type": target.asked.Type,
			"response_message_id": m.ID, "response_message_loading": m.loading, "response_message_ephemeral": a.Ephemeral,
		},
		"resource": object{"type": outer.Type, "message": m.seen()},
	})
}

// firstAnswerLocked returns the message that a first answer makes or changes, nil for none, and what the player sees.
func (s *Server) firstAnswerLocked(c *incoming, target *Call, kind int, data json.RawMessage) (m *message, a Answer, refusal *reply) {
	var b body
	var k checker
	switch kind {
	case callbackMessage:
		m, refusal = s.changedLocked(c, target.newMessageLocked(), data, false)
	case callbackUpdate:
		m, refusal = s.changedLocked(c, target.original, data, true)
	case callbackDeferUpdate:
		m = target.original
	default:
		if data != nil {
			k.read(data, &b)
		}
		switch kind {
		case callbackDefer:
			k.onlyFlags(b.flags(), newMessageFlags)
			m = target.newMessageLocked()
			m.loading, m.Flags = true, m.Flags|b.flags()&flagEphemeral
		case callbackAutocomplete:
			if b.Choices == nil {
				k.bad("choices: missing")
			}
			k.checkChoices(b.Choices)
		case callbackModal:
			k.checkForm(&b)
			a.Inputs = inputs(b.components())
		}
		if len(k.problems) > 0 {
			return nil, a, new(s.badFormLocked(c, &k))
		}
		a.Choices, a.CustomID, a.Title = b.Choices, b.CustomID, b.Title
	}
	if m != nil {
		a = m.shown()
	}
	return m, a, refusal
}

// newMessageLocked returns an empty message that answers the call.
func (c *Call) newMessageLocked() *message {
	m := c.s.newMessageLocked(typeAnswer, c.asked.Channel, appID)
	m.by = c
	if c.allPrivate {
		m.Flags = flagEphemeral
	}
	return m
}

// byTokenLocked finds the interaction whose token a call uses. The token counts from the first answer on.
func (s *Server) byTokenLocked(c *incoming) (*Call, *reply) {
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
	target, refusal := s.byTokenLocked(c)
	switch {
	case refusal != nil:
		return *refusal
	case (target.asked.UserInstalled || target.asked.GroupDM) && len(target.followUps) >= maxUserFollowUps:
		return s.refusedLocked(c, http.StatusBadRequest, 40094, "This interaction has reached the maximum number of follow-up messages")
	case target.original != nil && target.original.loading:
		// Discord would take it instead of the answer that was deferred.
		return s.refusedLocked(c, http.StatusBadRequest, 0, "this bot edits what it has deferred")
	}
	m, refusal := s.changedLocked(c, target.newMessageLocked(), c.body, false)
	if refusal != nil {
		return *refusal
	}
	s.keepLocked(m)
	a := m.shown()
	target.followUps = append(target.followUps, a)
	target.showLocked(a)
	return ok(m.seen())
}

// answerLocked reads, edits or deletes the first answer (@original) or a follow-up.
func (s *Server) answerLocked(c *incoming) reply {
	target, refusal := s.byTokenLocked(c)
	if refusal != nil {
		return *refusal
	}
	id := c.PathValue("message")
	m := s.messages[id]
	if o := target.original; o != nil && (id == "@original" || id == o.ID) && target.first.MessageID != "" {
		m = o
	} else if m != nil && m.by != target {
		m = nil
	}
	if m == nil || m.deleted {
		return s.unknownMessageLocked(c, m)
	}
	rep := s.doLocked(c, m)
	if c.Method == http.MethodPatch && rep.status == http.StatusOK && m == target.original {
		target.showLocked(m.shown())
	}
	return rep
}
