package discord

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/boards"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/solver/parallel"
)

// front answers interactions. An answer passes through six stages, in this package or in package
// interaction, each in a file of that name and each but admission returning a value for the next:
//
//	decode    the raw event becomes an interaction
//	admit     the interaction is worked on now, soon or not at all
//	request   the interaction becomes a bot.Request
//	handle    the handler turns the request into a bot.Reply, in time or later
//	render    the reply becomes an answer: Discord's message, update or modal
//	deliver   the answer is sent: as first response, edit or follow-up
type front struct {
	find      func(command string) (bot.Command, bool)
	show      func(command string) string // see [bot.Table.Show]
	run       func(context.Context, bot.Request) bot.Reply
	complete  func(ctx context.Context, r bot.Request, option, typed string) []bot.Choice
	timings   timings
	after     func(time.Duration) <-chan time.Time // for when a response is deferred
	deliverer interaction.Deliverer
	access    *interaction.Access
	boards    *boards.Keeper
	names     interaction.Names
	queue     *admission.Queue
	ages      *admission.Ages
	permits   *parallel.Permits // for pictures
	observer  Observer
	log       *slog.Logger
	hashKey   string // see hidden
}

func newFront(o Options, api *calls.Client, ages *admission.Ages, t timings) *front {
	f := &front{
		find:      o.Bot.Table.Find,
		show:      o.Bot.Table.Show,
		run:       o.Bot.Handle,
		complete:  o.Bot.Complete,
		timings:   t,
		after:     time.After,
		deliverer: interaction.Deliverer{Client: api, Accepted: t.response, Timeout: t.send, Log: o.Log},
		access:    interaction.NewAccess(api, t.channelsKept, o.Log),
		queue:     admission.NewQueue(t.limits),
		ages:      ages,
		permits:   o.Permits,
		observer:  o.Observer,
		log:       o.Log,
		hashKey:   rand.Text(),
	}
	f.boards = boards.New(boards.Options{
		Deliverer: f.deliverer,
		Draw:      f.drawLate,
		Names:     &f.names,
		Store:     o.Boards,
		Shared:    o.SharedBoards,
		EventGap:  t.eventGap,
		Patience:  t.board,
		InFlight:  func() int { return f.queue.Stats().InFlight },
	})
	if f.observer == nil {
		f.observer = unobserved{}
	}
	f.observer.WatchQueue(f.queue.Stats)
	return f
}

// serve answers an interaction of any type. It returns how that ended, and a channel that is
// closed when the handler has ended, which may be later if the handler ignores its context.
func (f *front) serve(ctx context.Context, i interaction.Interaction) (Outcome, <-chan struct{}) {
	switch i.Type {
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		r, known := i.Request(f.find, f.access)
		command, _ := f.find(r.Command)
		if r.FromComponent {
			command.Audience = bot.Undecided
		}
		return f.answer(ctx, i, command, func(ctx context.Context) bot.Reply {
			if !known {
				return bot.Outdated(f.show(i.ObservedCommand()))
			}
			return f.run(ctx, r)
		})
	case discordgo.InteractionApplicationCommandAutocomplete:
		return f.autocomplete(ctx, i)
	}
	f.log.Warn("an interaction has an unknown type", "id", i.ID, "type", int(i.Type))
	return Failed, closed
}

// closed is the channel for the end of a handler that was never run.
var closed = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

// answer runs a handler and shows its reply: in the first response if the
// handler is quick, otherwise after a deferred response. The command says what is known
// before there is a reply; it is the zero value if there is no such command.
func (f *front) answer(ctx context.Context, i interaction.Interaction, c bot.Command, handler func(context.Context) bot.Reply) (Outcome, <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, f.timings.handlerTimeout)
	defer cancel()
	options := i.ResponseOptions()
	h := f.handle(ctx, i, options, handler)
	var deferred *interaction.Deferral
	result, inTime := h.inTime(ctx)
	if !inTime {
		deferred = f.deliverer.DeferResponse(i, c)
		options.Modal = false // only a first response can be a modal
		result = h.late(ctx)
	}
	if board := result.Reply.Board; board != nil && board.Otherwise != nil && f.boards.IsShown(board) {
		result.Reply, result.Picture = *board.Otherwise, nil
	}
	if f.boards.Shows(i, result.Reply) {
		return outcome(result.Reply.Problem, f.boards.Deliver(i, result, deferred)), h.ended
	}
	answer, err := interaction.Render(result, options, &f.names)
	if err != nil {
		f.log.Error("could not show part of a reply", "id", i.ID, "error", err)
	}
	return outcome(result.Reply.Problem, f.deliverer.Deliver(i, answer, deferred)), h.ended
}

// autocomplete proposes values for an option. Discord cannot be asked to wait
// for them: if they are not ready in time, there are none. If the player has typed on,
// nobody waits for an answer.
func (f *front) autocomplete(ctx context.Context, i interaction.Interaction) (Outcome, <-chan struct{}) {
	option, typed := i.Focused()
	choices, ended := f.choices(ctx, i, func(ctx context.Context) []bot.Choice {
		return f.complete(ctx, i.Typed(), option, typed)
	})
	if ctx.Err() != nil {
		return Superseded, ended
	}
	if len(choices) == 0 && typed == "" {
		choices = f.prompt(i, option)
	}
	return outcome(bot.NoProblem, f.deliverer.Autocomplete(i, choices)), ended
}

// prompt returns a choice that says what to type, since Discord shows nothing but choices there;
// nil for an option without a prompt. A player who picks it is refused as with any other wrong
// value.
func (f *front) prompt(i interaction.Interaction, option string) []bot.Choice {
	command, _ := f.find(i.Command())
	for _, o := range command.Options {
		if o.Name == option && o.Prompt != "" {
			return []bot.Choice{{Name: o.Prompt, Value: "?"}}
		}
	}
	return nil
}

// outcome returns how an interaction has ended whose answer was sent with an error, if not nil.
func outcome(p bot.Problem, err error) Outcome {
	switch {
	case err != nil:
		return NotDelivered
	case p == bot.Failed:
		return Failed
	case p == bot.TooBusy:
		return Busy
	case p == bot.TooLate:
		return Expired
	}
	return Answered
}
