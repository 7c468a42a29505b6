package discord

import (
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestPublish sends answers after an ephemeral deferred response. Some turn out to be for everybody.
func TestPublish(t *testing.T) {
	const tardy = 2 * time.Second
	failing := func(what string) map[string]error { return map[string]error{what: errCut} }
	refused := map[string]error{"defer": errTooOld}
	// Where the bot is not a member, it cannot post by itself.
	elsewhere := func(i interaction.Interaction) interaction.Interaction { i.GuildID = "5"; return i }
	hint, own, typed := component("hint", false), component("hint", true), modalSubmit("hint", "typed")
	hi, secret := public("hi"), ephemeral("hi")
	hushed := asked // by an app of the player's own, where those may not speak
	hushed.GuildID, hushed.Owners.User = "1", "7"
	checkAnswers(t, map[string]answering{
		"for everybody":          {asked, bot.Undecided, tardy, hi, nil, "1.5s defer privately, edit moved, follow hi, delete"},
		"for the asker":          {asked, bot.Undecided, tardy, secret, nil, "1.5s defer privately, edit hi"},
		"only the asker can see": {hushed, bot.Undecided, tardy, hi, nil, "1.5s defer privately, edit hi"},
		"the pointer fails":      {asked, bot.Undecided, tardy, hi, failing("edit"), "1.5s defer privately, edit moved, edit hi"},
		"it cannot be published": {asked, bot.Undecided, tardy, hi, failing("follow"), "1.5s defer privately, edit moved, follow hi, edit hi"},
		"the pointer stays":      {asked, bot.Undecided, tardy, hi, failing("delete"), "1.5s defer privately, edit moved, follow hi, delete"},
		"the deferral cut":       {asked, bot.Undecided, tardy, hi, failing("defer"), "1.5s defer privately, edit moved, follow hi, delete"},
		"the deferral refused":   {asked, bot.Undecided, tardy, hi, refused, "1.5s defer privately"},
		"refused, for the asker": {asked, bot.Undecided, tardy, secret, refused, "1.5s defer privately, edit hi"},
		"a form, for everybody":  {typed, bot.Undecided, tardy, hi, nil, "1.5s defer privately, edit moved, follow hi, delete"},

		"a button":                         {hint, bot.Undecided, tardy, hi, nil, "1.5s defer privately, post hi, delete"},
		"a button, the asker's reply":      {hint, bot.Undecided, tardy, secret, nil, "1.5s defer privately, edit hi"},
		"a button, the bot may not":        {elsewhere(hint), bot.Undecided, tardy, hi, nil, "1.5s defer privately, edit moved, follow hi, delete"},
		"a button, the post fails":         {hint, bot.Undecided, tardy, hi, failing("post"), "1.5s defer privately, post hi, edit moved, follow hi, delete"},
		"a button of the asker's, may not": {elsewhere(own), bot.Undecided, tardy, hi, nil, "1.5s acknowledge, follow hi"},
		"it cannot be published by either": {elsewhere(own), bot.Undecided, tardy, hi, failing("follow"), "1.5s acknowledge, follow hi"},
	})
}

// TestForms answers by forms, or by messages where there can be none.
func TestForms(t *testing.T) {
	const tardy = 2 * time.Second
	form := withForm(ephemeral("hi"))
	broken := withForm(ephemeral("hi"))
	broken.Form.Command = ""
	failing := func(err error) map[string]error { return map[string]error{"form": err} }
	hint := component("hint", false)
	checkAnswers(t, map[string]answering{
		"typed":                {asked, bot.Everyone, 0, form, nil, "form"},
		"just in time":         {asked, bot.Everyone, deferAfter - 1, form, nil, "1.499999999s form"},
		"pressed":              {hint, bot.Everyone, 0, form, nil, "form"},
		"late":                 {asked, bot.Everyone, tardy, form, nil, "1.5s defer, edit hi"},
		"pressed, late":        {hint, bot.Everyone, tardy, form, nil, "1.5s defer privately, edit hi"},
		"after a form":         {modalSubmit("guess", "typed"), bot.Everyone, 0, form, nil, "message privately hi"},
		"that cannot be shown": {asked, bot.Everyone, 0, broken, nil, "message privately hi"},

		"that Discord refuses":          {asked, bot.Everyone, 0, form, failing(refusal(400, 50035)), "form, message privately hi"},
		"refused for an earlier answer": {asked, bot.Everyone, 0, form, failing(refusal(400, 40060)), "form"},
		"refused for being late":        {asked, bot.Everyone, 0, form, failing(refusal(404, 10062)), "form"},
		"that may have arrived":         {asked, bot.Everyone, 0, form, failing(refusal(500, 0)), "form"},
		"one too many":                  {asked, bot.Everyone, 0, form, failing(refusal(429, 0)), "form"},
	})
}

func refusal(status, code int) error { return discordtest.Refusal{Status: status, Code: code} }

// withForm adds a form to a reply.
func withForm(r bot.Reply) bot.Reply {
	r.Form = &bot.Form{Title: "A guess", Command: "guess", Fields: []bot.Field{{Name: "word", Label: "Word", Max: 5}}}
	return r
}
