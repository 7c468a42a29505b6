package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
)

// TestWrongClock: a program whose clock is three hours ahead of Discord's, or behind it, serves players from
// its first request on; the doctor says that the clock is wrong.
func TestWrongClock(t *testing.T) {
	for _, ahead := range []time.Duration{3 * time.Hour, -3 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			discord := discordtest.New(t, discordtest.Options{Now: func() time.Time { return time.Now().Add(-ahead) }})
			_, log := startBot(t, discord, "bolt:"+filepath.Join(t.TempDir(), "test.db"))
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			for _, i := range []discordtest.Interaction{
				{Command: "wordle start"},
				{Command: "guess", Options: map[string]any{"word": "lakes"}},
			} {
				i.Guild, i.Channel, i.User = "7", "8", "9"
				if answer, err := shown(ctx, discord.Invoke(i)); err != nil || !strings.Contains(answer.Content, "guesses left") {
					t.Errorf("%s: %q, %v\n%s", i.Command, answer.Content, err, log)
				}
			}
			out, err := fivefold(t, []string{"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL()}, "doctor")
			if err == nil || !strings.Contains(out, "\nfix  discord   the clock is at least ") {
				t.Errorf("the doctor: %v\n%s", err, out)
			}
		})
	}
}

// shown waits for the answer that everybody sees. On a slow machine it comes below one for the player alone.
func shown(ctx context.Context, c *discordtest.Call) (discordtest.Answer, error) {
	answer, err := c.Message(ctx)
	if err == nil && strings.HasPrefix(answer.Content, "The answer is below") {
		return c.FollowedUp(ctx)
	}
	return answer, err
}
