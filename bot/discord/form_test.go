package discord

import (
	"context"
	"fmt"
	"strings"
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
	broken.Form.Command = ""
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

// withForm adds a form to a reply.
func withForm(r bot.Reply) bot.Reply {
	r.Form = &bot.Form{Title: "A guess", Command: "guess", Fields: []bot.Field{{Name: "word", Label: "Word", Max: 5}}}
	return r
}
