package discord

import (
	"encoding/json"
	"testing"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestInteractionsReachTheBot sends every file through discordgo, which cannot
// decode all of them. Those with a player and a token are answered.
func TestInteractionsReachTheBot(t *testing.T) {
	t.Parallel()
	for name, raw := range discordtest.Interactions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			r := mustReady(t, s)
			call := s.Invoke(discordtest.Interaction{Raw: raw})
			i, err := interaction.Decode(raw, interaction.Arrival{})
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

// TestNoMessage presses buttons whose message cannot be read: they are answered by a new message.
func TestNoMessage(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s)
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	for _, message := range []any{nil, []int{}, map[string]any{"id": 5}} {
		event := map[string]any{}
		mustDecode(t, s.Event(discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "wordle board"}), &event)
		event["message"] = message
		raw, err := json.Marshal(event)
		must(t, err)
		if a := mustMessage(t, s.Invoke(discordtest.Interaction{Raw: raw})); a.Type != typeMessage {
			t.Errorf("message %v: answered by type %d, want %d", message, a.Type, typeMessage)
		}
	}
}
