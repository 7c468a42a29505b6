package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

func TestAnswersToComponents(t *testing.T) {
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
		return &calls.Error{Status: status}
	}
	for name, test := range map[string]struct {
		i       interaction.Interaction
		lasts   time.Duration
		reply   bot.Reply // the zero one for a panic
		failing error     // what the first response fails with

		kind discordgo.InteractionResponseType // of the first response
		how  string                            // what shows the reply: the first response, an edit, a message of the bot's or nothing
		want string                            // text, flags, and buttons: none for omitted, [] for removed
	}{
		"in place":                       {component("hint", false), soon, inPlace(public("hi")), nil, typeUpdate, "first", "hi 0 []"},
		"in place, with a button":        {component("hint", false), soon, withButton(inPlace(public("hi"))), nil, typeUpdate, "first", "hi 0 [2 A wordle board]"},
		"in place, private":              {component("hint", true), soon, inPlace(ephemeral("hi")), nil, typeUpdate, "first", "hi 0 []"},
		"in place, public under private": {component("hint", true), soon, inPlace(public("hi")), nil, typeUpdate, "first", "hi 0 []"},
		"in place, private under public": {component("hint", false), soon, inPlace(ephemeral("hi")), nil, typeMessage, "first", "hi 64 none"},
		"a message":                      {component("hint", true), soon, withButton(public("hi")), nil, typeMessage, "first", "hi 0 [2 A wordle board]"},
		"a refusal":                      {component("hint", false), soon, ephemeral("no"), nil, typeMessage, "first", "no 64 none"},
		"a panic":                        {component("hint", false), soon, bot.Reply{}, nil, typeMessage, "first", "apology 64 none"},

		// A late answer updates only messages that nobody else sees.
		"late, in place":                       {component("hint", false), tardy, inPlace(public("hi")), nil, typeDeferredMessage, "post", "hi 0 none"},
		"late, in place, private":              {component("hint", true), tardy, inPlace(ephemeral("hi")), nil, typeDeferredUpdate, "edit", "hi 0 []"},
		"late, in place, with a button":        {component("hint", true), tardy, withButton(inPlace(ephemeral("hi"))), nil, typeDeferredUpdate, "edit", "hi 0 [2 A wordle board]"},
		"late, in place, private under public": {component("hint", false), tardy, inPlace(ephemeral("hi")), nil, typeDeferredMessage, "edit", "hi 0 []"},
		"late, a message":                      {component("hint", true), tardy, withButton(public("hi")), nil, typeDeferredUpdate, "post", "hi 0 [2 A wordle board]"},
		"late, a refusal":                      {component("hint", false), tardy, ephemeral("no"), nil, typeDeferredMessage, "edit", "no 0 []"},
		"late, a refusal under private":        {component("hint", true), tardy, ephemeral("no"), nil, typeDeferredUpdate, "edit", "no\nold 0 none"},
		"late, a refusal with a button":        {component("hint", true), tardy, withButton(ephemeral("no")), nil, typeDeferredUpdate, "edit", "no\nold 0 [2 A wordle board]"},
		"late, the same refusal":               {component("hint", true), tardy, ephemeral("old"), nil, typeDeferredUpdate, "edit", "old 0 none"},
		"late, a long refusal":                 {component("hint", true), tardy, ephemeral(strings.Repeat("n", 2000-3)), nil, typeDeferredUpdate, "edit", strings.Repeat("n", 2000-3) + " 0 []"},
		"late, a panic":                        {component("hint", true), tardy, bot.Reply{}, nil, typeDeferredUpdate, "edit", "apology\nold 0 none"},

		"late, a new message":                  {component("review game", true), tardy, ephemeral("hi"), nil, typeDeferredMessage, "edit", "hi 0 []"},
		"late, a new message for all":          {component("review game", true), tardy, public("hi"), nil, typeDeferredMessage, "post", "hi 0 none"},
		"late, a new message under public":     {component("review game", false), tardy, ephemeral("hi"), nil, typeDeferredMessage, "edit", "hi 0 []"},
		"late, the deferral cut":               {component("hint", false), tardy, ephemeral("no"), errors.New("cut"), typeDeferredMessage, "edit", "no 0 []"},
		"late, the deferral failed":            {component("hint", false), tardy, ephemeral("no"), refusal(500), typeDeferredMessage, "edit", "no 0 []"},
		"late, the deferral refused":           {component("hint", true), tardy, ephemeral("no"), refusal(tooOld), typeDeferredUpdate, "nothing", ""},
		"late, for all, the deferral refused":  {component("hint", false), tardy, public("hi"), refusal(tooOld), typeDeferredMessage, "nothing", ""},
		"late, in place, the deferral refused": {component("hint", true), tardy, inPlace(ephemeral("hi")), refusal(tooOld), typeDeferredUpdate, "edit", "hi 0 []"},

		// A modal may update the message whose button opened it.
		"a form, in place":                                {modalSubmit("hint", field, "public"), soon, inPlace(public("hi")), nil, typeUpdate, "first", "hi 0 []"},
		"a form, in place, private":                       {modalSubmit("hint", field, "private"), soon, inPlace(ephemeral("hi")), nil, typeUpdate, "first", "hi 0 []"},
		"a form, in place, private under public":          {modalSubmit("hint", field, "public"), soon, inPlace(ephemeral("hi")), nil, typeMessage, "first", "hi 64 none"},
		"a form, a message":                               {modalSubmit("hint", field, "private"), soon, public("hi"), nil, typeMessage, "first", "hi 0 none"},
		"a form, a panic":                                 {modalSubmit("hint", field, "public"), soon, bot.Reply{}, nil, typeMessage, "first", "apology 64 none"},
		"a form, late, in place":                          {modalSubmit("hint", field, "private"), tardy, inPlace(ephemeral("hi")), nil, typeDeferredUpdate, "edit", "hi 0 []"},
		"a form, late, in place, private under public":    {modalSubmit("hint", field, "public"), tardy, inPlace(ephemeral("hi")), nil, typeDeferredMessage, "edit", "hi 0 []"},
		"a form, late, a message":                         {modalSubmit("hint", field, "public"), tardy, public("hi"), nil, typeDeferredMessage, "post", "hi 0 none"},
		"a form that was typed for":                       {modalSubmit("hint", field, "typed"), soon, inPlace(public("hi")), nil, typeMessage, "first", "hi 0 none"},
		"a form that was typed for, private":              {modalSubmit("hint", field, "typed"), soon, inPlace(ephemeral("hi")), nil, typeMessage, "first", "hi 64 none"},
		"a form that was typed for, late":                 {modalSubmit("hint", field, "typed"), tardy, inPlace(public("hi")), nil, typeDeferredMessage, "edit", "hi 0 []"},
		"a form that was typed for, the deferral refused": {modalSubmit("hint", field, "typed"), tardy, inPlace(public("hi")), refusal(tooOld), typeDeferredMessage, "edit", "hi 0 []"},

		// A typed command has no message to update.
		"typed":       {asked, soon, inPlace(public("hi")), nil, typeMessage, "first", "hi 0 none"},
		"typed, late": {asked, tardy, withButton(inPlace(public("hi"))), nil, typeDeferredMessage, "edit", "hi 0 [2 A wordle board]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, test.failing)
				c := bot.Command{Audience: bot.Everyone, NewMessage: test.i.Data.CustomID == "review game"}
				answerBy(t, f, test.i, c, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					if test.reply.Lines == nil {
						panic("of the test")
					}
					return test.reply
				})
				if len(got.first) != 1 || got.first[0].Type != test.kind {
					t.Fatalf("first responses: got %+v, want one of type %d", got.first, test.kind)
				}
				how, shown := "nothing", slices.Concat(got.edits, got.posts)
				switch first, ok := got.first[0].Data.(interaction.Message); {
				case ok:
					how, shown = "first", append(shown, first)
				case len(got.edits) > 0:
					how = "edit"
				case len(got.posts) > 0:
					how = "post"
				}
				if len(got.followUps) > 0 {
					t.Errorf("a component is followed up: %+v", got.followUps)
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
					buttons = buttonsOf(m)
				}
				text := strings.Replace(m.Content, written(bot.Apology("7").Lines), "apology", 1)
				if got := fmt.Sprintf("%s %d %s", text, m.Flags, buttons); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}

