package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
	"fivefold/game/matches"
)

// sent is what a front sent for an interaction, and when. A call that fails and is made again
// counts as one.
type sent struct {
	// takes answers a call instead of newRecorder; nil for none.
	takes func(discordtest.Made) (id string, err error)

	mu        sync.Mutex // protects the fields below
	again     []byte     // of the call that has failed and may be made again
	first     []interaction.Response
	firstAt   time.Duration
	edits     []interaction.Message
	followUps []interaction.Message
	posts     []interaction.Message // by the bot
	deletions int
}

// newRecorder returns a front that records what it would send. Its first responses
// fail with an error, unless that is nil. It must be called in a synctest bubble.
func newRecorder(tb testing.TB, failing error) (*front, *sent) {
	got := &sent{}
	began := time.Now()
	client := calls.New(calls.Options{Token: "test-token-of-the-bot", Log: slog.New(slog.DiscardHandler), Transport: discordtest.Transport(
		func(m discordtest.Made) (string, error) {
			got.note(m, time.Since(began))
			var (
				id  string
				err error
			)
			switch {
			case got.takes != nil:
				id, err = got.takes(m)
			case m.What == "respond":
				err = failing
			}
			if err != nil {
				got.failed(m)
			}
			return id, err
		})})
	log := discordtest.NewLog(tb).Logger
	f := newFront(Options{Bot: &bot.Bot{Log: log}, Log: log, Observer: unobserved{}}, client, defaultTimings)
	tb.Cleanup(func() { f.queue.Drain(0) })
	return f, got
}

func (s *sent) failed(m discordtest.Made) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again = m.Body
}

func (s *sent) note(m discordtest.Made, at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Equal(m.Body, s.again) {
		return
	}
	s.again = nil
	switch m.What {
	case "respond":
		s.first, s.firstAt = append(s.first, readResponse(m)), at
	case "edit":
		s.edits = append(s.edits, readMessage(m))
	case "follow":
		s.followUps = append(s.followUps, readMessage(m))
	case "post":
		s.posts = append(s.posts, readMessage(m))
	case "delete":
		s.deletions++
	}
}

func readMessage(m discordtest.Made) interaction.Message {
	var sent struct {
		interaction.Message
		Data *interaction.Message `json:"data"`
	}
	if err := json.Unmarshal(m.Body, &sent); err != nil {
		panic(err)
	}
	if sent.Data != nil {
		sent.Message = *sent.Data
	}
	if m.File != "" {
		sent.Picture = &interaction.Picture{Name: m.File}
	}
	return sent.Message
}

func readResponse(m discordtest.Made) interaction.Response {
	switch m.Type {
	case typeMessage, typeUpdate:
		return interaction.Response{Type: discordgo.InteractionResponseType(m.Type), Data: readMessage(m)}
	case typeChoices:
		var sent struct {
			Data struct{ Choices []bot.Choice }
		}
		if err := json.Unmarshal(m.Body, &sent); err != nil {
			panic(err)
		}
		return interaction.Response{Type: discordgo.InteractionResponseType(m.Type), Data: sent.Data.Choices}
	case typeDeferredMessage:
		return deferredMessage(map[bool]bot.Audience{true: bot.Asker, false: bot.Everyone}[m.Flags == interaction.FlagEphemeral])
	}
	return interaction.Response{Type: discordgo.InteractionResponseType(m.Type)}
}

var (
	deferAfter     = defaultTimings.deferAfter
	handlerTimeout = defaultTimings.handlerTimeout
)

var asked = interaction.Interaction{ID: "7", Token: "interaction-token-7"}

