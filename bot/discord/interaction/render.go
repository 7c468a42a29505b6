package interaction

import (
	"slices"

	"fivefold/bot"
)

// Result is a reply and its picture.
type Result struct {
	Reply   bot.Reply
	Picture *Picture // nil for none
}

// Render returns the message that shows a reply to the interaction with the id. It leaves out buttons that Discord would
// refuse, and logs them without what players typed.
func (d *Deliverer) Render(id string, r Result) Message {
	components, err := renderButtons(r.Reply.Buttons, r.Reply.Look)
	lines := r.Reply.Lines
	switch {
	case err != nil:
		d.Log.Error("could not show part of a reply", "id", id, "error", err)
	case components != nil:
		lines = slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return l.Typed })
	}
	w := writer{r.Reply.Look, d.Names}
	m := Message{Content: w.content(lines), Components: components, AllowedMentions: noMentions}
	if r.Reply.Audience != bot.Everyone {
		m.Flags = FlagEphemeral
	}
	if r.Picture != nil {
		rest := slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return l.Pictured })
		m.plainText, m.Content, m.Picture = m.Content, w.content(rest), r.Picture
		m = m.uploading()
	}
	return m
}
