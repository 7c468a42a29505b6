package interaction

import (
	"errors"
	"fmt"
	"slices"

	"fivefold/bot"
)

// Answer is a reply as Discord shows it.
type Answer struct {
	modal    *modal       // shown instead of the message unless Discord refuses it; nil for none
	Message  Message      // a new message, or the update of the one that the interaction came from
	update   bool         // which of the two
	audience bot.Audience // of the message
}

// Render returns the answer that shows a reply to the interaction with the id. Anything of the reply that
// Discord would refuse is left out, which is logged, without what players typed.
func (d *Deliverer) Render(id string, r Result, o ResponseOptions) Answer {
	reply := r.Reply
	a := Answer{audience: reply.Audience}
	var formErr error
	if reply.Form != nil && o.Modal {
		if m, err := renderModal(*reply.Form); err == nil {
			a.modal = &m
		} else {
			formErr = fmt.Errorf("form for %q: %w", reply.Form.Command, err)
		}
	}
	components, err := renderButtons(reply.Buttons, reply.Look)
	lines := reply.Lines
	if err == nil && components != nil {
		lines = slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return l.Typed })
	}
	w := writer{reply.Look, d.Names}
	m := Message{Content: w.content(lines), Components: components, AllowedMentions: noMentions}
	if reply.Audience != bot.Everyone {
		m.Flags = FlagEphemeral
	}
	if r.Picture != nil {
		rest := slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return l.Pictured })
		m.plainText, m.Content, m.Picture = m.Content, w.content(rest), r.Picture
		m = m.uploading()
	}
	a.Message = m
	// An ephemeral reply must not replace a message that everybody sees.
	a.update = o.update && reply.InPlace && (reply.Audience == bot.Everyone || o.audience == bot.Asker)
	if err := errors.Join(formErr, err); err != nil {
		d.Log.Error("could not show part of a reply", "id", id, "error", err)
	}
	return a
}

// Result is a reply and its picture.
type Result struct {
	Reply   bot.Reply
	Picture *Picture // nil if the reply has none, or none that can be shown
}

// ResponseOptions says how an interaction can be answered other than with a new message.
type ResponseOptions struct {
	Modal    bool         // with a modal
	update   bool         // by updating the message that the interaction came from
	audience bot.Audience // who sees that message
}
