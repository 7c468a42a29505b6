package main

import (
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// TestEmojis uploads the tiles, says what is there, and goes on after a failure.
func TestEmojis(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{})
	env := []string{"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL()}
	discord.FailNext("POST", "/emojis", 403, 1)
	if out, err := fivefold(t, env, "emojis"); err == nil || !strings.Contains(out, "0 tiles were uploaded, then it failed; start it again to go on: ") || strings.Contains(out, discord.Token()) {
		t.Errorf("refused: %v\n%s", err, out)
	}
	for _, want := range []string{"Tiles: 390, of which 390 were uploaded now.\n", "Tiles: 390, of which 0 were uploaded now.\n"} {
		if out, err := fivefold(t, env, "emojis"); out != want || err != nil {
			t.Errorf("got %q, %v, want %q", out, err, want)
		}
	}
	if discord.Emoji("A_green1") == nil {
		t.Error("a green A is missing")
	}
	env[0] = "DISCORD_TOKEN=no-such-token"
	if out, err := fivefold(t, env, "emojis"); err == nil || !strings.Contains(out, "check DISCORD_TOKEN") {
		t.Errorf("a wrong token: %v\n%s", err, out)
	}
}
