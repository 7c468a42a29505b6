package discord

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestAnswersToComponents answers presses of buttons, and forms that buttons or typed commands have opened.
func TestAnswersToComponents(t *testing.T) {
	const (
		soon  = 0
		tardy = 2 * time.Second
	)
	inPlace := func(r bot.Reply) bot.Reply { r.InPlace = true; return r }
	withButton := func(r bot.Reply) bot.Reply {
		r = r.Row(bot.Button{Label: "A", Command: "wordle board"})
		return r
	}
	failing := func(what string, err error) map[string]error { return map[string]error{what: err} }
	hint, own := component("hint", false), component("hint", true) // on a public and on a private message
	typed, form, ownForm := modalSubmit("hint", "typed"), modalSubmit("hint", "public"), modalSubmit("hint", "private")
	checkAnswers(t, map[string]answering{
		"in place":                       {hint, 0, soon, inPlace(public("hi")), nil, "update hi"},
		"in place, with a button":        {hint, 0, soon, withButton(inPlace(public("hi"))), nil, "update hi [A]"},
		"in place, private":              {own, 0, soon, inPlace(ephemeral("hi")), nil, "update hi"},
		"in place, private under public": {hint, 0, soon, inPlace(ephemeral("hi")), nil, "message privately hi"},
		"a message":                      {own, 0, soon, withButton(public("hi")), nil, "message hi [A]"},
		"a panic":                        {hint, 0, soon, bot.Reply{}, nil, "message privately apology"},

		// A late answer updates only messages that nobody else sees.
		"late, in place":                       {hint, 0, tardy, inPlace(public("hi")), nil, "1.5s defer privately, post hi, delete"},
		"late, in place, private":              {own, 0, tardy, inPlace(ephemeral("hi")), nil, "1.5s acknowledge, edit hi"},
		"late, in place, private under public": {hint, 0, tardy, inPlace(ephemeral("hi")), nil, "1.5s defer privately, edit hi"},
		"late, a message":                      {own, 0, tardy, withButton(public("hi")), nil, "1.5s acknowledge, post hi [A]"},
		"late, a refusal":                      {hint, 0, tardy, ephemeral("no"), nil, "1.5s defer privately, edit no"},
		"late, a refusal under private":        {own, 0, tardy, ephemeral("no"), nil, "1.5s acknowledge, edit no\nold"},
		"late, a refusal with a button":        {own, 0, tardy, withButton(ephemeral("no")), nil, "1.5s acknowledge, edit no [A]"},
		"late, the same refusal":               {own, 0, tardy, ephemeral("old"), nil, "1.5s acknowledge, edit old"},
		"late, a long refusal":                 {own, 0, tardy, ephemeral(strings.Repeat("n", 4000-2)), nil, "1.5s acknowledge, edit " + strings.Repeat("n", 4000-2)},
		"late, a panic":                        {own, 0, tardy, bot.Reply{}, nil, "1.5s acknowledge, edit apology\nold"},

		"late, a new message":                  {component("review game", true), 0, tardy, ephemeral("hi"), nil, "1.5s defer privately, edit hi"},
		"late, a new message for all":          {component("review game", true), 0, tardy, public("hi"), nil, "1.5s defer privately, post hi, delete"},
		"late, the deferral cut":               {hint, 0, tardy, ephemeral("no"), failing("defer", errCut), "1.5s defer privately, edit no"},
		"late, the deferral refused":           {own, 0, tardy, ephemeral("no"), failing("acknowledge", errTooOld), "1.5s acknowledge"},
		"late, for all, the deferral refused":  {hint, 0, tardy, public("hi"), failing("defer", errTooOld), "1.5s defer privately"},
		"late, in place, the deferral refused": {own, 0, tardy, inPlace(ephemeral("hi")), failing("acknowledge", errTooOld), "1.5s acknowledge, edit hi"},

		// A modal may update the message whose button opened it.
		"a form, in place":                             {form, 0, soon, inPlace(public("hi")), nil, "update hi"},
		"a form, in place, private under public":       {form, 0, soon, inPlace(ephemeral("hi")), nil, "message privately hi"},
		"a form, a message":                            {ownForm, 0, soon, public("hi"), nil, "message hi"},
		"a form, late, in place":                       {ownForm, 0, tardy, inPlace(ephemeral("hi")), nil, "1.5s acknowledge, edit hi"},
		"a form, late, in place, private under public": {form, 0, tardy, inPlace(ephemeral("hi")), nil, "1.5s defer privately, edit hi"},
		"a form, late, a message":                      {form, 0, tardy, public("hi"), nil, "1.5s defer privately, post hi, delete"},
		"a form that was typed for":                    {typed, 0, soon, inPlace(public("hi")), nil, "message hi"},
		"a form that was typed for, late":              {typed, bot.Everyone, tardy, inPlace(public("hi")), failing("defer", errTooOld), "1.5s defer, edit hi"},

		// A typed command has no message to update.
		"typed":       {asked, bot.Everyone, soon, inPlace(public("hi")), nil, "message hi"},
		"typed, late": {asked, bot.Everyone, tardy, withButton(inPlace(public("hi"))), nil, "1.5s defer, edit hi [A]"},
	})
}

// Errors of calls: the first may have arrived, and the second has no effect.
var (
	errCut    = errors.New("cut")
	errTooOld = discordtest.Refusal{Status: http.StatusNotFound}
)

// component is the interaction of a button on a message.
func component(customID string, ephemeral bool) interaction.Interaction {
	message := `{}`
	if ephemeral {
		message = `{"flags":32836,"components":[{"type":10,"content":"old"}]}`
	}
	return mustRead(3, customID, `"component_type":2`, message)
}

// modalSubmit is the interaction of a submitted modal that was opened by a typed
// command, or by a button on a public or private message.
func modalSubmit(customID, from string) interaction.Interaction {
	message := map[string]string{"typed": `{}`, "public": `{"id":"1400000000000000001"}`, "private": `{"id":"1400000000000000001","flags":64}`}[from]
	return mustRead(5, customID, `"components":[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]`, message)
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
