package discord

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
)

// deliverer sends answers, each as Discord's rules want it. Where it returns the error of an answer,
// that is of the call that was to show it last: the player has got it if that is nil.
type deliverer struct {
	*calls.Client
	accepted time.Duration // how long Discord accepts a first response, from the arrival of the interaction
	timeout  time.Duration // of one call to Discord with its retries
	log      *slog.Logger
}

// respond sends an interaction's first response, again and again as long as Discord
// accepts one.
//
// An interaction that came by HTTP is answered by the HTTP response. If that cannot be
// written, the response is sent as for one from the gateway. It is not documented that Discord
// takes it then; if it does not, nothing is lost that was not lost before.
func (d *deliverer) respond(ctx context.Context, i interaction, r response) error {
	if i.exchange != nil {
		if err := exchanged(ctx, i, r); !errors.Is(err, endpoint.ErrCut) {
			return err
		}
	}
	return d.Respond(ctx, i.ID, i.Token, d.until(i), i.exchange != nil && i.exchange.Unsure(), r)
}

// respondNew is respond for a new message, and returns its id; empty if Discord did not
// say, as after an HTTP response.
func (d *deliverer) respondNew(ctx context.Context, i interaction, r response) (string, error) {
	if i.exchange != nil {
		if err := exchanged(ctx, i, r); !errors.Is(err, endpoint.ErrCut) {
			return "", err
		}
	}
	return d.RespondNew(ctx, i.ID, i.Token, d.until(i), i.exchange != nil && i.exchange.Unsure(), r)
}

// exchanged sends the first response by the request of the interaction.
func exchanged(ctx context.Context, i interaction, r response) error {
	body, contentType, err := calls.Encode(r)
	if err != nil {
		return err
	}
	return i.exchange.Respond(ctx, body, contentType)
}

// settle waits until Discord has the first response, so that it can be edited.
func (i interaction) settle(ctx context.Context) error {
	if i.exchange == nil {
		return nil
	}
	return i.exchange.Settle(ctx)
}

// until is when Discord takes no first response any more.
func (d *deliverer) until(i interaction) time.Time {
	received := i.received
	if received.IsZero() {
		received = time.Now()
	}
	return received.Add(d.accepted)
}

// edit replaces the first response by a message, with retries.
func (d *deliverer) edit(ctx context.Context, i interaction, m message) error {
	if err := i.settle(ctx); err != nil {
		return err
	}
	return d.EditByToken(ctx, i.AppID, i.Token, calls.Original, m)
}

// followUp sends another message, with retries, and returns its id.
func (d *deliverer) followUp(ctx context.Context, i interaction, m message) (id string, err error) {
	if err := i.settle(ctx); err != nil {
		return "", err
	}
	return d.FollowUp(ctx, i.AppID, i.Token, m)
}

// deleteResponse deletes the first response, with retries.
func (d *deliverer) deleteResponse(ctx context.Context, i interaction) error {
	if err := i.settle(ctx); err != nil {
		return err
	}
	return d.DeleteResponse(ctx, i.AppID, i.Token)
}

// posted is a message that answers an interaction, and how it can be edited.
type posted struct {
	id     string // empty if it is not known
	app    string
	token  string    // of an interaction that was answered by the message; empty for none
	target string    // what the message is called with that token
	until  time.Time // when the token ends
	// exchange is that of the interaction whose token it is; nil if it came over the gateway.
	// After an HTTP response the id is not known at first, only that it is later than that of the
	// interaction.
	exchange    *endpoint.Exchange
	interaction string
}

// settle waits until Discord has the message, so that it can be edited by the token.
func (at *posted) settle(ctx context.Context) error {
	if at.exchange == nil {
		return nil
	}
	return at.exchange.Settle(ctx)
}

// hasToken reports whether the message can be edited by a token.
func (at *posted) hasToken() bool { return at.token != "" && time.Now().Before(at.until) }

// deferral is a deferred response that was sent.
type deferral struct {
	update   bool         // it announced an update of an ephemeral message, not a new message
	audience bot.Audience // who sees that new message; undecided means only the player
	err      error        // of sending it
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
	sent.err = d.send(i, "deferred response", func(ctx context.Context) error { return d.respond(ctx, i, r) })
	sent.refused = calls.IsRefused(sent.err)
	return &sent
}

// deliver sends an answer: as the first response if deferred is nil, otherwise after that
// deferred one.
//
// A first response that cannot be sent in the time that Discord allows is lost. The game has
// moved on all the same; the board command shows it.
func (d *deliverer) deliver(i interaction, a answer, deferred *deferral) error {
	if deferred != nil {
		return d.afterDeferral(i, a, *deferred)
	}
	if a.modal != nil {
		err := d.send(i, "modal", func(ctx context.Context) error {
			return d.respond(ctx, i, response{typeModal, *a.modal})
		})
		if !calls.IsContentRefused(err) {
			return err
		}
	}
	kind, m := typeMessage, a.message
	if a.update {
		kind, m = typeUpdate, m.asEdit().keeping(i.file())
	}
	return d.sendMessage(i, "first response", m, func(ctx context.Context, m message) error {
		return d.respond(ctx, i, response{kind, m})
	})
}

