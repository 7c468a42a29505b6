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

// Render returns the answer that shows a reply. Anything of the reply that
// Discord would refuse is left out, and the error, which does not quote what
// players typed, says what.
func Render(r Result, w ResponseOptions, n *Names) (Answer, error) {
	reply := r.Reply
	a := Answer{audience: reply.Audience}
	var formErr error
	if reply.Form != nil && w.Modal {
		if m, err := renderModal(*reply.Form); err == nil {
			a.modal = &m
		} else {
			formErr = fmt.Errorf("form for %q: %w", reply.Form.Command, err)
		}
	}
	components, err := renderButtons(reply.Buttons, reply.Look)
	if err == nil && components != nil {
		reply.Lines = slices.DeleteFunc(slices.Clone(reply.Lines), func(l bot.Line) bool { return l.Typed })
	}
	a.Message = NewMessage(reply, n)
	if r.Picture != nil {
		a.Message.attach(r.Picture, reply.Lines, n)
	}
	a.Message.Components = components
	// An ephemeral reply must not replace a message that everybody sees.
	a.update = w.update && reply.InPlace && (reply.Audience == bot.Everyone || w.audience == bot.Asker)
	return a, errors.Join(formErr, err)
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
