package commands_test

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

// TestOnlyManagersSet: every request that changes a server's settings, undoing included, takes the permission to manage the server,
// however it was made. Outside servers there is nothing to set.
func TestOnlyManagersSet(t *testing.T) {
	b := newBot(t, nil)
	c := b.Find(bot.NameSettings)
	r := bot.Request{ID: "first", Location: game.Location{Guild: "g", Channel: "c"}, Player: "mia", MayManageServer: true, Args: map[string]string{"idle": "1"}}
	if reply := b.Bot.Handle(t.Context(), c, r); !strings.Contains(reply.String(), "Settings · Games") {
		t.Fatalf("got\n%s", reply)
	}
	before, err := b.parts.Settings.ServerChoice(t.Context(), "g")
	if err != nil || before == nil {
		t.Fatal(err)
	}
	for _, arg := range append(c.HiddenArgs, "page") {
		for _, value := range []string{"", "1", "off", "CRANE", "history"} {
			r := bot.Request{ID: game.RequestID(arg + value), Location: r.Location, Player: "ben", MayManage: true, FromComponent: true, Command: c.Name, Args: map[string]string{arg: value}}
			reply := b.Bot.Handle(t.Context(), c, r)
			if text := reply.String(); arg == "page" && value != "history" && value != "" || strings.Contains(text, "Only someone who can manage this server") {
				continue
			}
			t.Errorf("%s %q: got\n%s", arg, value, reply)
		}
	}
	r.Location.Guild, r.ID = "", "direct"
	if reply := b.Bot.Handle(t.Context(), c, r); !strings.Contains(reply.String(), "A server's settings are set in that server.") {
		t.Errorf("got\n%s", reply)
	}
	if after, err := b.parts.Settings.ServerChoice(t.Context(), "g"); string(after) != string(before) || err != nil {
		t.Errorf("the settings are %s, %v", after, err)
	}
}

// TestForgedSettings: values that no menu sends change nothing.
func TestForgedSettings(t *testing.T) {
	b := newBot(t, nil)
	for arg, value := range map[string]string{
		"mode": "daily", "hard": "on,off", "hints": "", "idle": "2", "season": "1", "hour": "24", "thread": "true", "awards": "",
		"stoppers": "1,2", "role": "1,2", "channel": "1,2", "channels": strings.Repeat("1,", 26), "words": "abcde abcd", "zone": "nowhere", "undo": "7",
	} {
		r := bot.Request{ID: game.RequestID(arg), Location: game.Location{Guild: "g", Channel: "c"}, Player: "mia", MayManageServer: true, FromComponent: true, Args: map[string]string{arg: value}}
		reply := b.Bot.Handle(t.Context(), b.Find(bot.NameSettings), r)
		if data, err := b.parts.Settings.ServerChoice(t.Context(), "g"); data != nil || err != nil || reply.Problem != bot.NoProblem || len(reply.Buttons()) != 1 {
			t.Errorf("%s %q: the settings are %s, %v, after\n%s", arg, value, data, err, reply)
		}
	}
}
