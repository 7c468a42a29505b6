package commands_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
)

// TestYear compares what a year's picture says with a plain count of a random log: in a server, of the dailies played there; in
// direct messages, of all.
func TestYear(t *testing.T) {
	b := newBot(t, nil)
	random := rand.New(rand.NewPCG(37, 3))
	b.now = game.DailyDate(1).Add(time.Hour)
	type counts struct{ solved, guesses, now, streak int }
	var here, all counts
	var bars [6]int
	months := map[time.Month]int{}
	for day := 1; day <= 70; day++ {
		b.now = game.DailyDate(day).Add(time.Hour)
		misses, where := random.IntN(6), server
		switch random.IntN(6) {
		case 0:
			here.now, all.now = 0, 0
			continue
		case 1:
			where = dm
		}
		b.mustDaily(t, where, "ana", misses)
		in := []*counts{&all}
		if where == server {
			in = append(in, &here)
			bars[misses]++
			months[game.DailyDate(day).Month()]++
		} else {
			here.now = 0
		}
		for _, c := range in {
			c.solved, c.guesses, c.now = c.solved+1, c.guesses+misses+1, c.now+1
			c.streak = max(c.streak, c.now)
		}
	}
	says := func(c counts) string {
		return fmt.Sprintf("Word game 2026, solved %d, average %.2f, best streak %d, best month ", c.solved, float64(c.guesses)/float64(c.solved), c.streak)
	}
	shown := b.Ask(server, "ben", "stats", "player", "ana", "when", "year")
	want := []string{"ana\nWord game: dailies here in 2026\n", says(here), fmt.Sprintf("January: %d solved, 0 lost.", months[time.January]), fmt.Sprintf("March: %d solved, 0 lost.", months[time.March]), "Won in 1: "}
	for i, n := range bars {
		want = append(want, fmt.Sprintf("in %d: %d", i+1, n))
	}
	for _, part := range want {
		if !strings.Contains(shown.String(), part) {
			t.Errorf("the year is\n%s\nwithout %q", shown, part)
		}
	}
	if shown.Audience != bot.Everyone {
		t.Errorf("the year is for %v", shown.Audience)
	}
	if own := b.Ask(dm, "ana", "stats", "when", "2026"); !strings.Contains(own.String(), says(all)) {
		t.Errorf("the own year is\n%s\nwithout %s", own, says(all))
	}
	for _, c := range []struct{ player, year, want string }{
		{"zoe", "2026", "zoe hasn't finished a daily here yet."}, {"ana", "2025", "ana finished no daily here in 2025."},
	} {
		if got := b.Ask(server, "ben", "stats", "player", c.player, "when", c.year); got.Audience != bot.Asker || !strings.Contains(got.String(), c.want) {
			t.Errorf("the year %s of %s is\n%s", c.year, c.player, got)
		}
	}
	b.mustDaily(t, server, "cal", 0) // a card with one review
	card := b.Ask(server, "ana", "stats", "player", "cal")
	if strings.Contains(fmt.Sprint(card.Buttons()), "Year 2026") {
		t.Error("a card offers the year in March")
	}
	b.now = time.Date(2026, time.December, 1, 1, 0, 0, 0, time.UTC)
	pressed := b.Press(server, "zoe", bottest.MustFind(t, b.Ask(server, "ana", "stats", "player", "cal"), "Year 2026"))
	if !strings.Contains(pressed.String(), "solved 1, average 1.00, best streak 1.\nWon in 1: 1.") || !bottest.MustFind(t, pressed, "Year 2026").Disabled {
		t.Errorf("the button shows\n%s", pressed)
	}
}
