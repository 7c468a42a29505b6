package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
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
	callbackPong:         "PongInteractionCallbackRequest",
	callbackMessage:      "CreateMessageInteractionCallbackRequest",
	callbackDefer:        "CreateMessageInteractionCallbackRequest",
	callbackDeferUpdate:  "UpdateMessageInteractionCallbackRequest",
	callbackUpdate:       "UpdateMessageInteractionCallbackRequest",
	callbackAutocomplete: "ApplicationCommandAutocompleteCallbackRequest",
	callbackModal:        "ModalInteractionCallbackRequest",
}

// mayAnswer reports whether an interaction may be answered with that type.
func (c *Call) mayAnswer(callback int) bool {
	switch c.kind {
	case 1:
		return callback == callbackPong
	case TypeAutocomplete:
		return callback == callbackAutocomplete
	}
	switch callback {
	case callbackMessage, callbackDefer:
		return true
	case callbackDeferUpdate, callbackUpdate:
		return c.onMessage
	case callbackModal:
		return c.kind != TypeModal
	}
	return false
}

// callbackLocked takes the first answer to an interaction.
func (s *Server) callbackLocked(c *incoming, id, token string) reply {
	target := s.calls[id]
	if target == nil || target.token != token {
		return s.refusedLocked(c, http.StatusNotFound, 10062, "Unknown interaction")
	}
	if target.first != nil && target.unheard {
		target.unheard = c.unheard
		return apiError(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	}
	if target.first != nil {
		return s.refusedLocked(c, http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	}
	if after := c.at.Sub(target.began); after > s.options.Answer {
		if !target.sent.IsZero() && target.sent.Before(target.began.Add(s.options.Answer)) {
			s.violateLocked("%s: the first answer came after %s, at most %s", c.name, after, s.options.Answer)
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
	if outer.Type == callbackUpdate && target.kind == TypeModal && !target.onMessage {
		// The form was opened by a command: there is no message to update.
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	}
	if (outer.Type == callbackUpdate || outer.Type == callbackDeferUpdate) && target.original != nil && target.original.deleted {
		return apiError(http.StatusNotFound, 10008, "Unknown Message") // it was deleted while a form was open
	}
	if !target.mayAnswer(outer.Type) {
		k.bad("type", "%d does not answer this interaction of type %d", outer.Type, target.kind)
		return s.badFormLocked(c, &k)
	}
	m, a, refusal := s.firstAnswerLocked(c, target, outer.Type, outer.Data)
	if refusal != nil {
		return *refusal
	}
	a.Type = outer.Type
	switch {
	case m == nil:
	case target.original != nil && target.original.id == m.id:
		*target.original = *m
	default:
		s.newMessageLocked(m)
		target.original = m
	}
	target.completeLocked(c, &a)
	target.first = &a
	target.unheard = c.unheard
	if outer.Type != callbackDefer && outer.Type != callbackDeferUpdate {
		target.shown = &a
	}

	if q := c.query["with_response"]; !slices.Contains(q, "true") {
		return reply{status: http.StatusNoContent}
	}
	about := object{"id": target.id, "type": target.kind}
	resource := object{"type": outer.Type}
	if a.MessageID != "" {
		about["response_message_id"] = m.id
		about["response_message_loading"] = m.loading
		about["response_message_ephemeral"] = a.Ephemeral
		resource["message"] = m.object(s)
	}
	return reply{status: http.StatusOK, body: object{"interaction": about, "resource": resource}}
}

// firstAnswerLocked checks what a first answer says. It returns the message that it makes or changes, if any.
func (s *Server) firstAnswerLocked(c *incoming, target *Call, kind int, data json.RawMessage) (m *message, a Answer, refusal *reply) {
	how := change{where: "data", said: data, schema: callbackSchemas[kind], edit: kind == callbackUpdate}
	switch kind {
	case callbackMessage, callbackDefer:
		m = &message{id: s.ids.next(), channel: target.channel, flags: target.privateFlag()}
	case callbackUpdate, callbackDeferUpdate:
		m = target.original
	}
	if kind == callbackMessage || kind == callbackUpdate {
		return s.changedLocked(c, m, how)
	}
	var b body
	var k checker
	if !listless(data) {
		k.read("data", data, &b)
	}
	switch kind {
	case callbackDefer:
		k.onlyFlags("data.flags", b.Flags.value, newMessageFlags)
		m.loading, m.flags = true, m.flags|b.Flags.value&flagEphemeral
	case callbackAutocomplete:
		if b.Choices == nil {
			k.bad("data.choices", "missing")
		}
		k.choices("data.choices", b.Choices)
	case callbackModal:
		k.checkModal("data", &b)
	}
	k.against(s.openAPI, how.schema, c.body)
	if len(k.problems) > 0 {
		rep := s.badFormLocked(c, &k)
		return nil, a, &rep
	}
	a = b.answer(c.body, nil)
	if m != nil {
		m.describeTo(&a)
	}
	return m, a, nil
}

// privateFlag is what Discord adds to the flags of every new message of the call.
func (c *Call) privateFlag() int {
	if c.allPrivate {
		return flagEphemeral
	}
	return 0
}

// completeLocked completes an answer and wakes the tests that wait for it.
func (c *Call) completeLocked(from *incoming, a *Answer) {
	a.After = from.at.Sub(c.began)
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
