package game_test

import (
	"fmt"
	"testing"

	"fivefold/game"
)

// TestReminderTimes: the players of an hour are spread over the half hours before and after it, each always in the same minute.
func TestReminderTimes(t *testing.T) {
	for hours := 1; hours <= 12; hours++ {
		seen := map[string]int{}
		for n := range 6000 {
			seen[game.Reminder{Hours: hours}.Time(game.PlayerID(fmt.Sprint(1700000000000000000+n*977)))]++
		}
		for minute := (24-hours)*60 - 30; minute < (24-hours)*60+30; minute++ {
			if n := seen[game.RemindedAt(minute)]; n < 50 || n > 200 {
				t.Errorf("%d hours before, %d of 6000 are reminded in minute %d", hours, n, minute)
			}
		}
		if len(seen) != 60 {
			t.Errorf("%d hours before, there are %d minutes", hours, len(seen))
		}
	}
}
