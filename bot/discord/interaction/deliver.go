package interaction

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/solver/parallel"
)

// Deliverer turns replies into answers and sends them as Discord's rules want it. A returned error is that of the last
// attempt to show the answer. Without an error, the player has got the answer.
type Deliverer struct {
	Calls    *calls.Client
	Accepted time.Duration     // how long Discord accepts a first response, from the arrival of the interaction
	Timeout  time.Duration     // of one call to Discord with its retries
	Drawing  time.Duration     // how long drawing a board's picture may take if the answer came without it
	Permits  *parallel.Permits // for pictures; nil sets no limit
	Names    *Names
	Log      *slog.Logger
}

// Route is how an answer is sent.
type Route struct {
	name  string                            // in the log
	first discordgo.InteractionResponseType // the type of a first response; 0 for any other message
}

// The routes of first responses, and then of other messages.
var (
	asResponse  = Route{"first response", discordgo.InteractionResponseChannelMessageWithSource}
	asPosted    = Route{"posted response", discordgo.InteractionResponseChannelMessageWithSource} // a first response whose id is asked for
	asModal     = Route{"modal", discordgo.InteractionResponseModal}
	asChoices   = Route{"choices", discordgo.InteractionApplicationCommandAutocompleteResult}
	asDeferred  = Route{"deferred response", discordgo.InteractionResponseDeferredChannelMessageWithSource}
	AsUpdate    = Route{"update", discordgo.InteractionResponseUpdateMessage}                  // replaces the message of the component that was used
	Acknowledge = Route{"deferred update", discordgo.InteractionResponseDeferredMessageUpdate} // shows nothing

	AsEdit     = Route{"edit", 0} // edits the first response, or the message that the interaction came from
	asFollowUp = Route{"follow-up", 0}
	asPost     = Route{"message", 0} // posted by the bot in the channel
)

// Send sends a message or another kind of first response by a route. It sends a message again if Discord refuses its
// picture. It has a timeout of its own: an answer must go out even when the handler's time is up. It returns the id of a
// posted message, empty if Discord did not say, as after an HTTP response. It logs the error that it returns.
//
// An interaction that came by HTTP is answered by the HTTP response. If that cannot be written, the response is sent as for
// one from the gateway. Discord does not document that it takes such a response. If it does not, the answer was lost anyway.
func (d *Deliverer) Send(i Interaction, by Route, body any) (id string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), d.Timeout)
	defer cancel()
	for again := true; again; {
		switch by {
		case AsEdit:
			if err = i.Exchange.Settle(ctx); err == nil {
				err = d.Calls.EditByToken(ctx, i.AppID, i.Token, calls.Original, body)
			}
		case asFollowUp:
			if err = i.Exchange.Settle(ctx); err == nil {
				id, err = d.Calls.FollowUp(ctx, i.AppID, i.Token, body)
			}
		case asPost:
			id, err = d.Calls.Post(ctx, i.ChannelID, body)
		default:
			first, unsure := Response{by.first, body}, false
			if i.Exchange != nil {
				var sent bool
				if sent, unsure = i.Exchange.Respond(first); sent {
					return "", nil
				}
			}
			id, err = d.Calls.Respond(ctx, i.ID, i.Token, i.Received.Add(d.Accepted), unsure, first, by == asPosted)
		}
		m, _ := body.(Message)
		body, again = m.Plainer(err, d.Log, i.ID)
	}
	if err != nil {
		d.Log.Warn("could not deliver an answer", "id", i.ID, "what", by.name, "error", err)
	}
	return id, err
}

// IsShown reports whether the message of a component shows the reply, with its picture if the message has one.
func (d *Deliverer) IsShown(i Interaction, r bot.Reply) bool {
	result := Result{Reply: r}
	if p, f := r.Picture(), i.File(); p != nil && f.ID != "" {
		if result.Picture = (&Picture{Name: p.Name, Alt: p.Alt}); !f.Shows(result.Picture) {
			return false
		}
	}
	return Text(d.Render(i.ID, result).Components) == Text(i.Message.Components)
}

