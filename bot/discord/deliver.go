package discord

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// deliverer sends answers, each as Discord's rules want it. The functions are
// those of [rest].
type deliverer struct {
	respond        func(context.Context, interaction, response) error // sends the first response, with retries while Discord accepts one
	edit           func(context.Context, interaction, message) error  // edits that response, or the message that was to be updated
	deleteResponse func(context.Context, interaction) error           // deletes the first response
	// These return the new message's id, empty if it is not known.
	respondNew func(context.Context, interaction, response) (id string, err error) // as respond, by a new message
	followUp   func(context.Context, interaction, message) (id string, err error)  // sends another message
	postByBot  func(ctx context.Context, channel string, m message) (id string, err error)
	// Those of boards.
	editByToken func(ctx context.Context, app, token, target string, m message) error
	idByToken   func(ctx context.Context, app, token, target string) (id string, err error)
	editByBot   func(ctx context.Context, channel, id string, m message) error
	botEditWait func(channel string, more int) time.Duration
	timeout     time.Duration // of one call to Discord with its retries
	log         *slog.Logger
}

// deferral is a deferred response that was sent.
type deferral struct {
	update   bool         // it announced an update of an ephemeral message, not a new message
	audience bot.Audience // who sees that new message; undecided means only the player
	refused  bool         // Discord refused it
}

// deferResponse sends Discord a deferred response: the answer to a command will take a
// while. It fixes who sees that answer: only the player, if the audience of the command is
// not everyone.
//
// A component may change what everybody sees or be refused, and after a deferred update a
// refusal could only be a follow-up. So the response announces a message for the player
// alone, unless the component belongs to such a message and the command updates it.
func (d *deliverer) deferResponse(i interaction, c bot.Command) *deferral {
	sent := deferral{audience: c.Audience}
	if i.fromMessage() {
		sent = deferral{update: i.Message.Flags&flagEphemeral != 0 && !c.NewMessage, audience: bot.Asker}
	}
	r := deferredMessage(sent.audience)
	if sent.update {
		r = response{Type: typeDeferredUpdate}
	}
	err := d.send(i, "deferred response", func(ctx context.Context) error { return d.respond(ctx, i, r) })
	sent.refused = calls.IsRefused(err)
	return &sent
}

// deliver sends an answer: as the first response if deferred is nil, otherwise after that
// deferred one.
//
// A first response that cannot be sent in the time that Discord allows is lost. The game has
// moved on all the same; the board command shows it.
func (d *deliverer) deliver(i interaction, a answer, deferred *deferral) {
	if deferred != nil {
		d.afterDeferral(i, a, *deferred)
		return
	}
	if a.modal != nil {
		err := d.send(i, "modal", func(ctx context.Context) error {
			return d.respond(ctx, i, response{typeModal, *a.modal})
		})
		if !calls.IsContentRefused(err) {
			return
		}
	}
	kind, m := typeMessage, a.message
	if a.update {
		kind, m = typeUpdate, m.asEdit().keeping(i.file())
	}
	d.sendMessage(i, "first response", m, func(ctx context.Context, m message) error {
		return d.respond(ctx, i, response{kind, m})
	})
}

// afterDeferral sends an answer after a deferred response.
func (d *deliverer) afterDeferral(i interaction, a answer, deferred deferral) {
	forAll := a.audience == bot.Everyone && !i.context().AskerOnly
	switch {
	case deferred.update && a.update:
		d.sendEdit(i, a.message.keeping(i.file()))
	case !deferred.update && (deferred.audience == bot.Everyone || !forAll):
		d.sendEdit(i, a.message)
	case deferred.refused:
		// Either Discord delivered the interaction twice and the other delivery is being
		// answered, or the deferred response came too late. The edits above do no harm then,
		// but a new message would be one too many.
	case forAll:
		d.publish(i, a.message, a.moved, deferred)
	default:
		d.sendNotice(i, a.message)
	}
}

// sendNotice shows a message for the player alone, such as a refusal, after a deferred update
// of an ephemeral message: its text is put above what that message showed before, and the
// buttons stay if it has none itself. With a picture, or if it is too long, it replaces all.
func (d *deliverer) sendNotice(i interaction, m message) {
	if whole := m.Content + "\n" + i.Message.Content; m.picture == nil && units(whole) <= maxContent {
		if strings.HasPrefix(i.Message.Content, m.Content) { // the player has tried again
			whole = i.Message.Content
		}
		m.Content, m.Flags = whole, 0
		d.send(i, "edit", func(ctx context.Context) error { return d.edit(ctx, i, m) })
		return
	}
	d.sendEdit(i, m)
}

