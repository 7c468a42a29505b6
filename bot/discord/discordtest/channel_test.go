package discordtest

import (
	"strings"
	"testing"
	"time"
)

// TestBotInChannel: the bot posts only with the permissions that it has.
func TestBotInChannel(t *testing.T) {
	t.Parallel()
	s := New(t, Options{Guilds: []string{"5"}})
	s.SetGuild(Guild{ID: "5", Roles: []Role{{ID: "6", Name: "bots", Permissions: SendMessages}}, Bot: []string{"6"}})
	picture := withFile(t, newer(gallery("attachment://a.png")), mustPNG(t, 2, 1))
	deny := func(what int64, allowed ...Overwrite) []Overwrite {
		return append(allowed, Overwrite{ID: "5", Deny: what})
	}
	s.SetChannel(Channel{ID: "1", Guild: "5", Overwrites: deny(SendMessagesInThread)})
	for name, c := range map[string]struct {
		channel Channel
		body    string
		code    int
	}{
		"may":                     {Channel{Guild: "5"}, say, 0},
		"a file":                  {Channel{Guild: "5"}, picture, 0},
		"not seen":                {Channel{Guild: "5", Overwrites: deny(ViewChannel)}, say, 50001},
		"may not":                 {Channel{Guild: "5", Overwrites: deny(SendMessages)}, say, 50013},
		"its role may":            {Channel{Guild: "5", Overwrites: deny(SendMessages, Overwrite{ID: "6", Allow: SendMessages})}, say, 0},
		"a thread where all may":  {Channel{Guild: "5", Type: ChannelPublicThread}, say, 0},
		"a thread where none may": {Channel{Guild: "5", Type: ChannelPublicThread, Parent: "1"}, say, 50013},
		"a locked thread":         {Channel{Guild: "5", Type: ChannelPublicThread, Locked: true}, say, 50083},
		"not in the server":       {Channel{Guild: "70"}, say, 50001},
		"direct":                  {Channel{Type: ChannelDirect}, say, 0},
		"a group":                 {Channel{Type: ChannelGroup}, say, 50001},
		"no files: text":          {Channel{Guild: "5", Overwrites: deny(AttachFiles)}, say, 0},
		"no files: a file":        {Channel{Guild: "5", Overwrites: deny(AttachFiles)}, picture, 50013},
		"empty":                   {Channel{Guild: "5"}, newer(), 50006},
		"private":                 {Channel{Guild: "5"}, strings.Replace(say, "32768", "32832", 1), 50035},
	} {
		c.channel.ID = s.NewID()
		s.SetChannel(c.channel)
		if status, code, answer := post(t, s, "POST", "channels/"+c.channel.ID+"/messages", c.body); code != c.code || (status == 200) != (c.code == 0) {
			t.Errorf("%s: got %d %.300s, want code %d", name, status, answer, c.code)
		}
		if got := len(s.Posted(c.channel.ID)); got == 1 != (c.code == 0) || len(s.Violations()) != 1-got {
			t.Errorf("%s: %d posted", name, got)
		}
	}
	post(t, s, "POST", "channels/999/messages", say)
	wantViolation(t, s, "10003")
}

// TestNonce: of two messages with a nonce that is enforced, the channel takes one.
func TestNonce(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	s.SetChannel(Channel{ID: "7", Type: ChannelDirect})
	for _, once := range []string{`"nonce":"1","enforce_nonce":true`, `"nonce":"1","enforce_nonce":true`, `"nonce":"1"`} {
		post(t, s, "POST", "channels/7/messages", strings.Replace(say, quiet, quiet+`,`+once, 1))
	}
	if got := len(s.Posted("7")); got != 2 {
		t.Errorf("%d posted, want one for the two, and one", got)
	}
}

// TestEditsInChannel: the bot edits its own messages that everybody sees, and no others.
func TestEditsInChannel(t *testing.T) {
	t.Parallel()
	s := connected(t, Options{})
	in := Interaction{Command: "x", Guild: "5", Channel: "7"}
	_, board := answered(t, s, in, hello)
	_, secret := answered(t, s, in, strings.Replace(hello, "32768", "32832", 1))
	s.Chat("7", "8", "hello")
	for message, code := range map[string]int{board: 0, secret: 10008, s.channels["7"].Last: 10008, "1234": 10008} {
		if _, got, answer := post(t, s, "PATCH", "channels/7/messages/"+message, say); got != code {
			t.Errorf("%s: got %.300s, want code %d", message, answer, code)
		}
		if got := len(s.Violations()); got == 1 != (code != 0) {
			t.Errorf("%s: %d violations", message, got)
		}
	}
	press := s.Invoke(Interaction{Type: TypeComponent, CustomID: "b", Message: secret, Guild: "5", Channel: "7"})
	if status, _, _ := respond(t, s, press, `{"type":7,"data":`+say+`}`); status != 200 {
		t.Errorf("private, by its button: got %d", status)
	}
}

// TestLimits: edits of a channel are limited in a time, and those of old messages again.
func TestLimits(t *testing.T) {
	t.Parallel()
	var clock Clock
	began := time.Now() // for slow machines, the clock stands still but for Advance
	s := connected(t, Options{Now: func() time.Time { return began.Add(time.Duration(clock.ahead.Load())) }})
	_, board := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "7"}, hello)
	_, other := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "8"}, hello)
	for _, limit := range [][2]int{{5, 0}, {3, 30046}} {
		most, code := limit[0], limit[1]
		if code != 0 {
			clock.Advance(2 * time.Hour)
		}
		for n := range most + 1 {
			status, got, _ := post(t, s, "PATCH", "channels/7/messages/"+board, say)
			if refused := n == most; refused != (status != 200) || refused && got != code {
				t.Errorf("edit %d: got %d %d", n+1, status, got)
			}
		}
		if status, _, _ := post(t, s, "PATCH", "channels/8/messages/"+other, say); status != 200 {
			t.Errorf("in another channel: got %d", status)
		}
	}
}
