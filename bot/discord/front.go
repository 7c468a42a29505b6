package discord

import (
	"context"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// front answers interactions. An answer passes through five stages, each in a
// file of that name and each returning a value for the next:
//
//	decode    the raw event becomes an interaction
//	request   the interaction becomes a bot.Request
//	handle    the handler turns the request into a bot.Reply, in time or later
//	render    the reply becomes an answer: Discord's message, update or modal
//	deliver   the answer is sent: as first response, edit or follow-up
type front struct {
	find       func(command string) (bot.Command, bool)
	run        func(context.Context, bot.Request) bot.Reply
	complete   func(ctx context.Context, r bot.Request, option, typed string) []bot.Choice
	timings    timings
	deliverer  deliverer
	dispatcher *dispatcher
	log        *slog.Logger
}

func newFront(b *bot.Bot, api *rest, log *slog.Logger, t timings) *front {
	return &front{
		find:     b.Table.Find,
		run:      b.Handle,
		complete: b.Complete,
		timings:  t,
		deliverer: deliverer{
			respond:        api.respond,
			edit:           api.edit,
			followUp:       api.followUp,
			deleteResponse: api.deleteResponse,
			log:            log,
		},
		dispatcher: newDispatcher(maxInFlight, log),
		log:        log,
	}
}

// receive answers an interaction, given as its raw event, in a goroutine of its
// own. It waits only while too many others are being answered.
func (f *front) receive(ctx context.Context, raw []byte) {
	i, err := decode(raw)
	if err != nil {
		f.log.Error("an interaction cannot be read", "error", err)
		return
	}
	i.received = time.Now()
	f.dispatcher.run(ctx, i.ID, func(ctx context.Context) { f.serve(ctx, i) })
}

// serve answers an interaction of any type.
func (f *front) serve(ctx context.Context, i interaction) {
	switch i.Type {
	case discordgo.InteractionApplicationCommand:
		r := i.commandRequest()
		command, _ := f.find(r.Command)
		f.answer(ctx, i, command.Audience, func(ctx context.Context) bot.Reply { return f.run(ctx, r) })
	case discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		r, known := i.componentRequest(f.find)
		f.answer(ctx, i, bot.Undecided, func(ctx context.Context) bot.Reply {
			if !known {
				return bot.Outdated()
			}
			return f.run(ctx, r)
		})
	case discordgo.InteractionApplicationCommandAutocomplete:
		f.autocomplete(ctx, i)
	default:
		f.log.Warn("an interaction has an unknown type", "id", i.ID, "type", int(i.Type))
	}
}

// answer runs a handler and shows its reply: in the first response if the
// handler is quick, otherwise after a deferred response. The audience is that of
// the command, as far as it is known before there is a reply.
func (f *front) answer(ctx context.Context, i interaction, audience bot.Audience, handler func(context.Context) bot.Reply) {
	ctx, cancel := context.WithTimeout(ctx, f.timings.handlerTimeout)
	defer cancel()
	options := i.responseOptions()
	h := f.handle(ctx, i.ID, options, handler)
	var deferred *deferral
	result, inTime := h.inTime(ctx)
	if !inTime {
		deferred = f.deliverer.deferResponse(i, audience)
		options.modal = false // only a first response can be a modal
		result = h.late(ctx)
	}
	answer, err := render(result, options)
	if err != nil {
		f.log.Error("part of a reply was left out", "id", i.ID, "error", err)
	}
	f.deliverer.deliver(i, answer, deferred)
}

// autocomplete proposes values for an option. Discord cannot be asked to wait
// for them: if they are not ready in time, there are none.
func (f *front) autocomplete(ctx context.Context, i interaction) {
	option, typed := i.focused()
	choices := f.choices(ctx, i.ID, func(ctx context.Context) []bot.Choice {
		return f.complete(ctx, i.commandRequest(), option, typed)
	})
	f.deliverer.autocomplete(i, choices)
}
