package discord

import (
	"strings"
	"testing"
)

// TestFewMessages: where the bot may delete messages, a game of six guesses by three players leaves one message of ours in
// the channel, whether they are typed or made with the board's button.
func TestFewMessages(t *testing.T) {
	t.Parallel()
	for _, how := range []string{": /guess ", " enters: "} {
		t.Run(strings.Trim(how, ": "), func(t *testing.T) {
			t.Parallel()
			s := newRunner(t, false)
			s.step("hidden: jazzy")
			s.step("ana in general: /wordle start")
			for i, word := range strings.Fields("slate crony badly happy daisy kayak") {
				who := []string{"ana", "ben", "cleo"}[i%3] + " in general"
				if how == " enters: " {
					s.step(who + " presses: Guess")
				}
				s.step(who + how + "word:" + word)
			}
			seen := map[string]bool{}
			for _, shown := range s.shown {
				seen[shown.message] = shown.channel == channels["general"]
			}
			for _, a := range s.discord.Posted(channels["general"]) {
				seen[a.MessageID] = true
			}
			visible, ended := 0, false
			for message, here := range seen {
				if a, ok := s.discord.Shown(message); ok && here && !a.Ephemeral {
					visible++
					ended = ended || strings.Contains(a.Content, "So close!")
				}
			}
			if visible != 1 || !ended {
				t.Errorf("%d messages are visible, want 1; the end is among them: %t", visible, ended)
			}
		})
	}
}
