package discord

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/gateway"
	"fivefold/game"
	"fivefold/game/work"
	"fivefold/solver/parallel"
)

// Options are how to reach Discord, and the bot that answers there.
type Options struct {
	Token string // the bot's token, without "Bot "
	// Guild is the server to register commands in, where they appear at once;
	// empty to register them everywhere.
	Guild string
	// Registrations remembers the servers with commands of their own. If it is nil, commands stay in a server that an earlier
	// Guild named.
	Registrations application.Registrations
	// BaseURL is Discord's address, or that of a proxy or test server; nil is [calls.DefaultBaseURL]. REST calls and the
	// discovery of the gateway go there.
	BaseURL *url.URL
	Bot     *bot.Bot
	// Clock learns Discord's time from the requests that come; nil for a clock of the front's own.
	Clock *admission.Clock
	Log   *slog.Logger
	// Boards remembers which messages show matches; with nil, they are forgotten when the process ends.
	Boards game.BoardStore
	// Watch is called once, before anything else, with the function that shows boards when they change without a request;
	// it may be nil.
	Watch func(bot.Show)
	// Post makes the posts that no request asks for, until its context ends; nil for none.
	Post func(context.Context, bot.Channels)
	// Servers keeps account of the servers that the bot is in, so that the data of one goes when it is gone; nil for none.
	Servers Servers
	// Work divides tasks among processes with the same Boards and token; nil for a single process.
	Work work.Store
	// Permits is the pool for drawing pictures, shared with the solvers; nil sets no limit.
	Permits *parallel.Permits
	// Shards are the shards of this process; the zero value serves all of Discord.
	Shards gateway.Shards
	// HTTP is where Discord posts interactions; nil if they come over the gateway.
	HTTP     *endpoint.Options
	Observer Observer
	// Tiles shows boards with the application's own emojis, and uploads the missing ones. Until all are there, boards show
	// squares.
	Tiles bool
	// Patience is the least value of every time limit, for slow machines; 0 leaves the limits as they are.
	Patience time.Duration
}

// drainTimeout is how long Run waits for answers at its end, see drain. Boards may take a second more, and closing the store
// two. Containers are killed after ten.
const drainTimeout = 6 * time.Second

// timings are the durations that the front works with; tests change them.
type timings struct {
	// For answering an interaction:
	deferAfter     time.Duration // when the response is deferred, if there is no reply yet
	handlerTimeout time.Duration // how long a handler may run
	limits         admission.Limits

	eventGap     time.Duration // the least time from one message about events in a channel to the next
	board        time.Duration // how long an answer waits for another call for its board, and for the store
	channelsKept time.Duration // how long Discord's answer about a channel is used

	gateway gateway.Timings

	spacing  time.Duration // the least time from one call by the bot's token to the next
	call     time.Duration // how long a call to Discord may take
	send     time.Duration // how long a call may take with its retries
	register time.Duration // how long a call for commands may take with its retries
	// How long Discord accepts a first response, counted from the arrival of the interaction. Discord's own time began a
	// little earlier.
	response time.Duration
	drain    time.Duration // drainTimeout

	http endpoint.Timings
}

var defaultTimings = timings{
	// Discord accepts a first response for 3 s; the rest is for the way there.
	deferAfter: 1500 * time.Millisecond,
	// An interaction's token is valid for 15 minutes, longer than people wait.
	handlerTimeout: 60 * time.Second,
	limits:         admission.Defaults,
	eventGap:       5 * time.Second,
	board:          time.Second,
	channelsKept:   time.Minute,

	gateway: gateway.DefaultTimings,

	http: endpoint.DefaultTimings,

	spacing:  calls.Spacing,
	call:     20 * time.Second,
	send:     10 * time.Second,
	register: time.Minute,
	response: 3 * time.Second,
	drain:    drainTimeout,
}

// Run serves Discord until ctx ends, finishes the answers in progress, and returns nil. Its errors are final:
// [calls.ErrToken], [application.ErrPublicKey], another refusal by Discord, or a listener that fails. It logs all others and
// tries again.
func Run(ctx context.Context, o Options) error {
	t := o.usualTimings()
	return newFront(o, o.client(t), t).live(ctx, o)
}

// client returns the client for calls to Discord.
func (o Options) client(t timings) *calls.Client {
	return calls.New(calls.Options{
		Token: o.Token, BaseURL: o.BaseURL, Timeout: t.call, Log: o.Log, Spacing: t.spacing,
		Responded: func(r *http.Response) { o.Observer.Responded(r.StatusCode) },
	})
}

// usualTimings returns defaultTimings, with Patience as the least value of each time limit.
func (o Options) usualTimings() timings {
	t := defaultTimings
	if o.Patience > 0 {
		for _, limit := range []*time.Duration{
			&t.deferAfter, &t.handlerTimeout, &t.response, &t.board, &t.limits.MaxWait, &t.limits.MaxAge,
			&t.gateway.Connect, &t.gateway.Ready, &t.call, &t.send, &t.register, &t.drain,
			&t.http.Header, &t.http.Read, &t.http.Write,
		} {
			*limit = max(*limit, o.Patience)
		}
		t.limits.PerPlayer = t.limits.PerChannel // a slow bot frees an answer's place after the player has seen it and asked again
	}
	return t
}

// live connects to Discord, and answers until ctx ends.
func (f *front) live(ctx context.Context, o Options) (err error) {
	t, client := f.timings, f.deliverer.Calls
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ending := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { ending <- time.Now().Add(t.drain) })
	// The process with shard 0 registers commands and uploads tiles. Processes that serve HTTP don't: they are all alike.
	registers := o.HTTP == nil && (len(o.Shards.IDs) == 0 || slices.Contains(o.Shards.IDs, 0))
	all, serving := errgroup.WithContext(ctx)
	if o.Post != nil {
		all.Go(func() error { o.Post(serving, posts{f}); return nil })
	}
	if o.Servers != nil {
		all.Go(func() error { f.servers.keep(serving); return nil })
	}
	all.Go(func() error {
		if o.HTTP != nil {
			return endpoint.New(*o.HTTP, f, t.http, o.Observer, o.Log).Run(serving)
		}
		return gateway.Run(serving, gateway.Options{
			Token: o.Token, Shards: o.Shards, Calls: client, Front: f, Observer: o.Observer, Log: o.Log, Timings: t.gateway,
		})
	})
	all.Go(func() error {
		about, err := application.Ask(serving, client, o.Log)
		if about.ID == "" {
			return err
		}
		if o.Tiles {
			all.Go(func() error {
				application.Tiles{API: client, App: about.ID, Log: o.Log}.Keep(serving, f.deliverer.Names, registers)
				return nil
			})
		}
		r := application.Commands{
			API: client, Timeout: t.register, Table: o.Bot.Table, App: about.ID, Guild: o.Guild, Names: f.deliverer.Names,
			Remembered: o.Registrations, Log: o.Log,
		}
		if o.HTTP != nil {
			if err := about.CheckEndpoint(o.HTTP.Path, o.HTTP.PublicKey, o.Log); err != nil {
				return err
			}
		}
		return r.Keep(serving, registers)
	})
	err = all.Wait()
	stop()
	f.drain(<-ending)
	return err
}

// drain waits for answers in progress until end. Then it waits for boards: also until end, but for a second at least.
func (f *front) drain(end time.Time) {
	if left := f.queue.Drain(time.Until(end)); left > 0 {
		f.log.Warn("stopping before all interactions were answered", "count", left)
	}
	if !f.boards.Drain(max(time.Until(end), time.Second)) {
		f.log.Warn("stopping before all boards show their latest state")
	}
}
