package discord

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"fivefold/bot"
)

// callTimeout bounds one call to Discord with its retries.
const callTimeout = 10 * time.Second

// deliverer sends answers, each as Discord's rules want it. The functions are
// those of [rest].
type deliverer struct {
	respond        func(context.Context, interaction, response) error // sends the first response, with retries while Discord accepts one
	edit           func(context.Context, interaction, message) error  // edits that response, or the message that was to be updated
	followUp       func(context.Context, interaction, message) error  // sends another message
	deleteResponse func(context.Context, interaction) error           // deletes the first response
	// Those of boards. The first three return the new message's id, empty if it is not known.
	respondNew  func(context.Context, interaction, response) (id string, err error) // as respond, by a new message
	followUpNew func(context.Context, interaction, message) (id string, err error)  // as followUp
	postByBot   func(ctx context.Context, channel string, m message) (id string, err error)
	editByToken func(ctx context.Context, app, token, target string, m message) error
	idByToken   func(ctx context.Context, app, token, target string) (id string, err error)
	editByBot   func(ctx context.Context, channel, id string, m message) error
	log         *slog.Logger
}

// deferral is a deferred response that was sent.
type deferral struct {
	update   bool         // it announced an update of a message, not a new message
	audience bot.Audience // who sees that new message; undecided means only the player
	refused  bool         // Discord refused it
}

// deferResponse sends Discord a deferred response: the answer will take a while.
// It fixes who sees that answer, unless the interaction came from a message: only
// the player, if the audience is not everyone.
func (d *deliverer) deferResponse(i interaction, audience bot.Audience) *deferral {
	sent := deferral{audience: audience}
	r := deferredMessage(audience)
	if i.fromMessage() {
		sent = deferral{update: true}
		r = response{Type: typeDeferredUpdate}
	}
	err := d.send(i, "deferred response", func(ctx context.Context) error { return d.respond(ctx, i, r) })
	sent.refused = isRefused(err)
	return &sent
}

// deliver sends an answer as the first response, or after a deferred one unless
// deferred is nil.
//
// A first response that fails in the time that Discord allows is lost. The game has
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
		if !isContentRefused(err) {
			return
		}
	}
	kind, m := typeMessage, a.message
	if a.update {
		kind, m = typeUpdate, m.asEdit()
	}
	d.sendMessage(i, "first response", m, func(ctx context.Context, m message) error {
		return d.respond(ctx, i, response{kind, m})
	})
}

// afterDeferral sends an answer after a deferred response.
func (d *deliverer) afterDeferral(i interaction, a answer, deferred deferral) {
	isNew := deferred.update || deferred.audience != bot.Everyone && a.audience == bot.Everyone
	switch {
	case a.update, !isNew:
		d.sendEdit(i, a.message)
	case deferred.refused:
		// Either Discord delivered the interaction twice and the other delivery is
		// being answered, or the deferred response came too late. An edit would do no
		// harm then, but a new message would be one too many.
	case deferred.update:
		d.sendFollowUp(i, a.message)
	default:
		d.publish(i, a, func() error { return d.sendFollowUp(i, a.message) })
	}
}

// post answers with a new message that everybody sees, as deliver does, and returns it. After
// an error there is none, but the player may have got the answer as a private message.
func (d *deliverer) post(i interaction, m message, deferred *deferral) (boardMessage, error) {
	at := boardMessage{app: i.AppID, token: i.Token, target: original, until: i.tokenEnd()}
	followUp := func() error {
		return d.sendMessage(i, "follow-up", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.followUpNew(ctx, i, m)
			at.target = at.id
			return err
		})
	}
	var err error
	switch {
	case deferred == nil:
		err = d.sendMessage(i, "first response", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.respondNew(ctx, i, response{typeMessage, m})
			return err
		})
		at.exchange, at.interaction = i.exchange, i.ID
	case deferred.refused:
		err = errRefused
	case deferred.update:
		err = followUp()
	case deferred.audience == bot.Everyone:
		err = d.sendEdit(i, m)
	default:
		err = d.publish(i, answer{message: m, moved: newMessage(bot.ShownBelow(), nil)}, followUp)
	}
	return at, err
}

// errRefused means that Discord refused the deferred response, so that there is nothing to
// answer any more.
var errRefused = errors.New("the deferred response was refused")

// publish shows a message to everybody after an ephemeral deferred response. The
// first message after that response takes its place and is ephemeral too, so it
// only points to the real one, and is deleted afterwards; if that fails, it stays.
// If the message cannot be shown to everybody, at least the player gets it.
func (d *deliverer) publish(i interaction, a answer, followUp func() error) error {
	moved := d.sendEdit(i, a.moved)
	if err := followUp(); err != nil {
		d.sendEdit(i, a.message)
		return err
	}
	if moved == nil { // otherwise the follow-up may have taken that place
		d.send(i, "deletion", func(ctx context.Context) error { return d.deleteResponse(ctx, i) })
	}
	return nil
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

func (d *deliverer) sendFollowUp(i interaction, m message) error {
	return d.sendMessage(i, "follow-up", m, func(ctx context.Context, m message) error { return d.followUp(ctx, i, m) })
}

// sendMessage sends a message, and sends it again as text alone if Discord
// refuses its picture. It logs the error that it returns.
func (d *deliverer) sendMessage(i interaction, what string, m message, call func(context.Context, message) error) error {
	return d.send(i, what, func(ctx context.Context) error {
		err := call(ctx, m)
		if m.picture == nil || !isContentRefused(err) {
			return err
		}
		d.log.Error("a picture was refused", "id", i.ID, "error", err)
		return call(ctx, m.withoutPicture())
	})
}

// send makes a call with a timeout of its own: an answer must go out even when
// the handler's time is up. It logs the error that it returns.
func (d *deliverer) send(i interaction, what string, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	err := call(ctx)
	if err != nil {
		d.log.Warn("an answer was not delivered", "id", i.ID, "what", what, "error", err)
	}
	return err
}