// component is the interaction of a button on a message.
func component(customID string, ephemeral bool) interaction.Interaction {
	message := `{}`
	if ephemeral {
		message = `{"flags":68,"content":"old"}`
	}
	return mustRead(3, customID, `"component_type":2`, message)
}

// modalSubmit is the interaction of a submitted modal that was opened by a typed
// command, or by a button on a public or private message.
func modalSubmit(customID, components, from string) interaction.Interaction {
	message := map[string]string{"typed": `{}`, "public": `{"id":"1400000000000000001"}`, "private": `{"id":"1400000000000000001","flags":64}`}[from]
	return mustRead(5, customID, `"components":`+components, message)
}

func mustRead(kind int, customID, data, message string) interaction.Interaction {
	raw := fmt.Appendf(nil, `{"id":"7","token":"interaction-token-7","type":%d,"user":{"id":"1200000000000000001"},"data":{"custom_id":%q,%s},"message":%s}`,
		kind, customID, data, message)
	var i interaction.Interaction
	if err := errors.Join(interaction.Decode(raw, &i), i.Arrive(nil)); err != nil {
		panic(err)
	}
	return i
}

// buttonsOf describes the buttons of a message: their styles, labels and custom_ids.
func buttonsOf(m interaction.Message) string {
	var all []string
	for _, row := range m.Components {
		for _, b := range row.Components {
			all = append(all, fmt.Sprint(b.Style, " ", b.Label, " ", b.CustomID))
		}
	}
	return fmt.Sprint(all)
}
