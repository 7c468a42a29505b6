package discord

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

func TestAnswersByModals(t *testing.T) {
	const field = `[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]`
	broken := withForm(ephemeral("hi"))
	broken.Form.Title = ""
	refusal := func(status, code int) error { return discordtest.Refusal{Status: status, Code: code} }
	for name, test := range map[string]struct {
		i       interaction.Interaction
		lasts   time.Duration
		reply   bot.Reply
		failing error
		want    string // the types of the first responses, and the texts of edits and follow-ups
	}{
		"typed":                {asked, 0, withForm(ephemeral("hi")), nil, "9"},
		"just in time":         {asked, deferAfter - 1, withForm(ephemeral("hi")), nil, "9"},
		"pressed":              {component("hint", false), 0, withForm(ephemeral("hi")), nil, "9"},
		"late":                 {asked, 2 * time.Second, withForm(ephemeral("hi")), nil, "5 edit hi"},
		"pressed, late":        {component("hint", false), 2 * time.Second, withForm(ephemeral("hi")), nil, "5 edit hi"},
		"after a form":         {modalSubmit("guess", field, "typed"), 0, withForm(ephemeral("hi")), nil, "4"},
		"after a pressed form": {modalSubmit("guess", field, "public"), 0, withForm(ephemeral("hi")), nil, "4"},
		"that cannot be shown": {asked, 0, broken, nil, "4"},

		"that Discord refuses":           {asked, 0, withForm(ephemeral("hi")), refusal(400, 50035), "9 4"},
		"refused for an earlier answer":  {asked, 0, withForm(ephemeral("hi")), refusal(400, 40060), "9"},
		"refused for being late":         {asked, 0, withForm(ephemeral("hi")), refusal(404, 10062), "9"},
		"that may have arrived":          {asked, 0, withForm(ephemeral("hi")), refusal(500, 0), "9"},
		"that met the limit of requests": {asked, 0, withForm(ephemeral("hi")), refusal(429, 0), "9"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, test.failing)
				answerBy(t, f, test.i, bot.Command{Audience: bot.Everyone}, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					return test.reply
				})
				var types []string
				for _, r := range got.first {
					types = append(types, fmt.Sprint(r.Type))
					if m, ok := r.Data.(interaction.Message); ok && m.Content != "hi" {
						t.Errorf("got %q", m.Content)
					}
				}
				for _, m := range got.edits {
					types = append(types, "edit "+m.Content)
				}
				for _, m := range got.followUps {
					types = append(types, "follow-up "+m.Content)
				}
				if got := strings.Join(types, " "); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}

// TestModals plays a script in which modals are filled in.
func TestModals(t *testing.T) {
	t.Parallel()
	s, _, _ := mustRunner(t, discordtest.New(t, inTwoServers), note(nil), 0)
	if got := s.play(noteScript); got != noteScript {
		t.Errorf("plays otherwise:\n%s\n%s", firstDifference(got, noteScript), got)
	}
}

// TestLateModals submits modals whose replies are ready only after the response
// was deferred, and presses a button whose form comes as late.
func TestLateModals(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, inTwoServers)
	var holding atomic.Bool
	var hold func()
	s, _, _ := mustRunner(t, discord, note(func() {
		if holding.Load() {
			hold()
		}
	}), 0)
	hold = deferNow(t, s)
	step := func(late bool, line string) string {
		holding.Store(late)
		return s.play(line)
	}
	const form = "(form)\n> A note\n> Word, word: \"slate\" such as \"slate\" (at most 5, required)\n> Text, text: \"\" (at most 100)\n"
	const buttons = "> [Write] [Whisper] [Post] [Again]\n"
	for _, test := range []struct {
		late       bool
		line, want string
	}{
		{false, "ana in general: /note word:slate text:a\n", "> slate: a.\n" + buttons},
		{false, "ana in general presses: Write\n", form},
		{true, "ana in general enters: text:b\n", "(posted)\n> slate: b.\n" + buttons},
		{false, "ana in general presses: Whisper\n", form},
		{true, "ana in general enters: text:c\n", "(private)\n> slate: c.\n" + buttons},
		{true, "ana in general presses: Write\n", "(private)\n(in place)\n> Write it with /note.\n> slate: c.\n" + buttons},
	} {
		if got := step(test.late, test.line); got != test.line+test.want {
			t.Errorf("got:\n%swant:\n%s%s", got, test.line, test.want)
		}
	}

	// A modal that a typed command opened has no message to update.
	if got := step(false, "ana in general: /note\n"); !strings.Contains(got, "(form)") {
		t.Fatalf("got %s", got)
	}
	holding.Store(true)
	opened := s.forms[len(s.forms)-1].call
	call, err := opened.Submit(discordtest.Context(t), map[string]string{"word": "slate", "text": "d"})
	must(t, err)
	a, err := call.FollowedUp(discordtest.Context(t), 1)
	must(t, err)
	first, err := call.First(discordtest.Context(t))
	must(t, err)
	if first.Type != typeDeferredMessage || !first.Ephemeral || a.Ephemeral || a.Content != "slate: d." {
		t.Errorf("got %+v, then %+v", first, a)
	}
}