// post answers with a new message that everybody sees, as deliver does, and returns it. After
// an error there is no such message, but the player may have got the answer privately.
func (d *deliverer) post(i interaction, m message, deferred *deferral) (at boardMessage, err error) {
	switch {
	case deferred == nil:
		at = boardMessage{app: i.AppID, token: i.Token, target: calls.Original, until: i.tokenEnd()}
		err = d.sendMessage(i, "first response", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.respondNew(ctx, i, response{typeMessage, m})
			return err
		})
		at.exchange, at.interaction = i.exchange, i.ID
	case deferred.refused:
		err = errRefused
	case !deferred.update && deferred.audience == bot.Everyone:
		at = boardMessage{app: i.AppID, token: i.Token, target: calls.Original, until: i.tokenEnd()}
		err = d.sendEdit(i, m)
	default:
		at, err = d.publish(i, m, newMessage(bot.ShownBelow(), nil), *deferred)
	}
	return at, err
}

// errRefused means that Discord refused the deferred response, so that there is nothing to
// answer any more.
var errRefused = errors.New("the deferred response was refused")

// publish shows a message to everybody after an ephemeral deferred response, or
// after a deferred update, which changes nothing then.
//
// What a component asked for is posted by the bot in the channel if it may: Discord limits how
// many components are answered by follow-ups. The first follow-up after an ephemeral deferred
// response would take its place and be ephemeral too; so the response is edited before that, to
// point to the real message, and deleted afterwards. If the message cannot be shown to everybody,
// at least the player gets it.
func (d *deliverer) publish(i interaction, m, moved message, deferred deferral) (boardMessage, error) {
	var at boardMessage
	if i.fromMessage() && i.botMay().Post {
		err := d.sendMessage(i, "message", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.postByBot(ctx, i.ChannelID, m)
			return err
		})
		if err == nil {
			d.deleteDeferred(i, deferred)
			return at, nil
		}
	}
	unsure := error(nil) // if not nil, the follow-up may take the place of the response
	if !deferred.update {
		unsure = d.sendEdit(i, moved)
	}
	at = boardMessage{app: i.AppID, token: i.Token, until: i.tokenEnd()}
	err := d.sendMessage(i, "follow-up", m, func(ctx context.Context, m message) (err error) {
		at.id, err = d.followUp(ctx, i, m)
		at.target = at.id
		return err
	})
	switch {
	case err != nil && !deferred.update:
		d.sendEdit(i, m)
	case err == nil && unsure == nil:
		d.deleteDeferred(i, deferred)
	}
	return at, err
}

// deleteDeferred deletes the message that a deferred response has announced, if any.
func (d *deliverer) deleteDeferred(i interaction, deferred deferral) {
	if !deferred.update && !deferred.refused {
		d.send(i, "deletion", func(ctx context.Context) error { return d.deleteResponse(ctx, i) })
	}
}

// autocomplete sends choices for an option.
func (d *deliverer) autocomplete(i interaction, choices []bot.Choice) {
	d.send(i, "choices", func(ctx context.Context) error { return d.respond(ctx, i, choicesResponse(choices)) })
}

// sendEdit edits the first response, or the message that the interaction came
// from.
func (d *deliverer) sendEdit(i interaction, m message) error {
	return d.sendMessage(i, "edit", m.asEdit(), func(ctx context.Context, m message) error { return d.edit(ctx, i, m) })
}

// sendMessage sends a message, and sends it again if Discord refuses its picture:
// see [message.try]. It logs the error that it returns.
func (d *deliverer) sendMessage(i interaction, what string, m message, call func(context.Context, message) error) error {
	return d.send(i, what, func(ctx context.Context) error {
		return m.try(func(m message) error { return call(ctx, m) }, func(err error) {
			d.log.Error("could not send a picture", "id", i.ID, "error", err)
		})
	})
}

// send makes a call with a timeout of its own: an answer must go out even when
// the handler's time is up. It logs the error that it returns.
func (d *deliverer) send(i interaction, what string, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	err := call(ctx)
	if err != nil {
		d.log.Warn("could not deliver an answer", "id", i.ID, "what", what, "error", err)
	}
	return err
}
