package game_test

import (
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
