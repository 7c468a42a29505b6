package discord

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/daypost"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/bot/kinds"
	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/storage"
)

// hiddenWord is the hidden word of every game in these tests, unless a script says
// otherwise. It must never be logged.
const hiddenWord = "crane"

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func mustStore(tb testing.TB) *storage.Store {
	tb.Helper()
	store := mustStoreIn(tb, tb.TempDir())
	tb.Cleanup(func() { must(tb, store.Close()) })
	return store
}

// mustStoreIn returns the store in a folder, which the caller closes.
func mustStoreIn(tb testing.TB, folder string) *storage.Store {
	tb.Helper()
	store, err := storage.Open(tb.Context(), "bolt:"+filepath.Join(folder, "fivefold.db"), kinds.Codecs(), storage.Options{})
	must(tb, err)
	return store
}

// mustHandlers returns handlers whose games hide the words.
func mustHandlers(tb testing.TB, store *storage.Store, hidden func() string, log *slog.Logger) (commands.Handlers, *matches.Manager) {
	tb.Helper()
	parts := commandstest.Dependencies(tb, store, log, hidden)
	parts.Games.Store = forgetful{store}
	return commands.New(parts), parts.Games
}

// table is the table of commands, for tests that do not run them.
func table() bot.Table {
	return commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()
}

// forgetful is a store that offers every answer again. An answer that was drawn in the
// same place before still conflicts.
type forgetful struct{ matches.Store }

func (f forgetful) LoadToStart(ctx context.Context, s game.Slot, list string) (game.Match, []string, error) {
	latest, _, err := f.Store.LoadToStart(ctx, s, list)
	return latest, nil, err
}

// running is a bot that serves a fake Discord.
type running struct {
	log    *discordtest.Log
	cancel context.CancelFunc
	done   chan error // gets what Run returned
}

// setup is what a test may change before its bot runs.
type setup struct {
	Options
	timings timings
	hidden  func() string // the hidden word of the next game
	games   *matches.Manager
	days    *daypost.Handlers
	started func(*front) // before it serves
}

// mustRun starts Run, and stops it when the test ends, if it still runs.
func mustRun(tb testing.TB, s *discordtest.Server, store *storage.Store, change ...func(*setup)) *running {
	tb.Helper()
	log := discordtest.NewLog(tb)
	var o setup
	handlers, games := mustHandlers(tb, store, func() string { return o.hidden() }, log.Logger)
	o = setup{
		hidden: func() string { return hiddenWord },
		Options: Options{
			Token: s.Token(), BaseURL: mustURL(tb, s.URL()), Log: log.Logger,
			Bot: &bot.Bot{Table: handlers.Table(), Log: log.Logger, Look: preferences.Store{Records: store}.PlayerLook}, Registrations: store,
			Observer: unobserved{},
		},
		timings: patient(hurried(defaultTimings)),
		games:   games,
		days:    handlers.DayPost,
		started: func(*front) {},
	}
	o.Watch = handlers.Shows
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{log, cancel, make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f := newFront(o.Options, o.client(o.timings), o.timings)
		o.started(f)
		r.done <- f.live(ctx, o.Options)
	}()
	tb.Cleanup(func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(5 * time.Minute):
			tb.Error("Run does not end")
		}
	})
	return r
}

// hurried returns timings without the waits that are kind to Discord.
func hurried(t timings) timings {
	const short = 20 * time.Millisecond
	t.gateway.MinBackoff, t.gateway.Spacing, t.gateway.StartInterval, t.gateway.MinStartGap = short, short, short, short
	return t
}

