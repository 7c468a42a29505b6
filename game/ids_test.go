package game_test

import (
	"errors"
	"strings"
	"testing"

	"fivefold/game"
)

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
}
