package discord

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/calls"
	"fivefold/solver/parallel"
)

// front answers interactions. An answer passes through six stages, each in a file of that
// name and each but admission returning a value for the next:
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
	deliverer deliverer
	access    *access
	boards    *boardKeeper
	names     names
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
		deliverer: deliverer{api, t.response, t.send, o.Log},
		access:    newAccess(api, t.channelsKept, o.Log),
		queue:     admission.NewQueue(t.limits),
		ages:      ages,
		permits:   o.Permits,
		observer:  o.Observer,
		log:       o.Log,
		hashKey:   rand.Text(),
	}
	f.boards = newBoardKeeper(boardOptions{
		deliverer: f.deliverer,
		draw:      f.drawLate,
		render:    func(r result) (answer, error) { return render(r, responseOptions{}, &f.names) },
		store:     o.Boards,
		shared:    o.SharedBoards,
		eventGap:  t.eventGap,
		patience:  t.board,
		inFlight:  func() int { return f.queue.Stats().InFlight },
	})
	if f.observer == nil {
		f.observer = unobserved{}
	}
	f.observer.WatchQueue(f.queue.Stats)
	return f
}

// serve answers an interaction of any type. It returns how that ended, and a channel that is
// closed when the handler has ended, which may be later if the handler ignores its context.
func (f *front) serve(ctx context.Context, i interaction) (Outcome, <-chan struct{}) {
	switch i.Type {
	case discordgo.InteractionApplicationCommand:
		r := i.commandRequest()
		r.MayRead = f.access.readableBy(i)
		command, _ := f.find(r.Command)
		return f.answer(ctx, i, command, func(ctx context.Context) bot.Reply { return f.run(ctx, r) })
	case discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		r, known := i.componentRequest(f.find)
		r.MayRead = f.access.readableBy(i)
		command, _ := f.find(r.Command)
		command.Audience = bot.Undecided
		return f.answer(ctx, i, command, func(ctx context.Context) bot.Reply {
			if !known {
				return bot.Outdated(f.show(i.observedCommand()))
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
func (f *front) answer(ctx context.Context, i interaction, c bot.Command, handler func(context.Context) bot.Reply) (Outcome, <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, f.timings.handlerTimeout)
	defer cancel()
	options := i.responseOptions()
	h := f.handle(ctx, i, options, handler)
	var deferred *deferral
	result, inTime := h.inTime(ctx)
	if !inTime {
		deferred = f.deliverer.deferResponse(i, c)
		options.modal = false // only a first response can be a modal
		result = h.late(ctx)
	}
	if board := result.reply.Board; board != nil && board.Otherwise != nil && f.boards.isShown(board) {
		result.reply, result.picture = *board.Otherwise, nil
	}
	if f.boards.shows(i, result.reply) {
		return outcome(result.reply.Problem, f.boards.deliver(i, result, deferred)), h.ended
	}
	answer, err := render(result, options, &f.names)
	if err != nil {
		f.log.Error("could not show part of a reply", "id", i.ID, "error", err)
	}
	return outcome(result.reply.Problem, f.deliverer.deliver(i, answer, deferred)), h.ended
}

// autocomplete proposes values for an option. Discord cannot be asked to wait
// for them: if they are not ready in time, there are none. If the player has typed on,
// nobody waits for an answer.
func (f *front) autocomplete(ctx context.Context, i interaction) (Outcome, <-chan struct{}) {
	option, typed := i.focused()
	choices, ended := f.choices(ctx, i, func(ctx context.Context) []bot.Choice {
		return f.complete(ctx, i.commandRequest(), option, typed)
	})
	if ctx.Err() != nil {
		return Superseded, ended
	}
	if len(choices) == 0 && typed == "" {
		choices = f.prompt(i, option)
	}
	return outcome(bot.NoProblem, f.deliverer.autocomplete(i, choices)), ended
}

// prompt returns a choice that says what to type, since Discord shows nothing but choices there;
// nil for an option without a prompt. A player who picks it is refused as with any other wrong
// value.
func (f *front) prompt(i interaction, option string) []bot.Choice {
	command, _ := f.find(i.command())
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
