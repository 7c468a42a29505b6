package discord

import (
	"encoding/json"
	"testing"

	"fivefold/bot/discord/discordtest"
)

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
