package discord

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/boards"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/solver/parallel"
)

// front answers interactions:
//
//	decode    the raw event becomes an interaction
//	admit     the interaction is worked on now, soon or not at all
//	request   the interaction becomes a bot.Request
//	handle    the handler turns the request into a bot.Reply, in time or later
//	render    the reply becomes a message
//	deliver   the message is sent, or a modal: as first response, edit or follow-up
//
// Admission is in admit.go, handling here, the rest in package interaction.
type front struct {
	bot       *bot.Bot
	find      func(command string) (bot.Command, bool)
	timings   timings
	deliverer interaction.Deliverer
	access    *interaction.Access
	boards    *boards.Keeper
	queue     *admission.Queue
	clock     *admission.Clock
	permits   *parallel.Permits // for pictures
	observer  Observer
	log       *slog.Logger
	hashKey   string // see hidden
}

func newFront(o Options, api *calls.Client, t timings) *front {
	f := &front{
		bot:       o.Bot,
		find:      o.Bot.Table.Find,
		timings:   t,
		deliverer: interaction.Deliverer{Client: api, Accepted: t.response, Timeout: t.send, Names: new(interaction.Names), Log: o.Log},
		access:    interaction.NewAccess(api, t.channelsKept, o.Log),
		clock:     cmp.Or(o.Clock, new(admission.Clock)),
		queue:     admission.NewQueue(t.limits),
		permits:   o.Permits,
		observer:  o.Observer,
		log:       o.Log,
		hashKey:   rand.Text(),
	}
	f.boards = boards.New(boards.Options{
		Deliverer: f.deliverer,
		Draw:      f.drawLate,
		Store:     o.Boards,
		Shared:    o.Work != nil,
		EventGap:  t.eventGap,
		Patience:  t.board,
	})
	if o.Watch != nil {
		o.Watch(f.boards.Show)
	}
	f.observer.WatchQueue(f.queue.Stats)
	return f
}

// answer carries out a request and shows the reply: in the first response if that
// is quick, otherwise after a deferred response. The command says what is known
// before there is a reply; it is the zero value if none fits.
func (f *front) answer(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request) Outcome {
	ctx, cancel := context.WithTimeout(ctx, f.timings.handlerTimeout)
	defer cancel()
	due := time.Now().Add(f.timings.deferAfter - i.Age())
	sent := make(chan *interaction.Deferral, 1)
	timer := time.AfterFunc(time.Until(due), func() { sent <- f.deliverer.DeferResponse(i, c) })
	result := interaction.Result{Reply: f.bot.Handle(ctx, c, r)}
	var deferred *interaction.Deferral
	if !timer.Stop() {
		deferred = <-sent
		due = time.Now().Add(f.timings.deferAfter)
	}
	if result.Reply.Form == nil || deferred != nil || !i.TakesModal() { // a modal shows no picture; if Discord refuses it, the lines say what the picture would
		result.Picture = f.picture(ctx, i.ID, result.Reply, due)
	}
	if board := result.Reply.Board; board != nil && board.Otherwise != nil && f.boards.IsShown(board) {
		result.Reply, result.Picture = *board.Otherwise, nil
	}
	if board, ok := f.behind(ctx, i, c, r); ok && deferred == nil && !f.boards.Shows(i, result.Reply) {
		result = interaction.Result{Reply: board}
	}
	var err error
	if f.boards.Shows(i, result.Reply) {
		err = f.boards.Deliver(i, result, deferred)
	} else {
		err = f.deliverer.Deliver(i, result, deferred)
	}
	switch problem := result.Reply.Problem; {
	case err != nil:
		return NotDelivered
	case problem == bot.Failed:
		return Failed
	case problem == bot.TooBusy:
		return Busy
	case problem == bot.TooLate:
		return Expired
	}
	return Answered
}

// behind returns the board whose button was pressed, if it does not show what it should by now and only the answer to the
// press can change it.
func (f *front) behind(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request) (bot.Reply, bool) {
	if c.Behind == nil || !i.FromMessage() || i.Message.Flags&interaction.FlagEphemeral != 0 || i.BotMay().Edit {
		return bot.Reply{}, false
	}
	board, ok := c.Behind(ctx, r)
	return board, ok && !f.boards.IsCurrent(i, board)
}

// drawLate draws the picture of a reply whose interaction may have been answered already.
func (f *front) drawLate(id string, r bot.Reply) *interaction.Picture {
	return f.picture(context.Background(), id, r, time.Now().Add(f.timings.deferAfter))
}

// picture draws the reply's picture. It returns nil if there is none, if it
// cannot be drawn, or if it is not ready by due: the lines are enough.
func (f *front) picture(ctx context.Context, id string, r bot.Reply, due time.Time) (drawn *interaction.Picture) {
	if r.Picture == nil {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	defer bot.LogPanic(f.log, id)
	permit, err := f.permits.Acquire(ctx, parallel.Brief)
	if err == nil {
		defer permit.Release()
		drawn, err = interaction.DrawPicture(ctx, *r.Picture, r.Look.Colours)
	}
	if err != nil && !errors.Is(err, parallel.ErrBusy) {
		f.log.Error("could not draw a picture", "id", id, "error", err)
	}
	return drawn
}

// autocomplete proposes values for an option. Discord cannot be asked to wait
// for them: if they are not ready in time, there are none. If the player has typed on,
// nobody waits for an answer.
func (f *front) autocomplete(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request) Outcome {
	choices := f.choices(ctx, i, c, r)
	if ctx.Err() != nil {
		return Superseded
	}
	if option, typed := i.Focused(); len(choices) == 0 && typed == "" {
		choices = prompt(c, option)
	}
	if f.deliverer.Autocomplete(i, choices) != nil {
		return NotDelivered
	}
	return Answered
}

// choices returns the proposed values, none after a panic.
func (f *front) choices(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request) []bot.Choice {
	ctx, cancel := context.WithTimeout(ctx, f.timings.deferAfter-i.Age())
	defer cancel()
	defer bot.LogPanic(f.log, i.ID)
	option, typed := i.Focused()
	return c.Complete(ctx, r, option, typed)
}

// prompt returns a choice that says what to type, since Discord shows nothing but choices there;
// nil for an option without a prompt. A player who picks it is refused as with any other wrong
// value.
func prompt(c bot.Command, option string) []bot.Choice {
	for _, o := range c.Options {
		if o.Name == option && o.Prompt != "" {
			return []bot.Choice{{Name: o.Prompt, Value: "?"}}
		}
	}
	return nil
}
