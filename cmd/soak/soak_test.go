package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// TestKills: what was acknowledged survives kills of the real program.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("the program that it builds is built without the race detector")
	}
	var out strings.Builder
	well, err := run(t.Context(), strings.Fields("--only file/kill --for 3s"), &out)
	t.Logf("%s", out.String())
	if err != nil || !well || !strings.Contains(out.String(), "kill:") {
		t.Errorf("all is well: %t, %v", well, err)
	}
}

// TestBareBot: the bot that others are measured against answers.
func TestBareBot(t *testing.T) {
	s := discordtest.New(t, discordtest.Options{})
	t.Setenv("DISCORD_TOKEN", s.Token())
	t.Setenv("DISCORD_BASE_URL", s.URL())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- serveBare(ctx) }()
	if err := s.WaitConnected(discordtest.Context(t), 1); err != nil {
		t.Fatal(err)
	}
	a, err := s.Invoke(discordtest.Interaction{Command: "guess"}).Message(discordtest.Context(t))
	if stop(); a.Content != "hello" || errors.Join(err, <-ended) != nil {
		t.Errorf("got %q, %v", a.Content, err)
	}
}
