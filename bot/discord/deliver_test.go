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

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestPublish sends answers after an ephemeral deferred response, some of which
// turn out to be for everybody.
func TestPublish(t *testing.T) {
	field := `[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]`
	// Where the bot is not a member, it cannot post by itself.
	elsewhere := func(customID string, ephemeral bool) interaction.Interaction {
		i := component(customID, ephemeral)
		i.GuildID = "5"
		return i
	}
	cut := errors.New("cut")
	refused := discordtest.Refusal{Status: http.StatusNotFound}
	for name, test := range map[string]struct {
		i        interaction.Interaction
		audience bot.Audience     // of the reply
		failing  map[string]error // by the call that fails
		want     string
	}{
		"for everybody":          {asked, bot.Everyone, nil, "deferred 64, edit moved, follow hi 0, delete"},
		"for the asker":          {asked, bot.Asker, nil, "deferred 64, edit hi 0"},
		"the pointer fails":      {asked, bot.Everyone, map[string]error{"edit": cut}, "deferred 64, edit moved, edit hi 0"},
		"it cannot be published": {asked, bot.Everyone, map[string]error{"follow": cut}, "deferred 64, edit moved, follow hi 0, edit hi 0"},
		"the pointer stays":      {asked, bot.Everyone, map[string]error{"delete": cut}, "deferred 64, edit moved, follow hi 0, delete"},
		"the deferral cut":       {asked, bot.Everyone, map[string]error{"deferred": cut}, "deferred 64, edit moved, follow hi 0, delete"},
		"the deferral refused":   {asked, bot.Everyone, map[string]error{"deferred": refused}, "deferred 64"},
		"refused, for the asker": {asked, bot.Asker, map[string]error{"deferred": refused}, "deferred 64, edit hi 0"},
		"a form, for everybody":  {modalSubmit("hint", field, "typed"), bot.Everyone, nil, "deferred 64, edit moved, follow hi 0, delete"},
		"a form, for the asker":  {modalSubmit("hint", field, "typed"), bot.Asker, nil, "deferred 64, edit hi 0"},

		"a button":                         {component("hint", false), bot.Everyone, nil, "deferred 64, post hi 0, delete"},
		"a button, the asker's reply":      {component("hint", false), bot.Asker, nil, "deferred 64, edit hi 0"},
		"a button, the bot may not":        {elsewhere("hint", false), bot.Everyone, nil, "deferred 64, edit moved, follow hi 0, delete"},
		"a button, the post fails":         {component("hint", false), bot.Everyone, map[string]error{"post": cut}, "deferred 64, post hi 0, edit moved, follow hi 0, delete"},
		"a button, the deferral refused":   {component("hint", false), bot.Everyone, map[string]error{"deferred": refused}, "deferred 64"},
		"a button of the asker's":          {component("hint", true), bot.Everyone, nil, "update, post hi 0"},
		"a button of the asker's, may not": {elsewhere("hint", true), bot.Everyone, nil, "update, follow hi 0"},
		"it cannot be published by either": {elsewhere("hint", true), bot.Everyone, map[string]error{"follow": cut}, "update, follow hi 0"},
		"a form under a message":           {modalSubmit("hint", field, "public"), bot.Everyone, nil, "deferred 64, post hi 0, delete"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []string
				f, sent := newRecorder(t, nil)
				sent.takes = func(m discordtest.Made) (string, error) {
					what := m.What
					switch text := strings.Replace(m.Content, written(bot.ShownBelow().Lines), "moved", 1); {
					case m.Type == typeDeferredMessage:
						what = "deferred"
						got = append(got, fmt.Sprint("deferred ", m.Flags))
					case m.Type == typeDeferredUpdate:
						what = "deferred"
						got = append(got, "update")
					case what == "delete":
						got = append(got, what)
					case text == "moved":
						got = append(got, what+" moved")
					default:
						got = append(got, fmt.Sprintf("%s %s %d", what, text, m.Flags))
					}
					got = slices.Compact(got) // a call that fails is made again
					return "", test.failing[what]
				}
				answerBy(t, f, test.i, bot.Command{Audience: bot.Undecided}, func(context.Context) bot.Reply {
					time.Sleep(2 * time.Second)
					return replyTo(test.audience, "hi")
				})
				if got := strings.Join(got, ", "); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
			})
		})
	}
}
