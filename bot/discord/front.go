package discord

import (
	"context"
	"crypto/rand"
	"log/slog"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
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

func newFront(o Options, api *rest, ages *admission.Ages, t timings) *front {
	f := &front{
		find:     o.Bot.Table.Find,
		show:     o.Bot.Table.Show,
		run:      o.Bot.Handle,
		complete: o.Bot.Complete,
		timings:  t,
		deliverer: deliverer{
			respond:        api.respond,
			edit:           api.edit,
			deleteResponse: api.deleteResponse,
			respondNew:     api.respondNew,
			followUp:       api.followUp,
			postByBot:      api.postByBot,
			editByToken:    api.editByToken,
			idByToken:      api.MessageID,
			editByBot:      api.editByBot,
			botEditWait:    api.EditWait,
			timeout:        t.send,
			log:            o.Log,
		},
		access:   newAccess(api, t.channelsKept, o.Log),
		queue:    admission.NewQueue(t.limits),
		ages:     ages,
		permits:  o.Permits,
		observer: o.Observer,
		log:      o.Log,
		hashKey:  rand.Text(),
	}
	f.boards = newBoardKeeper(f, o.Boards, o.SharedBoards)
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
	d := f.deliverer.of()
	var deferred *deferral
	result, inTime := h.inTime(ctx)
	if !inTime {
		deferred = d.deferResponse(i, c)
		options.modal = false // only a first response can be a modal
		result = h.late(ctx)
	}
	if board := result.reply.Board; board != nil && board.Otherwise != nil && f.boards.isShown(board) {
		result.reply, result.picture = *board.Otherwise, nil
	}
	if f.boards.shows(i, result.reply) {
		f.boards.deliver(d, i, result, deferred)
		return d.outcome(result.reply.Problem), h.ended
	}
	answer, err := render(result, options, &f.names)
	if err != nil {
		f.log.Error("could not show part of a reply", "id", i.ID, "error", err)
	}
	d.deliver(i, answer, deferred)
	return d.outcome(result.reply.Problem), h.ended
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
	d := f.deliverer.of()
	d.autocomplete(i, choices)
	return d.outcome(bot.NoProblem), ended
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

// tracked is a deliverer for one interaction, which knows whether the answer arrived.
type tracked struct {
	deliverer
	failed error // of the latest call that sends something
}

// of returns the deliverer for an interaction.
func (d deliverer) of() *tracked {
	t := &tracked{deliverer: d}
	t.respond = func(ctx context.Context, i interaction, r response) error {
		t.failed = d.respond(ctx, i, r)
		return t.failed
	}
	t.edit = func(ctx context.Context, i interaction, m message) error {
		t.failed = d.edit(ctx, i, m)
		return t.failed
	}
	t.respondNew = func(ctx context.Context, i interaction, r response) (id string, err error) {
		id, t.failed = d.respondNew(ctx, i, r)
		return id, t.failed
	}
	t.followUp = func(ctx context.Context, i interaction, m message) (id string, err error) {
		id, t.failed = d.followUp(ctx, i, m)
		return id, t.failed
	}
	t.postByBot = func(ctx context.Context, channel string, m message) (id string, err error) {
		id, t.failed = d.postByBot(ctx, channel, m)
		return id, t.failed
	}
	return t
}

// outcome returns how an interaction that was answered has ended.
func (t *tracked) outcome(p bot.Problem) Outcome {
	switch {
	case t.failed != nil:
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
