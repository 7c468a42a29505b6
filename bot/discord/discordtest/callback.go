package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// The types of a first answer.
const (
	callbackPong           = 1
	callbackMessage        = 4
	callbackDefer          = 5
	callbackDeferUpdate    = 6
	callbackUpdate         = 7
	callbackAutocomplete   = 8
	callbackModal          = 9
	callbackLaunchActivity = 12
)

// callbackSchemas names what the description calls each type's body.
var callbackSchemas = map[int]string{
	callbackPong:           "PongInteractionCallbackRequest",
	callbackMessage:        "CreateMessageInteractionCallbackRequest",
	callbackDefer:          "CreateMessageInteractionCallbackRequest",
	callbackDeferUpdate:    "UpdateMessageInteractionCallbackRequest",
	callbackUpdate:         "UpdateMessageInteractionCallbackRequest",
	callbackAutocomplete:   "ApplicationCommandAutocompleteCallbackRequest",
	callbackModal:          "ModalInteractionCallbackRequest",
	callbackLaunchActivity: "LaunchActivityInteractionCallbackRequest",
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
	case callbackMessage, callbackDefer, callbackLaunchActivity:
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
	var b body
	if p := decode("", c.body, &outer); p != nil {
		return s.badFormLocked(c, p)
	}
	if outer.Type == callbackUpdate && target.kind == TypeModal && !target.onMessage {
		// The form was opened by a command: there is no message to update.
		return s.refusedLocked(c, http.StatusNotFound, 10008, "Unknown Message")
	}
	if (outer.Type == callbackUpdate || outer.Type == callbackDeferUpdate) && target.original != nil && target.original.deleted {
		return apiError(http.StatusNotFound, 10008, "Unknown Message") // it was deleted while a form was open
	}
	if !target.mayAnswer(outer.Type) {
		return s.badFormLocked(c, []problem{{"type", fmt.Sprintf("%d does not answer this interaction of type %d", outer.Type, target.kind)}})
	}
	if !listless(outer.Data) {
		if p := decode("data", outer.Data, &b); p != nil {
			return s.badFormLocked(c, p)
		}
	}
	files := b.describe(c.files)

	var k checker
	m := target.original
	switch outer.Type {
	case callbackMessage:
		m = &message{id: s.ids.next(), channel: target.channel}
		k.onlyFlags("data.flags", b.Flags.value, flagEphemeral|flagSuppressEmbeds|flagSuppressNotifications)
		k.checkAttachments("data", &b, files, nil)
		m.apply(s, &b, files)
		m.flags = b.Flags.value
		k.checkMessage("data", &b)
		m.flags |= target.privateFlag()
	case callbackDefer:
		m = &message{id: s.ids.next(), channel: target.channel, loading: true, flags: b.Flags.value&flagEphemeral | target.privateFlag()}
		k.onlyFlags("data.flags", b.Flags.value, flagEphemeral|flagSuppressEmbeds|flagSuppressNotifications)
	case callbackUpdate:
		m = m.clone()
		k.checkEdit("data", &b, m)
		k.checkAttachments("data", &b, files, m.attachments)
		m.apply(s, &b, files)
		m.edited = true
		k.checkMessage("data", &b)
	case callbackAutocomplete:
		k.checkChoices("data", b.Choices)
	case callbackModal:
		k.checkModal("data", &b)
	}
	k.against(s.openAPI, callbackSchemas[outer.Type], c.body)
	if len(k.problems) > 0 {
		return s.badFormLocked(c, k.problems)
	}
	says := outer.Type == callbackMessage || outer.Type == callbackUpdate
	if says {
		if m.empty() {
			return s.refusedLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message")
		}
		if len(m.attachments) > maxFiles {
			return s.refusedLocked(c, http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)")
		}
		if outer.Type == callbackUpdate {
			if rep := s.oldEditLocked(c, m); rep != nil {
				return *rep
			}
		}
		s.mentionsLocked(c, "data.", &b)
		s.picturesLocked(c, files)
	}

	a := b.answer(c.body, files)
	a.Type = outer.Type
	switch outer.Type {
	case callbackMessage, callbackDefer, callbackUpdate, callbackDeferUpdate:
		if target.original != nil && target.original.id == m.id {
			*target.original = *m
			m = target.original
		}
		target.original = m
		if outer.Type == callbackMessage || outer.Type == callbackDefer {
			s.newMessageLocked(m)
		}
		m.describeTo(&a)
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

// describeTo fills in what an answer says of the message it is about.
func (m *message) describeTo(a *Answer) {
	a.MessageID = m.id
	a.Ephemeral = m.flags&flagEphemeral != 0
	for _, f := range m.attachments {
		a.Attachments = append(a.Attachments, f.Name)
	}
}

// onlyFlags complains about other flags than those allowed.
func (k *checker) onlyFlags(where string, flags, allowed int) {
	if flags&^allowed != 0 {
		k.bad(where, "%d has flags that an application cannot set here", flags)
	}
}

// checkEdit checks an edit's flags against the message: whether it is private was fixed by the first
// answer.
func (k *checker) checkEdit(where string, b *body, m *message) {
	k.onlyFlags(under(where, "flags"), b.Flags.value&^(m.flags&flagEphemeral), flagSuppressEmbeds)
}

// refusedLocked notes a violation and answers with Discord's error.
func (s *Server) refusedLocked(c *incoming, status, code int, text string) reply {
	s.violateLocked("%s: %d %s", c.name, code, text)
	return apiError(status, code, text)
}

// badFormLocked notes what is wrong with a body and answers with it.
func (s *Server) badFormLocked(c *incoming, problems []problem) reply {
	for _, p := range problems {
		s.violateLocked("%s: %s", c.name, p)
	}
	return formError(problems)
}

// mentionsLocked notes a message without an explicit list of mentions to
// parse. Discord would take it; our rule does not.
func (s *Server) mentionsLocked(c *incoming, prefix string, b *body) {
	if !b.hasParse() {
		s.violateLocked("mentions: %s: %sallowed_mentions has no parse list", c.name, prefix)
	}
}
