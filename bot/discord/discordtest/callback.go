package discordtest

import (
	"encoding/json"
	"net/http"
	"strings"
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

// callbackSchemas names what the description calls each type's body.
var callbackSchemas = map[int]string{
	callbackMessage:      "CreateMessageInteractionCallbackRequest",
	callbackDefer:        "CreateMessageInteractionCallbackRequest",
	callbackDeferUpdate:  "UpdateMessageInteractionCallbackRequest",
	callbackUpdate:       "UpdateMessageInteractionCallbackRequest",
	callbackAutocomplete: "ApplicationCommandAutocompleteCallbackRequest",
	callbackModal:        "ModalInteractionCallbackRequest",
}

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
	if !k.read("", c.body, &outer) {
		return s.badFormLocked(c, &k)
	}
	if outer.Type == callbackUpdate && target.asked.Type == TypeModal && !target.asked.onMessage() {
		// The form was opened by a command: there is no message to update.
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	}
	if (outer.Type == callbackUpdate || outer.Type == callbackDeferUpdate) && target.original != nil && target.original.deleted {
		return apiError(http.StatusNotFound, 10008, "Unknown Message") // it was deleted while a form was open
	}
	if !target.mayAnswer(outer.Type) {
		k.bad("type", "%d does not answer this interaction of type %d", outer.Type, target.asked.Type)
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
	target.first = &a
	target.unheard = c.unheard
	if outer.Type != callbackDefer && outer.Type != callbackDeferUpdate {
		target.showLocked(a)
	}
	target.changed.fire()

	if c.URL.Query().Get("with_response") != "true" {
		return reply{status: http.StatusNoContent}
	}
	about := object{"id": target.asked.ID, "type": target.asked.Type}
	resource := object{"type": outer.Type}
	if m != nil {
		about["response_message_id"] = m.ID
		about["response_message_loading"] = m.loading
		about["response_message_ephemeral"] = a.Ephemeral
		resource["message"] = m.seen()
	}
	return ok(object{"interaction": about, "resource": resource})
}

// firstAnswerLocked returns the message that a first answer makes or changes, nil for none, and what the
// player sees.
func (s *Server) firstAnswerLocked(c *incoming, target *Call, kind int, data json.RawMessage) (m *message, a Answer, refusal *reply) {
	how := change{where: "data", said: data, schema: callbackSchemas[kind], edit: kind == callbackUpdate}
	switch kind {
	case callbackMessage:
		m, refusal = s.changedLocked(c, target.newMessage(s), how)
	case callbackUpdate:
		m, refusal = s.changedLocked(c, target.original, how)
	default:
		var b body
		var k checker
		if data != nil {
			k.read("data", data, &b)
		}
		switch kind {
		case callbackDefer:
			k.onlyFlags("data.flags", b.flags(), newMessageFlags)
			m = target.newMessage(s)
			m.loading, m.Flags = true, m.Flags|b.flags()&flagEphemeral
		case callbackDeferUpdate:
			m = target.original
		case callbackAutocomplete:
			if b.Choices == nil {
				k.bad("data.choices", "missing")
			}
			k.choices("data.choices", b.Choices)
		case callbackModal:
			a.Inputs = inputs(k.checkModal("data", &b))
		}
		if k.against(s.openAPI, how.schema, c.body); len(k.problems) > 0 {
			return nil, a, new(s.badFormLocked(c, &k))
		}
		a.Choices, a.CustomID, a.Title = b.Choices, b.CustomID, b.Title
	}
	if m != nil {
		a = m.shown()
	}
	return m, a, refusal
}

// newMessage returns an empty message that answers the call.
func (c *Call) newMessage(s *Server) *message {
	m := s.newMessageLocked(typeAnswer, c.asked.Channel, appID)
	if c.allPrivate {
		m.Flags = flagEphemeral
	}
	return m
}

// showLocked notes what the player finally sees, unless there was something before.
func (c *Call) showLocked(a Answer) {
	if c.shown == nil {
		c.shown = &a
	}
	c.changed.fire()
}

// onlyFlags complains about other flags than those allowed.
func (k *checker) onlyFlags(where string, flags, allowed int) {
	if flags&^allowed != 0 {
		k.bad(where, "%d has flags that an application cannot set here", flags)
	}
}

// refusedLocked notes a violation and answers with Discord's error.
func (s *Server) refusedLocked(c *incoming, status, code int, text string) reply {
	s.violateLocked("%s: %d %s", c.name, code, text)
	return apiError(status, code, text)
}

// badFormLocked notes what is wrong with a body and answers with it.
func (s *Server) badFormLocked(c *incoming, k *checker) reply {
	for _, p := range k.problems {
		s.violateLocked("%s: %s", c.name, p)
	}
	return apiError(http.StatusBadRequest, 50035, "Invalid Form Body: "+strings.Join(k.problems, ", "))
}
