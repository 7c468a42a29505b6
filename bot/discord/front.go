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
)

// Options say how to reach Discord and whom to serve.
type Options struct {
	Token string // of the bot, without "Bot "
	// Guild is where commands are registered, so that they are there at once;
	// empty for everywhere.
	Guild string
	// BaseURL is where Discord is: https://discord.com/ unless a proxy stands
	// before it, or a test. REST calls and the gateway's discovery go there.
	BaseURL *url.URL
	Bot     *bot.Bot
	Log     *slog.Logger
}

// ErrToken says that Discord does not know the token.
//
//lint:ignore ST1005 Discord is a name
var ErrToken = errors.New("Discord refuses the token")

// drain is how long Run waits for answers in progress when it is to end.
const drain = 10 * time.Second

// Run serves Discord until ctx ends, and then returns nil when what was in
// progress is answered. It returns an error only for what waiting cannot mend:
// ErrToken, or another of Discord's final refusals. All else it logs and tries
// again.
func Run(ctx context.Context, o Options) error { return run(ctx, o, defaultLimits) }

func run(ctx context.Context, o Options, limits limits) error {
	client := &http.Client{Timeout: 20 * time.Second, Transport: newTransport(o.BaseURL)}
	rest, err := newSession(o.Token, client)
	if err != nil {
		return err
	}
	api := &sender{session: rest}
	f := newFront(o.Bot, api, o.Log)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &gateway{
		token:   o.Token,
		client:  client,
		log:     o.Log,
		handle:  func(raw []byte) { f.receive(ctx, raw) },
		limits:  limits,
		onReady: make(chan string, 1),
	}
	var refused error // what ends registering for good
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
	f.dispatcher.drain(drain)
	if err == nil {
		err = refused
	}
	return err
}

// newSession returns a session of discordgo that keeps nothing, asks for no
// events but those that come unasked (interactions do), logs nothing (its log
// would hold the token) and leaves reconnecting to gateway.
func newSession(token string, client *http.Client) (*discordgo.Session, error) {
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

// front answers interactions.
type front struct {
	find       func(command string) (bot.Command, bool)
	handle     func(context.Context, bot.Request) bot.Reply
	complete   func(ctx context.Context, r bot.Request, option, typed string) []bot.Choice
	log        *slog.Logger
	answerer   answerer
	dispatcher *dispatcher
}

func newFront(b *bot.Bot, api *sender, log *slog.Logger) *front {
	return &front{
		find:     b.Table.Find,
		handle:   b.Handle,
		complete: b.Complete,
		log:      log,
		answerer: answerer{
			respond: api.respond,
			edit:    api.edit,
			follow:  api.follow,
			remove:  api.remove,
			late:    late,
			limit:   handleLimit,
			log:     log,
		},
		dispatcher: newDispatcher(maxInFlight, log),
	}
}

// receive takes the raw event of an interaction and has it answered. It waits
// only while too many others are being answered.
func (f *front) receive(ctx context.Context, raw []byte) {
	i, err := decodeInteraction(raw)
	if err != nil {
		f.log.Error("an interaction cannot be read", "error", err)
		return
	}
	f.dispatcher.run(ctx, i.ID, func(ctx context.Context) { f.serve(ctx, i) })
}

func (f *front) serve(ctx context.Context, i interaction) {
	switch i.Type {
	case discordgo.InteractionApplicationCommand:
		r := i.request()
		command, _ := f.find(r.Command)
		f.answerer.answer(ctx, i, command.Audience != bot.Everyone, func(ctx context.Context) bot.Reply {
			return f.handle(ctx, r)
		})
	case discordgo.InteractionApplicationCommandAutocomplete:
		f.answerer.propose(ctx, i, func(ctx context.Context) []bot.Choice {
			option, typed := i.focused()
			return f.complete(ctx, i.request(), option, typed)
		})
	case discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		r, ok := f.pressed(i)
		f.answerer.answer(ctx, i, true, func(ctx context.Context) bot.Reply {
			if !ok {
				return bot.Outdated()
			}
			return f.handle(ctx, r)
		})
	default:
		f.log.Warn("an interaction of an unknown type", "id", i.ID, "type", int(i.Type))
	}
}
