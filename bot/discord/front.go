package discord

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/boardmessage"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/interaction"
	"fivefold/solver/parallel"
)

// front answers interactions:
//
//	Take, TakePosted   an interaction comes over the gateway, or by HTTP
//	admit              it enters the queue
//	work               it is worked on when its turn has come, or is refused
//	answer             it becomes a bot.Request, the handler makes a bot.Reply of it, and the reply is delivered
type front struct {
	bot       *bot.Bot
	timings   timings
	deliverer interaction.Deliverer
	access    *interaction.Access
	boards    *boardmessage.Keeper
	queue     *admission.Queue
	workers   workers
	clock     *admission.Clock
	observer  Observer
	log       *slog.Logger
	servers   servers
	hashKey   string // see hidden
}

func newFront(o Options, api *calls.Client, t timings) *front {
	f := &front{
		bot:     o.Bot,
		timings: t,
		deliverer: interaction.Deliverer{
			Calls: api, Accepted: t.response, Timeout: t.send, Drawing: t.deferAfter, Permits: o.Permits, Names: new(interaction.Names), Log: o.Log,
		},
		access:   interaction.NewAccess(api, t.channelsKept, o.Log),
		queue:    admission.NewQueue(t.limits),
		clock:    cmp.Or(o.Clock, new(admission.Clock)),
		observer: o.Observer,
		log:      o.Log,
		hashKey:  rand.Text(),
	}
	f.servers = servers{o.Servers, api, f.clock, o.Log}
	f.workers = workers{make(chan func()), f.queue.Drained()}
	f.boards = boardmessage.New(boardmessage.Options{Deliverer: f.deliverer, Store: o.Boards, Shared: o.Work != nil, EventGap: t.eventGap, Patience: t.board})
	if o.Watch != nil {
		o.Watch(f.boards.Show)
	}
	f.observer.WatchQueue(f.queue.Stats)
	return f
}

// Take implements [gateway.Front]. It recovers from panics, so that a strange event can't end the program.
func (f *front) Take(i interaction.Interaction) {
	defer bot.LogPanic(f.log, i.ID)
	if f.admit(i, nil) != nil {
		f.observer.Ended("", Failed, 0)
	}
}

// Server implements [gateway.Front].
func (f *front) Server(id string, in bool) { f.workers.run(func() { f.servers.set(id, in) }) }

// TakePosted implements [endpoint.Front].
func (f *front) TakePosted(body []byte, x *endpoint.Exchange) (ping bool, err error) {
	var i interaction.Interaction
	if err := interaction.Decode(body, &i); err != nil {
		f.log.Error("could not read an interaction", "error", err)
		return false, err
	}
	if i.Type == discordgo.InteractionPing {
		return true, nil
	}
	return false, f.admit(i, x)
}

// admit puts an interaction in the queue, and has a worker answer it. It returns an error if the interaction cannot be read.
func (f *front) admit(i interaction.Interaction, x *endpoint.Exchange) error {
	if err := i.Arrive(x); err != nil {
		f.log.Error("could not read an interaction", "error", err)
		return err
	}
	i.SetAge(f.clock.Age(i.Made), f.timings.limits.MaxAge)
	ticket := f.queue.Enter(admission.Request{
		Player: i.Player(), Channel: i.ChannelID, Server: cmp.Or(i.GuildID, "channel "+i.ChannelID), Age: i.Age(),
		Completion: i.Type == discordgo.InteractionApplicationCommandAutocomplete,
	})
	f.workers.run(func() { f.work(i, ticket) })
	return nil
}

// work answers an interaction once it is admitted, or refuses it. It recovers from panics, and tells the observer.
func (f *front) work(i interaction.Interaction, ticket *admission.Ticket) {
	defer ticket.Done()
	outcome, route := Failed, "gateway"
	if i.Exchange != nil {
		route = "HTTP"
		defer i.Exchange.End()
	}
	command := i.ObservedCommand()
	defer func() {
		f.observer.Ended(command, outcome, i.Age())
		if f.log.Enabled(context.Background(), slog.LevelDebug) {
			f.log.Debug("interaction", "id", i.ID, "command", command, "outcome", outcome, "route", route,
				"took", time.Since(i.Received).Round(time.Millisecond), "age", i.Age().Round(time.Millisecond),
				"player", f.hidden(i.Player()), "channel", f.hidden(i.ChannelID), "server", f.hidden(i.GuildID))
		}
	}()
	defer bot.LogPanic(f.log, i.ID)
	ctx, why, apology := ticket.Wait()
	if why != admission.Admitted {
		outcome = f.refuse(i, why, apology)
		return
	}
	ctx = parallel.For(ctx, ticket.Server)
	f.observer.Begun(command, i.Age())
	c, r := i.Request(f.bot.Table, f.access)
	switch i.Type {
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		outcome = f.answer(ctx, i, c, r)
	case discordgo.InteractionApplicationCommandAutocomplete:
		outcome = f.autocomplete(ctx, i, c, r)
	default:
		f.log.Warn("could not answer an interaction of an unknown type", "id", i.ID, "type", int(i.Type))
	}
}

