package discord

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

// outcome is what an answerer sent, and when.
type outcome struct {
	mu      sync.Mutex // protects the fields below
	first   []response
	firstAt time.Duration
	edits   []message
	follows []message
	removed int
}

// recorded returns an answerer that sends nothing but records it. It must be
// made in a bubble.
func recorded(tb testing.TB, failing error) (*answerer, *outcome) {
	o := &outcome{}
	began := time.Now()
	return &answerer{
		respond: func(_ context.Context, _ interaction, r response) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.first = append(o.first, r)
			o.firstAt = time.Since(began)
			return failing
		},
		edit: func(_ context.Context, _ interaction, m message) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.edits = append(o.edits, m)
			return nil
		},
		follow: func(_ context.Context, _ interaction, m message) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.follows = append(o.follows, m)
			return nil
		},
		remove: func(context.Context, interaction) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.removed++
			return nil
		},
		late: late, limit: handleLimit, log: newDiary(tb).Logger,
	}, o
}

var asked = interaction{ID: "7", Token: "interaction-token-7"}

func told(text string, private bool) bot.Reply {
	audience := bot.Everyone
	if private {
		audience = bot.Asker
	}
	return bot.Reply{Audience: audience, Lines: []bot.Line{{Text: []bot.Span{{Text: text}}}}}
}

func TestAnswer(t *testing.T) {
	lasting := func(d time.Duration, r bot.Reply) func(context.Context) bot.Reply {
		return func(context.Context) bot.Reply { time.Sleep(d); return r }
	}
	panicking := func(d time.Duration) func(context.Context) bot.Reply {
		return func(context.Context) bot.Reply { time.Sleep(d); panic("of the test") }
	}
	apology := draw(bot.Apology("7"))
	for name, test := range map[string]struct {
		handle  func(context.Context) bot.Reply
		private bool // the command

		kind  int
		at    time.Duration
		flags int
		text  string // of the first answer, or of the edit of a promise
	}{
		"at once":              {lasting(0, told("hi", false)), false, typeMessage, 0, 0, "hi"},
		"at once, private":     {lasting(0, told("hi", true)), false, typeMessage, 0, flagEphemeral, "hi"},
		"just in time":         {lasting(late-1, told("hi", false)), false, typeMessage, late - 1, 0, "hi"},
		"late":                 {lasting(2*time.Second, told("hi", false)), false, typePromise, late, 0, "hi"},
		"late refusal":         {lasting(2*time.Second, told("no", true)), false, typePromise, late, 0, "no"},
		"late, private":        {lasting(10*time.Second, told("hi", true)), true, typePromise, late, flagEphemeral, "hi"},
		"panics":               {panicking(0), false, typeMessage, 0, flagEphemeral, apology},
		"panics late":          {panicking(2 * time.Second), true, typePromise, late, flagEphemeral, apology},
		"ignores its context":  {lasting(time.Hour, told("hi", false)), false, typePromise, late, 0, apology},
		"obeys it just so":     {lasting(handleLimit+late/2, told("hi", false)), false, typePromise, late, 0, "hi"},
		"knows when to end it": {waiting, false, typePromise, late, 0, "time is up"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, got := recorded(t, nil)
				began := time.Now()
				a.answer(t.Context(), asked, test.private, test.handle)
				if took := time.Since(began); took > handleLimit+late {
					t.Errorf("took %v, at most %v", took, handleLimit+late)
				}
				if len(got.first) != 1 || got.first[0].Type != test.kind || got.firstAt != test.at {
					t.Fatalf("first answers: got %+v at %v, want one of type %d at %v", got.first, got.firstAt, test.kind, test.at)
				}
				final := got.edits
				if test.kind == typeMessage {
					final = append(final, got.first[0].Data.(message))
				} else if want := promise(test.flags == flagEphemeral); got.first[0] != want {
					t.Errorf("promise: got %+v, want %+v", got.first[0], want)
				}
				if len(final) != 1 || final[0].Content != test.text {
					t.Fatalf("got %+v, want one message %q", final, test.text)
				}
				if test.kind == typeMessage && final[0].Flags != test.flags {
					t.Errorf("flags: got %d, want %d", final[0].Flags, test.flags)
				}
				if test.kind == typePromise && final[0].Flags != 0 {
					t.Errorf("the edit has flags %d, want none: the promise fixed them", final[0].Flags)
				}
				time.Sleep(2 * time.Hour) // until the handler that lasts is done
			})
		})
	}
}

// waiting lasts as long as it may.
func waiting(ctx context.Context) bot.Reply {
	<-ctx.Done()
	return told("time is up", true)
}

func TestFailedAnswerIsNotSentAgain(t *testing.T) {
	for name, lasts := range map[string]time.Duration{"answer": 0, "promise": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, got := recorded(t, errors.New("cut"))
				a.answer(t.Context(), asked, false, func(context.Context) bot.Reply {
					time.Sleep(lasts)
					return told("hi", false)
				})
				if len(got.first) != 1 {
					t.Errorf("the first answer was sent %d times", len(got.first))
				}
			})
		})
	}
}