// replyTo is a reply of one line.
func replyTo(audience bot.Audience, text string) bot.Reply {
	return bot.Reply{Audience: audience, Lines: []bot.Line{{Text: []bot.Span{{Text: text}}}}}
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

func TestAnswer(t *testing.T) {
	lasting := func(d time.Duration, r bot.Reply) func(context.Context) bot.Reply {
		return func(context.Context) bot.Reply { time.Sleep(d); return r }
	}
	panicking := func(d time.Duration) func(context.Context) bot.Reply {
		return func(context.Context) bot.Reply { time.Sleep(d); panic("of the test") }
	}
	apology := written(bot.Apology("7").Lines)
	for name, test := range map[string]struct {
		handle   func(context.Context) bot.Reply
		audience bot.Audience // of the command

		kind  discordgo.InteractionResponseType
		at    time.Duration
		flags int
		text  string // of the first response, or of the edit of a deferred one
	}{
		"at once":              {lasting(0, public("hi")), bot.Everyone, typeMessage, 0, 0, "hi"},
		"at once, private":     {lasting(0, ephemeral("hi")), bot.Everyone, typeMessage, 0, interaction.FlagEphemeral, "hi"},
		"just in time":         {lasting(deferAfter-1, public("hi")), bot.Everyone, typeMessage, deferAfter - 1, 0, "hi"},
		"late":                 {lasting(2*time.Second, public("hi")), bot.Everyone, typeDeferredMessage, deferAfter, 0, "hi"},
		"late refusal":         {lasting(2*time.Second, ephemeral("no")), bot.Everyone, typeDeferredMessage, deferAfter, 0, "no"},
		"late, private":        {lasting(10*time.Second, ephemeral("hi")), bot.Asker, typeDeferredMessage, deferAfter, interaction.FlagEphemeral, "hi"},
		"panics":               {panicking(0), bot.Everyone, typeMessage, 0, interaction.FlagEphemeral, apology},
		"panics late":          {panicking(2 * time.Second), bot.Asker, typeDeferredMessage, deferAfter, interaction.FlagEphemeral, apology},
		"knows when to end it": {waiting, bot.Everyone, typeDeferredMessage, deferAfter, 0, "time is up"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, nil)
				began := time.Now()
				answerBy(t, f, asked, bot.Command{Audience: test.audience}, test.handle)
				if took := time.Since(began); took > handlerTimeout+deferAfter {
					t.Errorf("took %v, at most %v", took, handlerTimeout+deferAfter)
				}
				if len(got.first) != 1 || got.first[0].Type != test.kind || got.firstAt != test.at {
					t.Fatalf("first responses: got %+v at %v, want one of type %d at %v", got.first, got.firstAt, test.kind, test.at)
				}
				final := got.edits
				if test.kind == typeMessage {
					final = append(final, got.first[0].Data.(interaction.Message))
				} else if want := deferredMessage(test.audience); got.first[0] != want {
					t.Errorf("deferred response: got %+v, want %+v", got.first[0], want)
				}
				if len(final) != 1 || final[0].Content != test.text {
					t.Fatalf("got %+v, want one message %q", final, test.text)
				}
				if test.kind == typeMessage && final[0].Flags != test.flags {
					t.Errorf("flags: got %d, want %d", final[0].Flags, test.flags)
				}
				if test.kind == typeDeferredMessage && final[0].Flags != 0 {
					t.Errorf("the edit has flags %d, want none: the deferred response fixed them", final[0].Flags)
				}
				time.Sleep(2 * time.Hour) // until the handler that lasts is done
			})
		})
	}
}

// waiting is a handler that takes all the time it has.
func waiting(ctx context.Context) bot.Reply {
	<-ctx.Done()
	return ephemeral("time is up")
}

func TestAutocomplete(t *testing.T) {
	crane := []bot.Choice{{Name: "CRANE", Value: "crane"}}
	for name, test := range map[string]struct {
		complete func() []bot.Choice
		at       time.Duration
		want     int
	}{
		"at once": {func() []bot.Choice { return crane }, 0, 1},
		"none":    {func() []bot.Choice { return nil }, 0, 0},
		"panics":  {func() []bot.Choice { panic("of the test") }, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, nil)
				o := bot.Option{Complete: func(context.Context, bot.Request, string) []bot.Choice { return test.complete() }}
				f.autocomplete(t.Context(), asked, bot.Command{Options: []bot.Option{o}}, bot.Request{})
				if len(got.first) != 1 || got.firstAt != test.at {
					t.Fatalf("got %+v at %v, want one response at %v", got.first, got.firstAt, test.at)
				}
				list, ok := got.first[0].Data.([]bot.Choice)
				if got.first[0].Type != typeChoices || !ok || list == nil || len(list) != test.want {
					t.Errorf("got %+v, want %d choices", got.first[0], test.want)
				}
				time.Sleep(time.Minute) // until a late one is done
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

// TestOutdatedComponents uses buttons, a menu and a modal that no command knows.
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
		{discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "wordle board", Values: []string{"wordle board"}}, "wordle board"},
		{discordtest.Interaction{Type: discordtest.TypeModal, CustomID: "old", Options: map[string]any{"word": "slate"}}, ""},
	} {
		a := mustAnswer(t, s, test.i)
		if a.Type != typeMessage || !a.Ephemeral || !strings.HasPrefix(a.Content, "That does not work any more") ||
			(test.show != "") != strings.Contains(a.Content, "Please use </"+test.show+":") {
			t.Errorf("%s of type %d: got %+v", test.i.CustomID, test.i.Type, a)
		}
	}
}

// deferredMessage is the response that announces a message.
func deferredMessage(audience bot.Audience) interaction.Response {
	if audience == bot.Everyone {
		return interaction.Response{Type: typeDeferredMessage}
	}
	return interaction.Response{Type: typeDeferredMessage, Data: interaction.FlagEphemeral}
}