// answer carries out a request and shows the reply: in the first response if that is quick, otherwise after a deferred
// response. c says how to defer the response. It is zero if no command of the table fits.
func (f *front) answer(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request) Outcome {
	ctx, cancel := context.WithTimeout(ctx, f.timings.handlerTimeout)
	defer cancel()
	due := time.Now().Add(f.timings.deferAfter - i.Age())
	sent := make(chan *interaction.Deferral, 1)
	timer := time.AfterFunc(time.Until(due), func() { sent <- f.deliverer.DeferResponse(i, c) })
	reply := f.bot.Handle(ctx, c, r)
	var deferred *interaction.Deferral
	if !timer.Stop() {
		deferred = <-sent
		due = time.Now().Add(f.timings.deferAfter)
	}
	result := f.result(ctx, i, c, r, reply, deferred, due)
	if f.boards.Deliver(i, result, deferred) != nil {
		return NotDelivered
	}
	switch reply.Problem {
	case bot.Failed:
		return Failed
	case bot.TooBusy:
		return Busy
	case bot.TooLate:
		return Expired
	}
	return Answered
}

// result returns what to show for a reply, with its picture if that is drawn in time.
//
// The pressed board is shown instead of the reply if it is out of date, only the answer to this press can edit it, and the
// reply would be shown elsewhere.
func (f *front) result(ctx context.Context, i interaction.Interaction, c bot.Command, r bot.Request, reply bot.Reply, deferred *interaction.Deferral, due time.Time) interaction.Result {
	reply = f.boards.Choose(reply)
	onBoard := i.FromMessage() && i.Message.Flags&interaction.FlagEphemeral == 0
	if c.Behind != nil && deferred == nil && onBoard && !i.BotMay().Edit && !f.boards.Shows(i, reply) {
		if board, ok := c.Behind(ctx, r); ok && !f.boards.IsCurrent(i, board) {
			reply = board
		}
	}
	if reply.Form != nil && deferred == nil && i.TakesModal() { // a form shows no picture
		return interaction.Result{Reply: reply}
	}
	return interaction.Result{Reply: reply, Picture: f.deliverer.Draw(ctx, i.ID, reply, due)}
}

// autocomplete proposes values for an option. Discord does not wait: values that are not ready in time are left out. If ctx
// has ended, the player has typed on, and nothing is sent.
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

// prompt returns a choice that says what to type, since Discord shows nothing but choices there; nil for an option without a
// prompt. A player who picks it gets the refusal of any wrong value.
func prompt(c bot.Command, option string) []bot.Choice {
	for _, o := range c.Options {
		if o.Name == option && o.Prompt != "" {
			return []bot.Choice{{Name: o.Prompt, Value: "?"}}
		}
	}
	return nil
}

// refuse ends an interaction that is not worked on. If apology is set, it tells the player why.
func (f *front) refuse(i interaction.Interaction, why admission.Refusal, apology bool) Outcome {
	if apology {
		reply := bot.Busy()
		if why == admission.OneAtATime {
			reply = bot.OneAtATime()
		}
		// If this fails, there is nothing more to say.
		_, _ = f.deliverer.Deliver(i, interaction.Result{Reply: reply}, nil)
	}
	switch why {
	case admission.Expired:
		return Expired
	case admission.Superseded:
		return Superseded
	}
	return Busy
}

// hidden returns a hash of an id for the log, so that an operator can find all lines about the same id. Each run has its own
// hashes.
func (f *front) hidden(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(f.hashKey + id))
	return hex.EncodeToString(sum[:6])
}
