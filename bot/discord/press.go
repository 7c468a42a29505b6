package discord

import (
	"slices"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// isPress reports whether something under a message was pressed or chosen, or a
// form sent that was opened so: then the answer may update that message.
func (i interaction) isPress() bool {
	return i.Type == discordgo.InteractionMessageComponent || i.Type == discordgo.InteractionModalSubmit && i.Message.ID != ""
}

// inPlace reports whether a reply takes the place of the message whose button
// was pressed. A private one must not where everybody sees that message.
func (i interaction) inPlace(r bot.Reply) bool {
	seenByAll := i.Message.Flags&flagEphemeral == 0
	return i.isPress() && r.InPlace && !(r.Audience == bot.Asker && seenByAll)
}

// pressed returns what a button, or a form that was sent, asks for. It reports
// false for what asks for nothing that the commands know: a button of an earlier
// release, or a menu.
func (f *front) pressed(i interaction) (bot.Request, bool) {
	name, args, readable := readCustomID(i.Data.CustomID)
	command, known := f.find(name)
	if !readable || !known {
		return bot.Request{}, false
	}
	if i.Type == discordgo.InteractionModalSubmit {
		if !readFields(i.Data.Components, args) {
			return bot.Request{}, false
		}
	} else if i.Data.ComponentType != componentButton {
		return bot.Request{}, false
	}
	for name := range args {
		if !slices.ContainsFunc(command.Options, func(o bot.Option) bool { return o.Name == name }) && !slices.Contains(command.Hidden, name) {
			return bot.Request{}, false
		}
	}
	r := i.request()
	r.Command, r.Args, r.Pressed = name, args, true
	return r, true
}

// first is the first answer that shows a reply in a message, with its picture
// unless that is nil.
func (a *answerer) first(i interaction, r bot.Reply, p *picture) (kind int, m message) {
	if i.inPlace(r) {
		return typeUpdate, a.update(i, r, p)
	}
	return typeMessage, a.message(i, r, p)
}

// message draws a reply as a message of its own, with its picture unless that is
// nil.
func (a *answerer) message(i interaction, r bot.Reply, p *picture) message {
	m := newMessage(r)
	m.show(p, r)
	var err error
	if m.Components, err = drawButtons(r.Buttons); err != nil {
		a.log.Error("buttons were left out", "id", i.ID, "error", err)
	}
	return m
}

// update draws a reply that takes the place of a message. Who sees that message
// is fixed, and its buttons and picture stay unless others, or none, are named.
func (a *answerer) update(i interaction, r bot.Reply, p *picture) message {
	m := a.message(i, r, p)
	m.Flags = 0
	if m.Components == nil {
		m.Components = []row{}
	}
	if m.Attachments == nil {
		m.Attachments = []attachment{}
	}
	return m
}
