package discord

import (
	"errors"
	"fmt"
	"slices"

	"fivefold/bot"
)

// answer is a reply as Discord shows it.
type answer struct {
	modal    *modal       // shown instead of the message unless Discord refuses it; nil for none
	message  message      // a new message, or the update of the one that the interaction came from
	update   bool         // which of the two
	audience bot.Audience // of the message
	moved    message      // points to the message where it cannot be shown in the expected place
}

// render returns the answer that shows a reply. Anything of the reply that
// Discord would refuse is left out, and the error, which does not quote what
// players typed, says what.
func render(r result, w responseOptions, n *names) (answer, error) {
	reply := r.reply
	a := answer{audience: reply.Audience}
	var formErr error
	if reply.Form != nil && w.modal {
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
	a.message = newMessage(reply, n)
	if r.picture != nil {
		a.message.attach(r.picture, reply.Lines, n)
	}
	a.message.Components = components
	// An ephemeral reply must not replace a message that everybody sees.
	a.update = w.update && reply.InPlace && (reply.Audience == bot.Everyone || w.audience == bot.Asker)
	a.moved = newMessage(bot.ShownBelow(), n)
	return a, errors.Join(formErr, err)
}

// result is a reply and its picture.
type result struct {
	reply   bot.Reply
	picture *picture // nil if the reply has none, or none that can be shown
}

// responseOptions says how an interaction can be answered other than with a new message.
type responseOptions struct {
	modal    bool         // with a modal
	update   bool         // by updating the message that the interaction came from
	audience bot.Audience // who sees that message
}