func TestPropose(t *testing.T) {
	crane := []bot.Choice{{Name: "CRANE", Value: "crane"}}
	for name, test := range map[string]struct {
		complete func() []bot.Choice
		at       time.Duration
		want     int
	}{
		"at once": {func() []bot.Choice { return crane }, 0, 1},
		"none":    {func() []bot.Choice { return nil }, 0, 0},
		"late":    {func() []bot.Choice { time.Sleep(2 * time.Second); return crane }, late, 0},
		"panics":  {func() []bot.Choice { panic("of the test") }, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, got := recorded(t, nil)
				a.propose(t.Context(), asked, func(context.Context) []bot.Choice { return test.complete() })
				if len(got.first) != 1 || got.firstAt != test.at {
					t.Fatalf("got %+v at %v, want one answer at %v", got.first, got.firstAt, test.at)
				}
				list, ok := got.first[0].Data.(choiceList)
				if got.first[0].Type != typeProposals || !ok || list.Choices == nil || len(list.Choices) != test.want {
					t.Errorf("got %+v, want %d choices", got.first[0], test.want)
				}
				time.Sleep(time.Minute) // until a late one is done
			})
		})
	}
}

// troubled is a store that takes its time to load, fails or panics.
type troubled struct {
	game.Store
	load func() error // before each Load
}

func (s troubled) Load(ctx context.Context, t game.Table) (game.Match, error) {
	if err := s.load(); err != nil {
		return game.Match{}, err
	}
	return s.Store.Load(ctx, t)
}

// TestSlowStore asks a bot whose store is slow, as a disk can be. The fake takes
// no answer that comes after three seconds.
func TestSlowStore(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s, func(o *Options, _ *limits) {
		games := gamesOf(o.Bot)
		games.Store = troubled{games.Store, func() error { time.Sleep(3500 * time.Millisecond); return nil }}
	})
	var calls []*discordtest.Call
	for range 30 {
		calls = append(calls, s.Invoke(discordtest.Interaction{Command: "wordle board"}))
	}
	typed := s.Invoke(discordtest.Interaction{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word"})
	for _, c := range calls {
		a := mustMessage(t, c)
		first, err := c.First(testContext(t))
		must(t, err)
		if first.Type != typePromise || !strings.Contains(a.Content, "No game") || len(c.Edits()) != 1 {
			t.Errorf("got %d after %v, then %q, with %d edits", first.Type, first.After, a.Content, len(c.Edits()))
		}
	}
	if a := mustMessage(t, typed); a.Type != typeProposals || a.After > late {
		t.Errorf("proposals: got %d after %v", a.Type, a.After)
	}
}

// TestPanicsAreAnswered lets every command that reads a match panic.
func TestPanicsAreAnswered(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustReady(t, s, func(o *Options, _ *limits) {
		games := gamesOf(o.Bot)
		games.Store = troubled{games.Store, func() error { panic("of the test") }}
	})
	for range 3 {
		a := mustAnswer(t, s, guessOf("slate"))
		if !strings.HasPrefix(a.Content, "Something went wrong on our side") || !a.Private {
			t.Errorf("got %q, want an apology", a.Content)
		}
		if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle help"}); !strings.Contains(a.Content, "Find the hidden") {
			t.Errorf("another command: got %q", a.Content)
		}
	}
	if n := strings.Count(r.log.String(), "panic while answering"); n != 3 {
		t.Errorf("%d panics are in the log, want 3", n)
	}
}

// TestFailingStore guesses the hidden word while the store fails. The log, which
// must not hold it, tells of the request.
func TestFailingStore(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	var failure atomic.Pointer[error]
	r := mustReady(t, s, func(o *Options, _ *limits) {
		games := gamesOf(o.Bot)
		games.Store = troubled{games.Store, func() error { return *failure.Load() }}
	})
	for _, test := range []struct {
		err       error
		want, log string
	}{
		{game.ErrDamaged, "Something went wrong on our side", "request failed"},
		{context.DeadlineExceeded, "That took too long on our side", "request timed out"},
	} {
		failure.Store(&test.err)
		a := mustAnswer(t, s, guessOf(hiddenWord))
		if !strings.HasPrefix(a.Content, test.want) || !a.Private {
			t.Errorf("%v: got %q", test.err, a.Content)
		}
		r.log.mustSay(t, test.log)
	}
}

// TestForms presses buttons, chooses from a menu and sends a form of a release
// that is gone.
func TestForms(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s)
	for _, i := range []discordtest.Interaction{
		{Type: discordtest.TypeComponent, CustomID: "old"},
		{Type: discordtest.TypeComponent, CustomID: "guess:7"},
		{Type: discordtest.TypeComponent, CustomID: "guess?letters=slate"},
		{Type: discordtest.TypeComponent, CustomID: "wordle board", Values: []string{"wordle board"}},
		{Type: discordtest.TypeModal, CustomID: "old", Options: map[string]any{"word": "slate"}},
	} {
		a := mustAnswer(t, s, i)
		if a.Type != typeMessage || !a.Private || !strings.HasPrefix(a.Content, "That does not work any more") {
			t.Errorf("type %d: got %+v", i.Type, a)
		}
	}
}

// TestUndelivered loses first answers in every way. The move counts all the
// same, and the log tells of it without a secret.
func TestUndelivered(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustReady(t, s)
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	s.FailNext("POST", "/callback", 500, 1)
	s.FailNext("POST", "/callback", 502, 1)
	s.FailNext("POST", "/callback", 429, 1)
	s.FailNext("POST", "/callback", 404, 1)
	s.LoseNext("POST", "/callback", 1)
	for n, word := range []string{"slate", "trace", "brace", "grace", "crate"} {
		s.Invoke(guessOf(word))
		mustSee(t, s, func(r discordtest.Request) bool { return strings.HasSuffix(r.Path, "/callback") }, n+2)
	}
	for _, text := range []string{"HTTP 500", "HTTP 502", "rate limited", "HTTP 404", "EOF"} {
		r.log.mustSay(t, text)
	}
	if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board"}); !strings.Contains(a.Content, "1 attempt left") {
		t.Errorf("got %s", a.Content)
	}
}
