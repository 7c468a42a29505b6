package discord

import (
	"fivefold/bot/discord/discordtest"
	"testing"
)

// TestInteractionsReachTheBot sends every file through discordgo, which cannot
// decode all of them. Those with a player and a token are answered.
func TestInteractionsReachTheBot(t *testing.T) {
	t.Parallel()
	for name, raw := range mustInteractions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			r := mustReady(t, s)
			call := s.Invoke(discordtest.Interaction{Raw: raw})
			i, err := decode(raw)
			switch {
			case err != nil:
				r.log.MustSay(t, "could not read an interaction")
			case i.Type > 5:
				r.log.MustSay(t, "an interaction has an unknown type")
			default:
				if a := mustMessage(t, call); a.Type == typeMessage && a.Content == "" {
					t.Errorf("got %+v", a)
				}
			}
			mustAnswer(t, s, guessOf("slate"))
		})
	}
}
