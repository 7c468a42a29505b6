package discord

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// isPress reports whether something under a message was pressed or chosen, so
// that the answer may update that message.
func (i interaction) isPress() bool {
	return i.Type == discordgo.InteractionMessageComponent
}

// inPlace reports whether a reply takes the place of the message whose button
// was pressed. A private one must not where everybody sees that message.
func (i interaction) inPlace(r bot.Reply) bool {
	seenByAll := i.Message.Flags&flagEphemeral == 0
	return i.isPress() && r.InPlace && !(r.Private && seenByAll)
}

// pressed returns what a button asks for. It reports false for what asks for
// nothing that the commands know: a button of an earlier release, or a menu.
func (f *front) pressed(i interaction) (bot.Request, bool) {
	name, args, readable := readCustomID(i.Data.CustomID)
	command, known := f.find(name)
	if i.Data.ComponentType != componentButton || !readable || !known {
		return bot.Request{}, false
	}
	for name := range args {
		if !slices.ContainsFunc(command.Options, func(o bot.Option) bool { return o.Name == name }) && !slices.Contains(command.Carried, name) {
			return bot.Request{}, false
		}
	}
	r := i.request()
	r.Command, r.Args, r.Pressed = name, args, true
	return r, true
}

// first is the first answer that shows a reply.
func (a *answerer) first(i interaction, r bot.Reply) response {
	if i.inPlace(r) {
		return response{Type: typeUpdate, Data: a.update(i, r)}
	}
	return response{Type: typeMessage, Data: a.message(i, r)}
}

// afterPromise shows a reply where the first answer was a promise, which failed
// with promiseErr if that is not nil.
func (a *answerer) afterPromise(ctx context.Context, i interaction, r bot.Reply, promiseErr error) error {
	switch {
	case i.inPlace(r):
		return a.edit(ctx, i, a.update(i, r))
	case !i.isPress():
		m := a.message(i, r)
		m.Flags = 0 // fixed by the promise
		return a.edit(ctx, i, m)
	case isRefusal(promiseErr):
		// The same press was delivered before and has its answer, or the promise
		// came too late for any. An edit would only say the same again, but this
		// would be one message more.
		return nil
	}
	return a.follow(ctx, i, a.message(i, r))
}

// message draws a reply as a message of its own, or for an edit.
func (a *answerer) message(i interaction, r bot.Reply) message {
	m := newMessage(r)
	var err error
	if m.Components, err = drawButtons(r.Buttons); err != nil {
		a.log.Error("buttons were left out", "id", i.ID, "error", err)
	}
	return m
}

// update draws a reply that takes the place of a message. Who sees that message
// is fixed, and its buttons stay unless others, or none, are named.
func (a *answerer) update(i interaction, r bot.Reply) message {
	m := a.message(i, r)
	m.Flags = 0
	if m.Components == nil {
		m.Components = []row{}
	}
	return m
}