// patient returns timings that refuse no interaction for being one too many or too late, defer no
// response, space no calls and give up nothing: tests ask for more at once than people do, a machine may be slow or stand
// still for a while, and recorded interactions are years old.
func patient(t timings) timings {
	t.deferAfter, t.handlerTimeout, t.board, t.channelsKept = time.Hour, time.Hour, time.Hour, time.Hour
	t.gateway.Connect, t.gateway.Ready = time.Hour, time.Hour
	t.call, t.send, t.register, t.response, t.drain = time.Hour, time.Hour, time.Hour, time.Hour, time.Hour
	t.http.Header, t.http.Read, t.http.Write, t.http.Idle, t.http.Drain = time.Hour, time.Hour, time.Hour, time.Hour, time.Hour
	t.spacing = 0
	t.limits.PerPlayer, t.limits.PerChannel = 64, 64
	t.limits.MaxWait, t.limits.MaxAge = time.Hour, 100*365*24*time.Hour
	return t
}

// mustReady starts Run and waits until the bot is connected and registered.
func mustReady(tb testing.TB, s *discordtest.Server, change ...func(*setup)) *running {
	tb.Helper()
	r := mustRun(tb, s, mustStore(tb), change...)
	must(tb, s.WaitReady(discordtest.Context(tb), 1))
	r.log.MustSay(tb, "connected to Discord")
	mustRegister(tb, s, 1)
	return r
}

// mustRegister waits for the n-th registration.
func mustRegister(tb testing.TB, s *discordtest.Server, n int) {
	tb.Helper()
	mustSee(tb, s, func(r discordtest.Request) bool { return r.Method == "PUT" && r.Status == 200 }, n)
}

// mustSee waits until there were n REST calls of a kind.
func mustSee(tb testing.TB, s *discordtest.Server, kind func(discordtest.Request) bool, n int) {
	tb.Helper()
	ctx := discordtest.Context(tb)
	for all := 0; countOf(s, kind) < n; all++ {
		must(tb, s.WaitRequests(ctx, all+1))
	}
}

// countOf counts the REST calls of a kind.
func countOf(s *discordtest.Server, kind func(discordtest.Request) bool) int {
	return len(slices.DeleteFunc(s.Requests(), func(r discordtest.Request) bool { return !kind(r) }))
}

// mustEnd waits until Run returns, and returns its error.
func (r *running) mustEnd(tb testing.TB) error {
	tb.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(5 * time.Minute):
		tb.Fatal("Run does not end")
		return nil
	}
}

// mustAnswer sends an interaction and returns what the player finally sees.
func mustAnswer(tb testing.TB, s *discordtest.Server, i discordtest.Interaction) discordtest.Answer {
	tb.Helper()
	return mustMessage(tb, s.Invoke(i))
}

func mustMessage(tb testing.TB, c *discordtest.Call) discordtest.Answer {
	tb.Helper()
	a, err := c.Message(discordtest.Context(tb))
	must(tb, err)
	return a
}

func mustURL(tb testing.TB, text string) *url.URL {
	tb.Helper()
	u, err := url.Parse(text)
	must(tb, err)
	return u
}

func guessOf(word string) discordtest.Interaction {
	return discordtest.Interaction{Command: "guess", Options: map[string]any{"word": word}}
}

func mustDecode(tb testing.TB, raw []byte, v any) {
	tb.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		tb.Fatalf("%s: %v", raw, err)
	}
}

// written returns lines as the text of a message.
func written(lines []bot.Line) string {
	return interaction.Text(interaction.NewMessage(lines...).Components)
}

// The types of first responses.
const (
	typeMessage         = 4
	typeDeferredMessage = 5
	typeDeferredUpdate  = 6
	typeUpdate          = 7
	typeChoices         = 8
	typeModal           = 9
)

// answered waits until there were n first responses, deferred ones included.
func answered(t *testing.T, discord *discordtest.Server, n int) {
	mustSee(t, discord, func(r discordtest.Request) bool { return strings.HasSuffix(r.Path, "/callback") }, n)
}

// unobserved is an Observer that learns nothing.
type unobserved struct{}

func (unobserved) Begun(string, time.Duration)          {}
func (unobserved) Ended(string, Outcome, time.Duration) {}
func (unobserved) GatewayChanged(int, bool)             {}
func (unobserved) Identified(int, int)                  {}
func (unobserved) WatchQueue(func() admission.Stats)    {}
func (unobserved) Responded(int)                        {}
func (unobserved) Refused(string)                       {}
