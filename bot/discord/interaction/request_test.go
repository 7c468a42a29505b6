package interaction

import (
	"encoding/json"
	"testing"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// TestContext reads where an interaction was made, and what the bot and the player may
// do there.
func TestContext(t *testing.T) {
	t.Parallel()
	const (
		open, closed, readOnly, thread, closedThread = "21", "22", "23", "24", "25"
		userApps                                     = discordtest.UseExternalApps
	)
	s := discordtest.New(t, discordtest.Options{})
	deny := func(what int64) []discordtest.Overwrite {
		return []discordtest.Overwrite{{ID: server, Deny: what}}
	}
	for _, c := range []discordtest.Channel{
		{ID: open, Guild: server},
		{ID: closed, Guild: server, Overwrites: deny(discordtest.ViewChannel)},
		{ID: readOnly, Guild: server, Overwrites: deny(discordtest.SendMessages)},
		{ID: thread, Guild: server, Type: discordtest.ChannelPublicThread, Parent: readOnly},
		{ID: closedThread, Guild: server, Type: discordtest.ChannelPrivateThread, Parent: "26"},
		{ID: "26", Guild: server, Overwrites: deny(discordtest.SendMessagesInThread)},
	} {
		s.SetChannel(c)
	}
	both, edit := Permissions{Edit: true, Post: true}, Permissions{Edit: true}
	for name, test := range map[string]struct {
		in     discordtest.Interaction
		want   bot.Context
		botMay Permissions
		manage bool // the server
	}{
		"server":             {discordtest.Interaction{Guild: server, Channel: open}, bot.Context{}, both, false},
		"hidden from it":     {discordtest.Interaction{Guild: server, Channel: closed}, bot.Context{}, Permissions{}, false},
		"it may only read":   {discordtest.Interaction{Guild: server, Channel: readOnly}, bot.Context{}, edit, false},
		"thread":             {discordtest.Interaction{Guild: server, Channel: thread}, bot.Context{Thread: true, Parent: readOnly}, both, false},
		"thread to read":     {discordtest.Interaction{Guild: server, Channel: closedThread}, bot.Context{Thread: true, Parent: "26"}, edit, false},
		"direct messages":    {discordtest.Interaction{Channel: "31"}, bot.Context{Place: bot.InDirect}, both, false},
		"group":              {discordtest.Interaction{Channel: "32", GroupDM: true}, bot.Context{Place: bot.InGroup, UserOnly: true}, Permissions{}, false},
		"user's app":         {discordtest.Interaction{Guild: "41", Channel: "42", UserInstalled: true, Permissions: userApps}, bot.Context{UserOnly: true}, Permissions{}, false},
		"user's app, hushed": {discordtest.Interaction{Guild: "41", Channel: "42", UserInstalled: true}, bot.Context{UserOnly: true, AskerOnly: true}, Permissions{}, false},
		"manager":            {discordtest.Interaction{Guild: server, Channel: open, Permissions: discordtest.ManageGuild}, bot.Context{}, both, true},
		"administrator":      {discordtest.Interaction{Guild: server, Channel: open, Permissions: discordtest.Administrator}, bot.Context{}, both, true},
		"moderator":          {discordtest.Interaction{Guild: server, Channel: open, Permissions: discordtest.ManageMessages}, bot.Context{}, both, false},
	} {
		test.in.Command = "stats"
		i, err := arrived(s.Event(test.in))
		must(t, err)
		_, r := i.Request(table(), nil)
		if r.Context != test.want || i.BotMay() != test.botMay || r.MayManageServer != test.manage {
			t.Errorf("%s: got %+v %+v %t", name, r.Context, i.BotMay(), r.MayManageServer)
		}
	}

	var event map[string]any
	must(t, json.Unmarshal(s.Event(discordtest.Interaction{Guild: server, Channel: open, Command: "stats"}), &event))
	read := func() (bot.Context, Permissions) {
		raw, err := json.Marshal(event)
		must(t, err)
		i, err := arrived(raw)
		must(t, err)
		_, r := i.Request(table(), nil)
		return r.Context, i.BotMay()
	}
	event["authorizing_integration_owners"] = map[string]string{"0": server, "1": "1200000000000000001"}
	if c, may := read(); c != (bot.Context{}) || may != both {
		t.Errorf("installed by the server and the user: got %+v %+v", c, may)
	}
	// What Discord leaves out allows nothing.
	for _, field := range []string{"app_permissions", "context", "authorizing_integration_owners"} {
		delete(event, field)
	}
	if c, may := read(); c != (bot.Context{}) || may != (Permissions{}) {
		t.Errorf("with nothing said: got %+v %+v", c, may)
	}
}

// TestNames reads a player's name in a server that has its own for the player, or none, and outside servers.
func TestNames(t *testing.T) {
	for event, want := range map[string][2]string{
		`{"member": {"user": {"username": "ana7", "global_name": "Ana"}, "nick": "Annie"}}`: {"Annie", "Ana"},
		`{"member": {"user": {"username": "ana7", "global_name": "Ana"}, "nick": null}}`:    {"Ana", "Ana"},
		`{"member": {"user": {"username": "ana7"}, "nick": "Annie"}}`:                       {"Annie", "ana7"},
		`{"user": {"username": "ana7", "global_name": "Ana"}}`:                              {"Ana", "Ana"},
		`{"user": {"username": "ana7", "global_name": null}}`:                               {"ana7", "ana7"},
		`{}`: {},
	} {
		var i Interaction
		if err := json.Unmarshal([]byte(event), &i); err != nil {
			t.Fatal(err)
		}
		if _, r := i.Request(bot.Table{}, nil); [2]string{r.Name, r.Global} != want {
			t.Errorf("%s is of %q, %q, want %q", event, r.Name, r.Global, want)
		}
	}
}
