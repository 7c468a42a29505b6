package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The types of a first answer.
const (
	callbackMessage      = 4
	callbackDefer        = 5
	callbackDeferUpdate  = 6
	callbackUpdate       = 7
	callbackAutocomplete = 8
	callbackModal        = 9
)

// mayAnswer reports whether an interaction may get a first answer of that type.
func (c *Call) mayAnswer(callback int) bool {
	completes, onMessage := c.asked.Type == TypeAutocomplete, c.asked.onMessage()
	return map[int]bool{
		callbackMessage: !completes, callbackDefer: !completes, callbackAutocomplete: completes,
		callbackUpdate: onMessage, callbackDeferUpdate: onMessage, callbackModal: !completes && c.asked.Type != TypeModal,
	}[callback]
}

// callbackLocked takes the first answer to an interaction.
func (x *exchange) callbackLocked(c *incoming, id, token string) reply {
	target := x.calls[id]
	if target == nil || target.asked.token != token {
		return x.refuseLocked(c, http.StatusNotFound, 10062, "Unknown interaction")
	}
	if target.first == nil && c.at.Sub(target.began) > x.answer {
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
	case update && target.original != nil && target.original.deleted: // while a form was open
		return apiError(http.StatusNotFound, 10008, "Unknown Message")
	case !target.mayAnswer(outer.Type):
		k.bad("type: %d does not answer an interaction of type %d", outer.Type, target.asked.Type)
		x.checkLocked(c, &k)
	}
	m, a := x.firstAnswerLocked(c, target, outer.Type, outer.Data)
	if a.Type = outer.Type; target.first != nil {
		return x.secondLocked(c, target, a)
	}
	switch {
	case m == nil:
	case target.original != nil && target.original.ID == m.ID:
		*target.original = *m
	default:
		x.keepLocked(m)
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
	return ok(object{"interaction": object{"response_message_id": m.ID}})
}

// secondLocked refuses an answer to an interaction that has a first answer already. It keeps the answer for [Server.Again].
func (x *exchange) secondLocked(c *incoming, target *Call, a Answer) reply {
	target.repeated = append(target.repeated, a)
	target.changed.fire()
	const again = "Interaction has already been acknowledged."
	if !target.unheard {
		return x.refuseLocked(c, http.StatusBadRequest, 40060, again)
	}
	target.unheard = c.unheard
	return apiError(http.StatusBadRequest, 40060, again)
}

// firstAnswerLocked returns the message that a first answer makes or changes, nil for none, and what the player sees.
func (x *exchange) firstAnswerLocked(c *incoming, target *Call, kind int, data json.RawMessage) (m *message, a Answer) {
	var b body
	var k checker
	switch kind {
	case callbackMessage:
		m = x.changedLocked(c, x.newAnswerLocked(target), data, false)
	case callbackUpdate:
		m = x.changedLocked(c, target.original, data, true)
	case callbackDeferUpdate:
		m = target.original
	default:
		if data != nil {
			k.read(data, &b)
		}
		switch kind {
		case callbackDefer:
			k.checkFlags(b.flags(), flagEphemeral|flagComponentsV2)
			m = x.newAnswerLocked(target)
			m.loading, m.Flags = true, m.Flags|b.flags()&flagEphemeral // Discord ignores the other one
		case callbackModal:
			k.size("custom_id", utf8.RuneCountInString(b.CustomID), 1, 100)
			k.size("title", utf8.RuneCountInString(b.Title), 1, 45)
			k.size("components", len(b.Components), 1, 5)
			k.checkLayout(atTopOfForm, b.Components)
			a.Content, a.Layout = TextOf(b.Components), b.Components
			a.Inputs = slices.DeleteFunc(slices.Clone(b.Components), func(c Component) bool { return c.Type != compLabel })
		}
		x.checkLocked(c, &k)
		a.Choices, a.CustomID, a.Title = b.Choices, b.CustomID, b.Title
	}
	if m != nil {
		a = m.shown()
	}
	return m, a
}

// newAnswerLocked returns an empty message that answers a call.
func (x *exchange) newAnswerLocked(c *Call) *message {
	m := x.newMessageLocked(typeAnswer, c.asked.Channel, appID)
	m.by = c.asked.ID
	if c.allPrivate {
		m.Flags = flagEphemeral
	}
	return m
}

// byTokenLocked finds the interaction whose token a call uses. The token is valid from the first answer on.
func (x *exchange) byTokenLocked(c *incoming) *Call {
	token := c.PathValue("token")
	target := x.calls[strings.TrimPrefix(token, tokenPrefix)]
	switch {
	case target == nil || target.asked.token != token || target.first == nil:
		x.refuseLocked(c, http.StatusNotFound, 10015, "Unknown Webhook")
	case c.at.Sub(target.began) > 15*time.Minute:
		// No violation: a bot may try and fall back.
		panic(apiError(http.StatusUnauthorized, 50027, "Invalid Webhook Token"))
	}
	return target
}

// followUpLocked takes a further message.
func (x *exchange) followUpLocked(c *incoming) reply {
	target := x.byTokenLocked(c)
	if target.original != nil && target.original.loading {
		// Discord would take the follow-up as the deferred answer.
		x.refuseLocked(c, http.StatusBadRequest, 0, "this bot edits what it has deferred")
	}
	m := x.changedLocked(c, x.newAnswerLocked(target), c.body, false)
	x.keepLocked(m)
	a := m.shown()
	target.followUps = append(target.followUps, a)
	target.showLocked(a)
	return ok(*m)
}

// answerLocked reads, edits or deletes the first answer (@original) or a follow-up.
func (x *exchange) answerLocked(c *incoming) reply {
	target := x.byTokenLocked(c)
	id := c.PathValue("message")
	m := x.messages[id]
	if o := target.original; o != nil && (id == "@original" || id == o.ID) && target.first.MessageID != "" {
		m = o
	} else if m != nil && m.by != target.asked.ID {
		m = nil
	}
	if m == nil || m.deleted {
		return x.unknownMessageLocked(c, m)
	}
	rep := x.doLocked(c, m)
	if c.Method == http.MethodPatch && rep.status == http.StatusOK && m == target.original {
		target.showLocked(m.shown())
	}
	return rep
}