// TestModalIsARequest submits a modal of the game twice, the second time after the
// bot was restarted.
func TestModalIsARequest(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	store := mustStore(t)
	r := mustRun(t, s, store)
	must(t, s.WaitReady(discordtest.Context(t), 1))
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	enter := func(id string, fields map[string]any) discordtest.Interaction {
		return discordtest.Interaction{Type: discordtest.TypeModal, CustomID: id, Options: fields}
	}
	call := s.Invoke(enter("guess", map[string]any{"word": "slate"}))
	if a := mustMessage(t, call); a.Type != typeMessage || a.Ephemeral || !strings.Contains(a.Content, "5 attempts left") {
		t.Errorf("got %+v", a)
	}
	r.cancel()
	must(t, r.mustEnd(t))
	again := mustRun(t, s, store)
	must(t, s.WaitReady(discordtest.Context(t), 2))
	s.Invoke(discordtest.Interaction{ID: call.ID()})
	again.log.MustSay(t, "already been acknowledged")
	for _, v := range s.Violations() {
		if !strings.Contains(v, "already been acknowledged") {
			t.Errorf("discord would not have it: %s", v)
		}
	}
	if a := mustAnswer(t, s, enter("guess", map[string]any{"word": "toolong"})); !a.Ephemeral || !strings.Contains(a.Content, "7 letters") {
		t.Errorf("got %+v, want a refusal", a)
	}
	if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle board"}); !strings.Contains(a.Content, "5 attempts left") {
		t.Errorf("got %s, want five attempts left", a.Content)
	}
}

// withForm adds a form to a reply.
func withForm(r bot.Reply) bot.Reply {
	r.Form = &bot.Form{Title: "A guess", Command: "guess", Fields: []bot.Field{{Name: "word", Label: "Word", Max: 5}}}
	return r
}

// note is a made-up command whose replies have forms. Each time a button is
// pressed or a modal submitted, hold is called first, unless it is nil.
func note(hold func()) bot.Command {
	line := func(text string) bot.Line { return bot.Line{Text: []bot.Span{{Text: text}}} }
	return bot.Command{
		Name:       "note",
		Options:    []bot.Option{{Name: "word"}, {Name: "text"}},
		HiddenArgs: []string{"do"},
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			if hold != nil && r.FromComponent {
				hold()
			}
			word, text := r.Args["word"], r.Args["text"]
			button := func(label, do string) bot.Button {
				return bot.Button{Label: label, Command: "note", Args: map[string]string{"word": word, "do": do}}
			}
			reply := bot.Reply{InPlace: true, Lines: []bot.Line{line(fmt.Sprintf("%s: %s.", word, strings.ReplaceAll(text, "\n", "/")))},
				Buttons: [][]bot.Button{{button("Write", "write"), button("Whisper", "whisper"), button("Post", "post"), button("Again", "again")}}}
			do := r.Args["do"]
			asks, then := strings.CutPrefix(do, "then-")
			if word == "" || do != "" && !then {
				form := &bot.Form{Title: "A note", Command: "note", Args: map[string]string{"do": "then-" + do}, Fields: []bot.Field{
					{Name: "word", Label: "Word", Help: "slate", Value: word, Required: true, Max: 5},
					{Name: "text", Label: "Text", Max: 100},
				}}
				return bot.Reply{Audience: bot.Asker, Form: form, Lines: []bot.Line{line("Write it with /note.")}}, nil
			}
			switch asks {
			case "whisper":
				reply.Audience = bot.Asker
			case "post":
				reply.InPlace = false
			case "again":
				reply.Audience = bot.Asker
				reply.Form = &bot.Form{Title: "Again", Command: "note", Fields: []bot.Field{{Name: "word", Label: "Word", Max: 5}}}
			}
			return reply, nil
		},
	}
}

// noteScript is a script of the made-up command.
const noteScript = `ana in general: /note
(form)
> A note
> Word, word: "" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
deliver again
(form)
> A note
> Word, word: "" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ana in general enters: word:slate text:"two\nlines"
> slate: two/lines.
> [Write] [Whisper] [Post] [Again]
deliver again
> slate: two/lines.
> [Write] [Whisper] [Post] [Again]

# A modal may update the message whose button opened it, whoever pressed it.
ben in general presses: Write
(form)
> A note
> Word, word: "slate" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ben in general enters: text:more
(in place)
> slate: more.
> [Write] [Whisper] [Post] [Again]
deliver again
(in place)
> slate: more.
> [Write] [Whisper] [Post] [Again]

# An ephemeral reply does not replace a message that everybody sees.
ben in general presses: Whisper
(form)
> A note
> Word, word: "slate" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ben in general enters: word:crate text: a word:b
(private)
> b:  a.
> [Write] [Whisper] [Post] [Again]
ben in general presses: Write
(form)
> A note
> Word, word: "b" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ben in general enters: word:crate
(private)
(in place)
> crate: .
> [Write] [Whisper] [Post] [Again]
ana in general presses: Post
(form)
> A note
> Word, word: "slate" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ana in general enters: text:x
> slate: x.
> [Write] [Whisper] [Post] [Again]

# A modal is never answered by a modal.
ana in general presses: Again
(form)
> A note
> Word, word: "slate" such as "slate" (at most 5, required)
> Text, text: "" (at most 100)
ana in general enters: text:x
(private)
> slate: x.
> [Write] [Whisper] [Post] [Again]
`
