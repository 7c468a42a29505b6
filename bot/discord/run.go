package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/solver/parallel"
)

// Options say how to reach Discord, and which bot answers there.
type Options struct {
	Token string // the bot's token, without "Bot "
	// Guild is the server to register commands in, where they appear at once;
	// empty to register them everywhere.
	Guild string
	// BaseURL is where Discord is: https://discord.com/, or a proxy or a test
	// server. REST calls and the discovery of the gateway go there.
	BaseURL *url.URL
	Bot     *bot.Bot
	Log     *slog.Logger
	// Permits is the pool that the solvers share; nil makes one for pictures alone.
	Permits *parallel.Permits
	// Observer is optional.
	Observer Observer
}

// ErrToken means that Discord refused the token.
//
//lint:ignore ST1005 Discord is a name
var ErrToken = errors.New("Discord refuses the token")

// drainTimeout is how long Run waits at its end for answers in progress.
const drainTimeout = 10 * time.Second

// timings are the durations that the front works with; tests change them.
type timings struct {
	// For answering an interaction:
	deferAfter     time.Duration // when the response is deferred, if there is no reply yet
	handlerTimeout time.Duration // how long a handler may run
	limits         admission.Limits

	// For the connection to the gateway:
	idle       time.Duration // a connection that is silent for this long is dead: more than two heartbeats of 41.25 s
	connect    time.Duration // how long connecting may take
	check      time.Duration // how often the watchdog checks the session
	minBackoff time.Duration // the first wait before reconnecting; it doubles each time ...
	maxBackoff time.Duration // ... up to this: 720 identifies a day, where Discord allows 1000
	stable     time.Duration // after a session of this length the waits start again at minBackoff
}

var defaultTimings = timings{
	// Discord accepts a first response for 3 s; the rest is for the way there.
	deferAfter: 1500 * time.Millisecond,
	// An interaction's token is valid for 15 minutes, but nobody waits that long.
	handlerTimeout: 60 * time.Second,
	limits:         admission.Defaults,

	idle:       95 * time.Second,
	connect:    40 * time.Second,
	check:      15 * time.Second,
	minBackoff: time.Second,
	maxBackoff: 2 * time.Minute,
	stable:     time.Minute,
}

// Run serves Discord until ctx ends; it then finishes the answers in progress
// and returns nil. It returns an error only where trying again cannot help:
// ErrToken or another final refusal by Discord. It logs every other error and
// tries again.
func Run(ctx context.Context, o Options) error { return run(ctx, o, defaultTimings) }

func run(ctx context.Context, o Options, t timings) error {
	if o.Observer == nil {
		o.Observer = unobserved{}
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: newTransport(o.BaseURL)}
	session, err := newDiscordgo(o.Token, client)
	if err != nil {
		return err
	}
	api := &rest{session}
	f := newFront(o, api, t)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &gateway{
		token:         o.Token,
		client:        client,
		log:           o.Log,
		onInteraction: f.receive,
		timings:       t,
		onReady:       make(chan string, 1),
	}
	var refused error // a final refusal while registering commands
	registered := make(chan struct{})
	go func() {
		defer close(registered)
		select {
		case app := <-g.onReady:
			if refused = register(ctx, api, o.Bot.Table, app, o.Guild, o.Log); refused != nil {
				stop()
			}
		case <-ctx.Done():
		}
	}()
	err = g.run(ctx)
	stop()
	<-registered
	if left := f.queue.Drain(drainTimeout); left > 0 {
		o.Log.Warn("stopping before all interactions were answered", "count", left)
	}
	if err == nil {
		err = refused
	}
	return err
}

// newDiscordgo returns a discordgo session that keeps no state, asks for no
// intents (interactions come without any), logs nothing (its log would contain
// the token) and leaves reconnecting to the gateway type.
func newDiscordgo(token string, client *http.Client) (*discordgo.Session, error) {
	s, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	s.Client = client
	s.Identify.Intents = discordgo.IntentsNone
	s.StateEnabled = false
	s.SyncEvents = true
	s.LogLevel = -1
	s.ShouldReconnectOnError = false
	s.ShouldRetryOnRateLimit = false
	s.MaxRestRetries = 0
	return s, nil
}