// Posted is a message that answers an interaction, with the token that can edit it.
type Posted struct {
	ID     string // empty if unknown
	App    string
	Token  string    // of an interaction that was answered by the message; empty for none
	Target string    // the message's name in calls with that token
	Until  time.Time // when the token ends
	// Exchange is that of the interaction with this token; nil if that came over the gateway.
	Exchange *endpoint.Exchange
}

// HasToken reports whether the message can be edited by a token.
func (at *Posted) HasToken() bool { return at.Token != "" && time.Now().Before(at.Until) }

// Deferral is a deferred response that was sent.
type Deferral struct {
	update   bool         // it announced an update of an ephemeral message, not a new message
	audience bot.Audience // who sees that new message; undecided means only the player
	Err      error        // of sending it
	refused  bool         // Discord refused it
}

// DeferResponse sends a deferred response: the answer to a command will take a while. It fixes who sees the answer: everyone
// if that is the command's audience, otherwise only the player.
//
// The command of a component may change a public message or be refused. After a deferred update a refusal could only be a
// follow-up. So the response announces a message for the player alone. One case differs: if the component is on such a
// message and the command updates it, the response announces the update.
func (d *Deliverer) DeferResponse(i Interaction, c bot.Command) (sent *Deferral) {
	sent = &Deferral{audience: c.Audience}
	defer bot.LogPanic(d.Log, i.ID)
	if i.FromMessage() {
		sent = &Deferral{update: i.Message.Flags&FlagEphemeral != 0 && !c.NewMessage, audience: bot.Asker}
	}
	switch {
	case sent.update:
		_, sent.Err = d.Send(i, Acknowledge, nil)
	case sent.audience == bot.Everyone:
		_, sent.Err = d.Send(i, asDeferred, nil)
	default:
		_, sent.Err = d.Send(i, asDeferred, flags{FlagEphemeral})
	}
	sent.refused = calls.IsRefused(sent.Err)
	return sent
}

// Deliver sends the answer that shows a reply: as the first response, or after deferred if that is not nil. If the answer is
// a new message for everyone, Deliver returns where that is, otherwise nil.
//
// A first response that cannot be sent in Discord's time is lost. The game has moved on all the same; the board command shows
// it.
func (d *Deliverer) Deliver(i Interaction, r Result, deferred *Deferral) (*Posted, error) {
	m := d.Render(i.ID, r)
	forAll := r.Reply.Audience == bot.Everyone
	// An ephemeral reply must not replace a message that everybody sees.
	update := i.FromMessage() && r.Reply.InPlace && (forAll || i.Message.Flags&FlagEphemeral != 0)
	if deferred != nil {
		return d.afterDeferral(i, m, update, forAll && !i.BotContext().AskerOnly, *deferred)
	}
	if form := r.Reply.Form; form != nil && i.TakesModal() {
		shown, err := renderModal(*form, writer{r.Reply.Look, d.Names, r.Reply.Names})
		if err == nil {
			if _, err = d.Send(i, asModal, shown); !calls.IsContentRefused(err) {
				return nil, err
			}
		} else {
			d.Log.Error("could not show a form", "id", i.ID, "command", form.Command, "error", err)
		}
	}
	switch {
	case update:
		_, err := d.Send(i, AsUpdate, m.AsEdit().Keeping(i.File()))
		return nil, err
	case forAll && r.Reply.Board != nil:
		return d.posted(i, asPosted, m)
	}
	_, err := d.Send(i, asResponse, m)
	return nil, err
}

// posted sends a message for everyone as the original response, and returns where it is.
func (d *Deliverer) posted(i Interaction, by Route, m Message) (at *Posted, err error) {
	at = &Posted{App: i.AppID, Token: i.Token, Target: calls.Original, Until: i.TokenEnd()}
	if by == asPosted {
		at.Exchange = i.Exchange
	}
	if at.ID, err = d.Send(i, by, m); err != nil {
		return nil, err
	}
	return at, nil
}

