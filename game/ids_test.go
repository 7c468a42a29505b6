package game_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fivefold/game"
)

// TestRequestMade: the snowflake is Discord's own example, from
// discord.com/developers/docs/reference#snowflakes.
func TestRequestMade(t *testing.T) {
	for id, want := range map[game.RequestID]string{
		"175928847299117063":                     "2016-04-30T11:18:25.796Z",
		"local-1795327797000000000-ABCDEFGH":     "",
		"r1":                                     "",
		"1000":                                   "",
		"99999999999999999999999999999999999999": "",
	} {
		at, ok := id.Made()
		if got := at.Format(time.RFC3339Nano); ok != (want != "") || ok && got != want {
			t.Errorf("%s was made at %s, %t; want %q", id, got, ok, want)
		}
	}
}

func TestOriginCheck(t *testing.T) {
	good := game.Origin{Request: "r", Location: place, Player: "Zoë"}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", strings.Repeat("x", 101), "g\x00", "a\xffna"} {
		for field, o := range map[string]game.Origin{
			"request": {Request: game.RequestID(bad), Location: place, Player: "ana"},
			"channel": {Request: "r", Location: game.Location{Guild: "g", Channel: game.ChannelID(bad)}, Player: "ana"},
			"guild":   {Request: "r", Location: game.Location{Guild: game.GuildID(bad), Channel: "c"}, Player: "ana"},
			"player":  {Request: "r", Location: place, Player: game.PlayerID(bad)},
		} {
			if err := o.Check(); (field == "guild" && bad == "") == errors.Is(err, game.ErrID) {
				t.Errorf("the %s %q: %v", field, bad, err)
			}
		}
	}
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	for _, verb := range []string{"start", "guess", "stop", "letter", "suggestion"} {
		if _, err := (op{origin: game.Origin{Request: "r", Player: "ana"}, verb: verb, word: "slate"}).run(t.Context(), m); !errors.Is(err, game.ErrID) {
			t.Errorf("%s without a channel: %v", verb, err)
		}
	}
}