// afterDeferral sends an answer after a deferred response.
func (d *deliverer) afterDeferral(i interaction, a answer, deferred deferral) error {
	forAll := a.audience == bot.Everyone && !i.context().AskerOnly
	switch {
	case deferred.update && a.update:
		return d.sendEdit(i, a.message.keeping(i.file()))
	case !deferred.update && (deferred.audience == bot.Everyone || !forAll):
		return d.sendEdit(i, a.message)
	case deferred.refused:
		// Either Discord delivered the interaction twice and the other delivery is being
		// answered, or the deferred response came too late. The edits above do no harm then,
		// but a new message would be one too many.
		return deferred.err
	case forAll:
		_, _, err := d.publish(i, a.message, a.moved, deferred)
		return err
	}
	return d.sendNotice(i, a.message)
}

// sendNotice shows a message for the player alone, such as a refusal, after a deferred update
// of an ephemeral message: its text is put above what that message showed before, and the
// buttons stay if it has none itself. With a picture, or if it is too long, it replaces all.
func (d *deliverer) sendNotice(i interaction, m message) error {
	if whole := m.Content + "\n" + i.Message.Content; m.picture == nil && units(whole) <= maxContent {
		if strings.HasPrefix(i.Message.Content, m.Content) { // the player has tried again
			whole = i.Message.Content
		}
		m.Content, m.Flags = whole, 0
		return d.send(i, "edit", func(ctx context.Context) error { return d.edit(ctx, i, m) })
	}
	return d.sendEdit(i, m)
}

// post answers with a new message that everybody sees, as deliver does. If ok is false, there is
// no such message, but without an error the player has got the answer privately.
func (d *deliverer) post(i interaction, m message, deferred *deferral) (at posted, ok bool, err error) {
	switch {
	case deferred == nil:
		at = posted{app: i.AppID, token: i.Token, target: calls.Original, until: i.tokenEnd(), exchange: i.exchange, interaction: i.ID}
		err = d.sendMessage(i, "first response", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.respondNew(ctx, i, response{typeMessage, m})
			return err
		})
	case deferred.refused: // there is nothing to answer any more
		err = deferred.err
	case !deferred.update && deferred.audience == bot.Everyone:
		at = posted{app: i.AppID, token: i.Token, target: calls.Original, until: i.tokenEnd()}
		err = d.sendEdit(i, m)
	default:
		return d.publish(i, m, newMessage(bot.ShownBelow(), nil), *deferred)
	}
	return at, err == nil, err
}

// publish shows a message to everybody after an ephemeral deferred response, or
// after a deferred update, which changes nothing then.
//
// What a component asked for is posted by the bot in the channel if it may: Discord limits how
// many components are answered by follow-ups. The first follow-up after an ephemeral deferred
// response would take its place and be ephemeral too; so the response is edited before that, to
// point to the real message, and deleted afterwards. If the message cannot be shown to everybody,
// at least the player gets it.
func (d *deliverer) publish(i interaction, m, moved message, deferred deferral) (at posted, ok bool, err error) {
	if i.fromMessage() && i.botMay().Post {
		err := d.sendMessage(i, "message", m, func(ctx context.Context, m message) (err error) {
			at.id, err = d.Post(ctx, i.ChannelID, m)
			return err
		})
		if err == nil {
			d.deleteDeferred(i, deferred)
			return at, true, nil
		}
	}
	unsure := error(nil) // if not nil, the follow-up may take the place of the response
	if !deferred.update {
		unsure = d.sendEdit(i, moved)
	}
	at = posted{app: i.AppID, token: i.Token, until: i.tokenEnd()}
	err = d.sendMessage(i, "follow-up", m, func(ctx context.Context, m message) (err error) {
		at.id, err = d.followUp(ctx, i, m)
		at.target = at.id
		return err
	})
	ok = err == nil
	switch {
	case !ok && !deferred.update:
		err = d.sendEdit(i, m)
	case ok && unsure == nil:
		d.deleteDeferred(i, deferred)
	}
	return at, ok, err
}

// deleteDeferred deletes the message that a deferred response has announced, if any.
func (d *deliverer) deleteDeferred(i interaction, deferred deferral) {
	if !deferred.update && !deferred.refused {
		d.send(i, "deletion", func(ctx context.Context) error { return d.deleteResponse(ctx, i) })
	}
}

// autocomplete sends choices for an option.
func (d *deliverer) autocomplete(i interaction, choices []bot.Choice) error {
	return d.send(i, "choices", func(ctx context.Context) error { return d.respond(ctx, i, choicesResponse(choices)) })
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
