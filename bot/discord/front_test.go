package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
	"fivefold/game/matches"
)

// recorder is a Discord that takes every call of a front and describes it. A call that fails and is made again counts as
// one.
type recorder struct {
	takes func(discordtest.Made) (id string, err error) // nil takes everything
	began time.Time

	mu    sync.Mutex // protects the fields below
	again string     // the call that has failed and may be made again
	calls []string
}

// newRecorder returns a front, and what it sends. It must be called in a synctest bubble.
func newRecorder(tb testing.TB) (*front, *recorder) {
	got := &recorder{began: time.Now()}
	log := discordtest.NewLog(tb).Logger
	client := calls.New(calls.Options{Token: "test-token-of-the-bot", Log: slog.New(slog.DiscardHandler), Transport: discordtest.Transport(got.take)})
	f := newFront(Options{Bot: &bot.Bot{Log: log}, Log: log, Observer: unobserved{}}, client, defaultTimings)
	tb.Cleanup(func() { f.queue.Drain(0) })
	return f, got
}

func (r *recorder) take(m discordtest.Made) (id string, err error) {
	call := m.What + string(m.Body)
	r.mu.Lock()
	if call != r.again {
		r.calls = append(r.calls, r.describe(m))
	}
	r.mu.Unlock()
	if r.takes != nil {
		id, err = r.takes(m)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.again = ""; err != nil {
		r.again = call
	}
	return id, err
}

// whatOf names a call as [discordtest.Made] does, and first responses by their type.
func whatOf(m discordtest.Made) string {
	if m.What == "respond" {
		return map[int]string{
			typeMessage: "message", typeDeferredMessage: "defer", typeDeferredUpdate: "acknowledge", typeUpdate: "update", typeChoices: "choices", typeModal: "form",
		}[m.Type]
	}
	return m.What
}

// describe says what a call shows to whom, with files and labels of buttons in brackets. An edit without brackets leaves
// them as they are. Before a first response is its time, unless it is sent at once.
func (r *recorder) describe(m discordtest.Made) string {
	words := []string{whatOf(m)}
	if at := time.Since(r.began); m.What == "respond" && at > 0 {
		words = []string{at.String(), words[0]}
	}
	if m.Flags&interaction.FlagEphemeral != 0 {
		words = append(words, "privately")
	}
	if words = append(words, strings.NewReplacer(
		written(bot.Apology("7").Lines()), "apology", written(bot.ShownBelow().Lines()), "moved",
	).Replace(m.Content)); m.Content == "" {
		return strings.Join(words[:len(words)-1], " ")
	}
	type message struct {
		Attachments []struct{ Filename, Description string }
		Components  []discordtest.Component
	}
	var sent struct {
		message
		Data *message
	}
	if err := json.Unmarshal(m.Body, &sent); err != nil {
		panic(err)
	}
	shown := sent.message
	if sent.Data != nil {
		shown = *sent.Data
	}
	for _, a := range shown.Attachments {
		words = append(words, fmt.Sprintf("[%s %s]", a.Filename, a.Description))
	}
	for _, b := range discordtest.Pressable(shown.Components) {
		words = append(words, "["+b.Label+"]")
	}
	return strings.Join(words, " ")
}

// answering is an interaction, and how a front must answer it.
type answering struct {
	i        interaction.Interaction
	audience bot.Audience // of the command
	lasts    time.Duration
	reply    bot.Reply        // the zero one for a panic
	failing  map[string]error // by what fails
	want     string           // the calls
}

// checkAnswers has fronts answer interactions.
func checkAnswers(t *testing.T, all map[string]answering) {
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t)
				got.takes = func(m discordtest.Made) (string, error) { return "", test.failing[whatOf(m)] }
				c := bot.Command{Audience: test.audience, NewMessage: test.i.Data.CustomID == "review game"}
				answerBy(t, f, test.i, c, func(ctx context.Context) bot.Reply {
					select {
					case <-ctx.Done():
					case <-time.After(test.lasts):
					}
					if test.reply.Blocks == nil {
						panic("of the test")
					}
					return test.reply
				})
				if calls := strings.Join(got.calls, ", "); calls != test.want {
					t.Errorf("got  %q\nwant %q", calls, test.want)
				}
				time.Sleep(2 * time.Hour) // until the slowest picture is drawn
			})
		})
	}
}

var deferAfter = defaultTimings.deferAfter

var asked = interaction.Interaction{ID: "7", Token: "interaction-token-7"}

// replyTo is a reply of one line.
func replyTo(audience bot.Audience, text string) bot.Reply {
	return bot.Reply{Audience: audience, Blocks: bot.Lines(bot.Text(text))}
}

func public(text string) bot.Reply    { return replyTo(bot.Everyone, text) }
func ephemeral(text string) bot.Reply { return replyTo(bot.Asker, text) }

// answerBy has a front answer an interaction by what a function replies.
func answerBy(t *testing.T, f *front, i interaction.Interaction, c bot.Command, handle func(context.Context) bot.Reply) {
	c.Run = func(ctx context.Context, _ bot.Request) (bot.Reply, error) { return handle(ctx), nil }
	f.answer(t.Context(), i, c, bot.Request{ID: game.RequestID(i.ID)})
}

// take has a front take the raw event of an interaction, as from the gateway.
func take(f *front, raw []byte) {
	var i interaction.Interaction
	if err := interaction.Decode(raw, &i); err != nil {
		panic(err)
	}
	f.Take(i)
}