// afterDeferral sends an answer after a deferred response. It returns where a new message for everyone is, or nil.
func (d *Deliverer) afterDeferral(i Interaction, m Message, update, forAll bool, deferred Deferral) (*Posted, error) {
	public := !deferred.update && deferred.audience == bot.Everyone // everyone sees the deferred response
	switch {
	case deferred.update && update:
		return nil, d.edit(i, m.Keeping(i.File()))
	case public && forAll:
		return d.posted(i, AsEdit, m.AsEdit())
	case public, !deferred.update && !forAll:
		return nil, d.edit(i, m)
	case deferred.refused:
		// Either Discord delivered the interaction twice and the other delivery is being answered, or the deferred response
		// came too late. The edits above do no harm then, but a new message would be one too many.
		return nil, deferred.Err
	case forAll:
		return d.publish(i, m, deferred)
	}
	return nil, d.sendNotice(i, m)
}

// sendNotice shows a message for the player alone, such as a refusal, after a deferred update of an ephemeral message. The
// notice is put above that message, which keeps its buttons. A notice with buttons of its own, or one above a message with a
// picture, replaces the whole message.
func (d *Deliverer) sendNotice(i Interaction, m Message) error {
	before, had := i.Message.Components, m.Components
	if len(had) != 1 || i.File().ID != "" || units(Text(had)+Text(before)) > maxText {
		return d.edit(i, m)
	}
	m.Components = nil
	if !strings.HasPrefix(Text(before), Text(had)) { // otherwise the player has tried again
		m.Components = had
	}
	for _, c := range before {
		m.Components = append(m.Components, c)
	}
	return d.edit(i, m)
}

// publish shows a message to everyone after an ephemeral deferred response, or after a deferred update, which then shows
// nothing.
//
// The bot posts the answer to a component in the channel if it may: Discord limits follow-ups to components. The first
// follow-up after an ephemeral deferred response would take that response's place and be ephemeral too. So the response is
// first edited to point to the real message, and deleted afterwards. If the message cannot be shown to everyone, at least the
// player gets it.
func (d *Deliverer) publish(i Interaction, m Message, deferred Deferral) (*Posted, error) {
	if i.FromMessage() && i.BotMay().Post {
		if id, err := d.Send(i, asPost, m); err == nil {
			d.DeleteDeferred(i, deferred)
			return &Posted{ID: id}, nil
		}
	}
	if !deferred.update && d.edit(i, NewMessage(bot.ShownBelow().Lines()...)) != nil {
		return nil, d.edit(i, m) // a follow-up could take the place of the response
	}
	id, err := d.Send(i, asFollowUp, m)
	if err == nil {
		d.DeleteDeferred(i, deferred)
		return &Posted{ID: id, App: i.AppID, Token: i.Token, Target: id, Until: i.TokenEnd()}, nil
	}
	if !deferred.update {
		err = d.edit(i, m)
	}
	return nil, err
}

// DeleteDeferred deletes the message that a deferred response has announced.
func (d *Deliverer) DeleteDeferred(i Interaction, deferred Deferral) {
	if deferred.update || deferred.refused {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.Timeout)
	defer cancel()
	err := i.Exchange.Settle(ctx)
	if err == nil {
		err = d.Calls.DeleteByToken(ctx, i.AppID, i.Token, calls.Original)
	}
	if err != nil {
		d.Log.Warn("could not delete a deferred response", "id", i.ID, "error", err)
	}
}

// Autocomplete sends choices for an option.
func (d *Deliverer) Autocomplete(i Interaction, choices []bot.Choice) error {
	list := choiceList{Choices: []Choice{}}
	for _, c := range choices {
		list.Choices = append(list.Choices, Choice(c))
	}
	_, err := d.Send(i, asChoices, list)
	return err
}

// edit edits the first response, or the message that the interaction came from.
func (d *Deliverer) edit(i Interaction, m Message) error {
	_, err := d.Send(i, AsEdit, m.AsEdit())
	return err
}
