package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/bot/play"
	botsolve "fivefold/bot/solve"
	"fivefold/storage"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage/bolt"
)

// hiddenWord is what every game of these tests is about, unless a script says
// otherwise. It must never be logged.
const hiddenWord = "crane"

var embedded = sync.OnceValues(wordle.Embedded)

func testContext(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func mustLists(tb testing.TB) *wordle.Lists {
	tb.Helper()
	lists, err := embedded()
	must(tb, err)
	return lists
}

func mustStore(tb testing.TB) storage.Store {
	tb.Helper()
	store, err := bolt.Open(filepath.Join(tb.TempDir(), "fivefold.db"))
	must(tb, err)
	tb.Cleanup(func() { must(tb, store.Close()) })
	return store
}

// mustBot returns a bot whose games hide the word.
func mustBot(tb testing.TB, store storage.Store, hidden string, log *slog.Logger) *bot.Bot {
	tb.Helper()
	lists := mustLists(tb)
	s := solver.New(lists)
	s.SuggestTime, s.ReviewTime = time.Minute, time.Minute // the same on a slow machine
	weighted := weighted.New(lists)
	weighted.AdviseTime = 0 // the same advice on a slow machine
	handlers := &play.Handlers{
		Log: log,
		Solve: &botsolve.Handlers{
			Words:  &solve.Words{Store: store, Solver: weighted},
			Boards: &solve.Boards{Store: store, Solver: &boards.Solver{Time: time.Minute}},
			Lists:  lists,
			Log:    log,
		},
		Games: &game.Manager{
			Store: undrawn{store}, Lists: lists, Solver: s, Boards: &boards.Solver{Time: time.Minute},
			Pick: func(n int) int { return pick(tb, lists, n, hidden) },
		},
	}
	b := &bot.Bot{Table: handlers.Table(), Log: log}
	games.Store(b, handlers.Games)
	return b
}

// games are the managers of the bots that mustBot made.
var games sync.Map

func gamesOf(b *bot.Bot) *game.Manager {
	m, _ := games.Load(b)
	return m.(*game.Manager)
}

// quickDeal is the number of a deal of the poker game that is made and listed in some
// milliseconds.
const quickDeal = 51

// pick picks the hidden word from all answers, of deals quickDeal, and of hints
// always the first.
func pick(tb testing.TB, lists *wordle.Lists, n int, hidden string) int {
	switch n {
	case len(lists.Answers()):
	case math.MaxInt:
		return quickDeal
	default:
		return 0
	}
	for i, w := range lists.Answers() {
		if w == wordle.MustParse(hidden) {
			return i
		}
	}
	tb.Errorf("%q is not among the answers", hidden)
	return 0
}

// undrawn is a store that offers every answer to be picked. A word that was
// drawn in the same place before still conflicts.
type undrawn struct{ game.Store }

func (undrawn) Drawn(context.Context, string) ([]wordle.Word, error) { return nil, nil }

// diary is a log at debug level. When the test ends, it must hold no secret.
type diary struct {
	*slog.Logger
	mu      sync.Mutex // protects the fields below
	text    bytes.Buffer
	changed chan struct{} // closed by the next line
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.changed)
	d.changed = make(chan struct{})
	return d.text.Write(b)
}

// mustSay waits until the text is in the log.
func (d *diary) mustSay(tb testing.TB, text string) {
	tb.Helper()
	ctx := testContext(tb)
	for {
		d.mu.Lock()
		said, changed := strings.Contains(d.text.String(), text), d.changed
		d.mu.Unlock()
		if said {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			tb.Fatalf("the log does not say %q", text)
		}
	}
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// secrets are what no log may hold: the bot's token, the interactions' tokens,
// and the hidden word.
var secrets = regexp.MustCompile(`(?i)test-token-|interaction-token-|` + hiddenWord)

func newDiary(tb testing.TB) *diary {
	d := &diary{changed: make(chan struct{})}
	d.Logger = slog.New(slog.NewTextHandler(d, &slog.HandlerOptions{Level: slog.LevelDebug}))
	tb.Cleanup(func() {
		for line := range strings.Lines(d.String()) {
			if secrets.MatchString(line) {
				tb.Errorf("a secret is in the log: %s", line)
			}
			if tb.Failed() {
				tb.Log(strings.TrimSpace(line))
			}
		}
	})
	return d
}

// running is a bot that serves a fake Discord.
type running struct {
	log    *diary
	cancel context.CancelFunc
	done   chan error // gets what Run returned
}

// mustRun starts Run, and ends it with the test unless that was done before.
func mustRun(tb testing.TB, s *discordtest.Server, store storage.Store, change ...func(*Options, *limits)) *running {
	tb.Helper()
	log := newDiary(tb)
	o := Options{Token: s.Token(), BaseURL: mustURL(tb, s.URL()), Bot: mustBot(tb, store, hiddenWord, log.Logger), Log: log.Logger}
	l := defaultLimits
	l.firstWait = 20 * time.Millisecond
	for _, c := range change {
		c(&o, &l)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{log, cancel, make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.done <- run(ctx, o, l)
	}()
	tb.Cleanup(func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			tb.Error("Run does not end")
		}
	})
	return r
}

// mustReady starts Run and waits until the bot is connected and registered.
func mustReady(tb testing.TB, s *discordtest.Server, change ...func(*Options, *limits)) *running {
	tb.Helper()
	r := mustRun(tb, s, mustStore(tb), change...)
	must(tb, s.WaitReady(testContext(tb), 1))
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
	ctx := testContext(tb)
	for {
		all := s.Requests()
		found := 0
		for _, r := range all {
			if kind(r) {
				found++
			}
		}
		if found >= n {
			return
		}
		must(tb, s.WaitRequests(ctx, len(all)+1))
	}
}

// mustEnd waits until Run returns, and returns what.
func (r *running) mustEnd(tb testing.TB) error {
	tb.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(20 * time.Second):
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
	a, err := c.Message(testContext(tb))
	must(tb, err)
	return a
}

func mustURL(tb testing.TB, text string) *url.URL {
	tb.Helper()
	u, err := url.Parse(text)
	must(tb, err)
	return u
}

// mustSender returns a sender to a base URL.
func mustSender(tb testing.TB, token, base string) *sender {
	tb.Helper()
	client := &http.Client{Transport: newTransport(mustURL(tb, base))}
	tb.Cleanup(client.CloseIdleConnections)
	session, err := newSession(token, client)
	must(tb, err)
	return &sender{session: session}
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