// runBy has a front carry out every command by a function.
func runBy(f *front, run func(context.Context, bot.Request) bot.Reply) {
	f.bot.Table = bot.Table{Groups: map[string]string{"wordle": "a group"}}
	for _, name := range []string{"guess", "stats", "wordle board", "wordle start", "show", "count", "again", "ask"} {
		f.bot.Table.Commands = append(f.bot.Table.Commands, bot.Command{
			Name: name, Help: "a command", Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) { return run(ctx, r), nil },
		})
	}
}

// runAround has a front carry out every command by a function that is given the command's own Run.
func runAround(f *front, do func(run func() (bot.Reply, error)) (bot.Reply, error)) {
	f.bot.Table.Commands = slices.Clone(f.bot.Table.Commands)
	for i := range f.bot.Table.Commands {
		run := f.bot.Table.Commands[i].Run
		f.bot.Table.Commands[i].Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return do(func() (bot.Reply, error) { return run(ctx, r) })
		}
	}
}

// TestAnswer answers typed commands. A deferred response fixes who sees the answer.
func TestAnswer(t *testing.T) {
	const tardy = 2 * time.Second
	checkAnswers(t, map[string]answering{
		"at once":              {asked, bot.Everyone, 0, public("hi"), nil, "message hi"},
		"at once, private":     {asked, bot.Everyone, 0, ephemeral("hi"), nil, "message privately hi"},
		"just in time":         {asked, bot.Everyone, deferAfter - 1, public("hi"), nil, "1.499999999s message hi"},
		"late":                 {asked, bot.Everyone, tardy, public("hi"), nil, "1.5s defer, edit hi"},
		"late refusal":         {asked, bot.Everyone, tardy, ephemeral("no"), nil, "1.5s defer, edit no"},
		"late, private":        {asked, bot.Asker, tardy, ephemeral("hi"), nil, "1.5s defer privately, edit hi"},
		"panics":               {asked, bot.Everyone, 0, bot.Reply{}, nil, "message privately apology"},
		"panics late":          {asked, bot.Asker, tardy, bot.Reply{}, nil, "1.5s defer privately, edit apology"},
		"knows when to end it": {asked, bot.Everyone, 2 * time.Hour, ephemeral("time is up"), nil, "1.5s defer, edit time is up"},
	})
}

func TestAutocomplete(t *testing.T) {
	for name, test := range map[string]struct {
		complete func() []bot.Choice
		want     string
	}{
		"at once": {func() []bot.Choice { return []bot.Choice{{Name: "CRANE", Value: "crane"}} }, `{"type":8,"data":{"choices":[{"name":"CRANE","value":"crane"}]}}`},
		"none":    {func() []bot.Choice { return nil }, `{"type":8,"data":{"choices":[]}}`},
		"panics":  {func() []bot.Choice { panic("of the test") }, `{"type":8,"data":{"choices":[]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t)
				said := ""
				got.takes = func(m discordtest.Made) (string, error) { said += string(m.Body); return "", nil }
				o := bot.Option{Complete: func(context.Context, bot.Request, string) []bot.Choice { return test.complete() }}
				f.autocomplete(t.Context(), asked, bot.Command{Options: []bot.Option{o}}, bot.Request{})
				if said != test.want {
					t.Errorf("got %s", said)
				}
			})
		})
	}
}

// troubled is a store whose loading is slow, fails or panics.
type troubled struct {
	matches.Store
	load func() error // before each Load
}

func (s troubled) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	if err := s.load(); err != nil {
		return game.Match{}, err
	}
	return s.Store.Load(ctx, t)
}

// TestFailingStore guesses the hidden word while the store fails. The log shows
// the request, without the word.
func TestFailingStore(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	var failure atomic.Pointer[error]
	r := mustReady(t, s, func(o *setup) {
		games := o.games
		games.Store = troubled{games.Store, func() error { return *failure.Load() }}
	})
	for _, test := range []struct {
		err       error
		want, log string
	}{
		{game.ErrDamaged, "Something went wrong on our side", `msg="could not carry out a request"`},
		{context.DeadlineExceeded, "That took too long on our side", "could not carry out a request in time"},
	} {
		failure.Store(&test.err)
		a := mustAnswer(t, s, guessOf(hiddenWord))
		if !strings.HasPrefix(a.Content, test.want) || !a.Ephemeral {
			t.Errorf("%v: got %q", test.err, a.Content)
		}
		r.log.MustSay(t, test.log)
	}
}

// TestOutdatedComponents uses buttons and a modal that no command knows.
func TestOutdatedComponents(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s).log.MustSay(t, "registered the commands") // from then on texts name them as they can be clicked
	for _, test := range []struct {
		i    discordtest.Interaction
		show string // the command that shows what it was about
	}{
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "old"}, ""},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "guess:7"}, ""},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "guess?letters=slate"}, "wordle board"},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "pokle table"}, "pokle board"},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "pokle solve?board=x"}, "pokle solve"},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "solve next?letters=slate"}, "solve show"},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "solve again"}, "solve show"},
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "review game?game=7"}, "review list"},
		{discordtest.Interaction{Type: discordtest.TypeModal, CustomID: "old", Options: map[string]any{"word": "slate"}}, ""},
	} {
		a := mustAnswer(t, s, test.i)
		if a.Type != typeMessage || !a.Ephemeral || !strings.HasPrefix(a.Content, "That doesn't work any more") ||
			(test.show != "") != strings.Contains(a.Content, "Use </"+test.show+":") {
			t.Errorf("%s of type %d: got %+v", test.i.CustomID, test.i.Type, a)
		}
	}
}
