package discord

import (
	"context"
	"errors"
	"fivefold/bot/play"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

// press is the interaction of a pressed button, under a message that everybody
// sees or only the player.
func press(customID string, private bool) interaction {
	i := asked
	i.Type = discordgo.InteractionMessageComponent
	i.User = &user{ID: "1200000000000000001"}
	i.Data.CustomID = customID
	i.Data.ComponentType = componentButton
	if private {
		i.Message.Flags = flagEphemeral | 1<<2
	}
	return i
}

func TestAnswersToPresses(t *testing.T) {
	const (
		soon   = 0
		tardy  = 2 * time.Second
		tooOld = http.StatusNotFound
		field  = `[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]`
	)
	inPlace := func(r bot.Reply) bot.Reply { r.InPlace = true; return r }
	withButton := func(r bot.Reply) bot.Reply {
		r.Buttons = [][]bot.Button{{{Label: "A", Command: "wordle board"}}}
		return r
	}
	refusal := func(status int) error {
		return &discordgo.RESTError{Request: &http.Request{}, Response: &http.Response{StatusCode: status}}
	}
	for name, test := range map[string]struct {
		pressed interaction
		lasts   time.Duration
		reply   bot.Reply // the zero one for a panic
		failing error     // what the first answer fails with

		kind int    // of the first answer
		how  string // what shows the reply: the first answer, an edit, a follow-up or nothing
		want string // text, flags, and buttons: none for left out, [] for taken away
	}{
		"in place":                       {press("hint", false), soon, inPlace(told("hi", false)), nil, typeUpdate, "first", "hi 0 []"},
		"in place, with a button":        {press("hint", false), soon, withButton(inPlace(told("hi", false))), nil, typeUpdate, "first", "hi 0 [2 A wordle board]"},
		"in place, private":              {press("hint", true), soon, inPlace(told("hi", true)), nil, typeUpdate, "first", "hi 0 []"},
		"in place, public under private": {press("hint", true), soon, inPlace(told("hi", false)), nil, typeUpdate, "first", "hi 0 []"},
		"in place, private under public": {press("hint", false), soon, inPlace(told("hi", true)), nil, typeMessage, "first", "hi 64 none"},
		"a message":                      {press("hint", true), soon, withButton(told("hi", false)), nil, typeMessage, "first", "hi 0 [2 A wordle board]"},
		"a refusal":                      {press("hint", false), soon, told("no", true), nil, typeMessage, "first", "no 64 none"},
		"a panic":                        {press("hint", false), soon, bot.Reply{}, nil, typeMessage, "first", "apology 64 none"},

		"late, in place":                       {press("hint", false), tardy, inPlace(told("hi", false)), nil, typeUpdatePromise, "edit", "hi 0 []"},
		"late, in place, with a button":        {press("hint", false), tardy, withButton(inPlace(told("hi", false))), nil, typeUpdatePromise, "edit", "hi 0 [2 A wordle board]"},
		"late, in place, private":              {press("hint", true), tardy, inPlace(told("hi", true)), nil, typeUpdatePromise, "edit", "hi 0 []"},
		"late, in place, private under public": {press("hint", false), tardy, inPlace(told("hi", true)), nil, typeUpdatePromise, "follow-up", "hi 64 none"},
		"late, a message":                      {press("hint", true), tardy, withButton(told("hi", false)), nil, typeUpdatePromise, "follow-up", "hi 0 [2 A wordle board]"},
		"late, a refusal":                      {press("hint", false), tardy, told("no", true), nil, typeUpdatePromise, "follow-up", "no 64 none"},
		"late, a panic":                        {press("hint", true), tardy, bot.Reply{}, nil, typeUpdatePromise, "follow-up", "apology 64 none"},

		"late, the promise cut":               {press("hint", false), tardy, told("no", true), errors.New("cut"), typeUpdatePromise, "follow-up", "no 64 none"},
		"late, the promise failed":            {press("hint", false), tardy, told("no", true), refusal(500), typeUpdatePromise, "follow-up", "no 64 none"},
		"late, the promise refused":           {press("hint", false), tardy, told("no", true), refusal(tooOld), typeUpdatePromise, "nothing", ""},
		"late, in place, the promise refused": {press("hint", false), tardy, inPlace(told("hi", false)), refusal(tooOld), typeUpdatePromise, "edit", "hi 0 []"},

		// A form takes the place of the message that it was opened under.
		"a form, in place":                               {sent("hint", field, "public"), soon, inPlace(told("hi", false)), nil, typeUpdate, "first", "hi 0 []"},
		"a form, in place, private":                      {sent("hint", field, "private"), soon, inPlace(told("hi", true)), nil, typeUpdate, "first", "hi 0 []"},
		"a form, in place, private under public":         {sent("hint", field, "public"), soon, inPlace(told("hi", true)), nil, typeMessage, "first", "hi 64 none"},
		"a form, a message":                              {sent("hint", field, "private"), soon, told("hi", false), nil, typeMessage, "first", "hi 0 none"},
		"a form, a panic":                                {sent("hint", field, "public"), soon, bot.Reply{}, nil, typeMessage, "first", "apology 64 none"},
		"a form, late, in place":                         {sent("hint", field, "private"), tardy, inPlace(told("hi", true)), nil, typeUpdatePromise, "edit", "hi 0 []"},
		"a form, late, in place, private under public":   {sent("hint", field, "public"), tardy, inPlace(told("hi", true)), nil, typeUpdatePromise, "follow-up", "hi 64 none"},
		"a form, late, a message":                        {sent("hint", field, "public"), tardy, told("hi", false), nil, typeUpdatePromise, "follow-up", "hi 0 none"},
		"a form that was typed for":                      {sent("hint", field, "typed"), soon, inPlace(told("hi", false)), nil, typeMessage, "first", "hi 0 none"},
		"a form that was typed for, private":             {sent("hint", field, "typed"), soon, inPlace(told("hi", true)), nil, typeMessage, "first", "hi 64 none"},
		"a form that was typed for, late":                {sent("hint", field, "typed"), tardy, inPlace(told("hi", false)), nil, typePromise, "edit", "hi 0 []"},
		"a form that was typed for, the promise refused": {sent("hint", field, "typed"), tardy, inPlace(told("hi", false)), refusal(tooOld), typePromise, "edit", "hi 0 []"},

		// What was typed has nothing to take the place of.
		"typed":       {asked, soon, inPlace(told("hi", false)), nil, typeMessage, "first", "hi 0 none"},
		"typed, late": {asked, tardy, withButton(inPlace(told("hi", false))), nil, typePromise, "edit", "hi 0 [2 A wordle board]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, got := recorded(t, test.failing)
				a.answer(t.Context(), test.pressed, false, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					if test.reply.Lines == nil {
						panic("of the test")
					}
					return test.reply
				})
				if len(got.first) != 1 || got.first[0].Type != test.kind {
					t.Fatalf("first answers: got %+v, want one of type %d", got.first, test.kind)
				}
				how, shown := "nothing", slices.Concat(got.edits, got.follows)
				switch first, ok := got.first[0].Data.(message); {
				case ok:
					how, shown = "first", append(shown, first)
				case len(got.edits) > 0:
					how = "edit"
				case len(got.follows) > 0:
					how = "follow-up"
				}
				if how != test.how || len(shown) > 1 {
					t.Fatalf("got %s with %+v, want %s", how, shown, test.how)
				}
				if how == "nothing" {
					return
				}
				m, buttons := shown[0], "none"
				if m.Components != nil {
					buttons = "[]"
				}
				if len(m.Components) > 0 {
					buttons = written(m.Components)
				}
				text := strings.Replace(m.Content, draw(bot.Apology("7")), "apology", 1)
				if got := fmt.Sprintf("%s %d %s", text, m.Flags, buttons); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}

// TestPressed reads what buttons ask for. Of what no command of the table has,
// nothing is read.
func TestPressed(t *testing.T) {
	f := &front{find: new(play.Handlers).Table().Find}
	for name, test := range map[string]struct {
		i    interaction
		want string // the command, and the word if any; empty for nothing
	}{
		"a command":           {press("wordle board", false), "wordle board"},
		"an argument":         {press("guess?word=a+b%26c", true), "guess a b&c"},
		"an empty argument":   {press("guess?word=", true), "guess "},
		"no such command":     {press("wordle", false), ""},
		"no such option":      {press("guess?letters=slate", false), ""},
		"unreadable":          {press("guess:7", false), ""},
		"empty":               {press("", false), ""},
		"disabled":            {press("#1.1", false), ""},
		"from a menu":         {func() interaction { i := press("wordle board", false); i.Data.ComponentType = 3; return i }(), ""},
		"of no type, as none": {func() interaction { i := press("wordle board", false); i.Data.ComponentType = 0; return i }(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			i := test.i
			i.GuildID, i.ChannelID = "5", "6"
			r, ok := f.pressed(i)
			got := r.Command
			if word, given := r.Args["word"]; given {
				got += " " + word
			}
			if got != test.want || ok != (test.want != "") {
				t.Fatalf("got %q, %t, want %q", got, ok, test.want)
			}
			if !ok {
				return
			}
			if r.ID != "7" || r.Player != "1200000000000000001" || (r.Place != game.Place{Guild: "5", Channel: "6"}) || !r.Pressed || r.MayManage {
				t.Errorf("got %+v", r)
			}
		})
	}
	if r := asked.request(); r.Pressed {
		t.Errorf("a typed command is pressed: %+v", r)
	}
}

// TestPressIsARequest presses buttons for commands of the game, each press
// delivered twice, and loses an answer.
func TestPressIsARequest(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustReady(t, s)
	pressing := func(id string) discordtest.Interaction {
		return discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: id}
	}
	mustAnswer(t, s, pressing("wordle start?hard=true"))
	call := s.Invoke(pressing("guess?word=slate"))
	if a := mustMessage(t, call); a.Type != typeMessage || a.Private || !strings.Contains(a.Content, "5 attempts left") || !strings.Contains(a.Content, "Hard mode") {
		t.Errorf("got %+v", a)
	}
	s.Invoke(discordtest.Interaction{ID: call.ID()})
	r.log.mustSay(t, "already been acknowledged")
	for _, v := range s.Violations() {
		if !strings.Contains(v, "already been acknowledged") {
			t.Errorf("discord would not have it: %s", v)
		}
	}
	s.LoseNext("POST", "/callback", 1)
	s.Invoke(pressing("guess?word=trace"))
	r.log.mustSay(t, "EOF")
	if a := mustAnswer(t, s, pressing("guess?word=toolong")); !a.Private || !strings.Contains(a.Content, "7 letters") {
		t.Errorf("got %+v, want a refusal", a)
	}
	if a := mustAnswer(t, s, pressing("wordle board")); !strings.Contains(a.Content, "4 attempts left") {
		t.Errorf("got %s, want four attempts left", a.Content)
	}
}

// TestPanicAfterPress has the handler of a press panic, at once.
func TestPanicAfterPress(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustReady(t, s, func(o *Options, _ *limits) {
		games := gamesOf(o.Bot)
		games.Store = troubled{games.Store, func() error { panic("of the test") }}
	})
	a := mustAnswer(t, s, discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "wordle board"})
	if a.Type != typeMessage || !a.Private || !strings.HasPrefix(a.Content, "Something went wrong on our side") {
		t.Errorf("got %+v, want an apology", a)
	}
	r.log.mustSay(t, "panic while answering")
}

// TestPressedArguments: a button may carry what the command knows, and nothing else.
func TestPressedArguments(t *testing.T) {
	command := bot.Command{Name: "dance", Options: []bot.Option{{Name: "word"}}, Hidden: []string{"step"}}
	f := &front{find: func(string) (bot.Command, bool) { return command, true }}
	for _, test := range []struct {
		name, id string
		want     bool
	}{
		{"an option", "dance?word=waltz", true},
		{"what only buttons carry", "dance?step=2&word=waltz", true},
		{"neither", "dance?speed=2", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var i interaction
			i.Data.ComponentType, i.Data.CustomID = componentButton, test.id
			if _, got := f.pressed(i); got != test.want {
				t.Errorf("%s: got %t, want %t", test.id, got, test.want)
			}
		})
	}
}
