package daily

import (
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds/toy"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

var toyFace = toy.Game{}.Face()

// of returns a player's state in a puzzle that hides m, after these guesses.
func of(number int, guesses string, hints int, err error) played {
	m := game.Match{Kind: toy.Kind, Mode: game.Daily, Starter: "ana", State: toy.New("m"), Version: 1}
	for _, letter := range guesses {
		m.State, _ = toy.Game{}.Guess(m.State, string(letter))
	}
	m.Hints = make([]game.Hint, hints)
	return played{toyFace, number, matches.Loaded{Match: m, Err: err}}
}

// TestPlayed: a puzzle in words. Only one that is over has a result.
func TestPlayed(t *testing.T) {
	stopped := of(3, "a", 0, nil)
	stopped.Match.Mode, stopped.Match.Stop = game.Practice, &game.Stop{Player: "ana", At: time.Now(), Version: 2}
	none := picture.DayResult{}
	for _, c := range []struct {
		p      played
		words  string
		result picture.DayResult
	}{
		{of(3, "am", 0, nil), "solved in 2", picture.DayResult{Guesses: 2}},
		{of(3, "abm", 1, nil), "solved in 3 with 1 hint", picture.DayResult{Guesses: 3, Hints: 1}},
		{of(3, "abcdef", 0, nil), "lost", picture.DayResult{Guesses: 6, Lost: true}},
		{of(3, "ab", 0, nil), "playing, 4 guesses left", none},
		{stopped, "stopped", picture.DayResult{Guesses: 1, Lost: true}},
		{of(3, "", 0, game.ErrNoMatch), "not played", none},
		{of(3, "", 0, game.ErrDeleted), "played, then deleted", none},
		{of(3, "", 0, game.ErrUnreadable), "its data is damaged", none},
	} {
		if words, result := c.p.words(), c.p.result(); words != c.words || result != c.result {
			t.Errorf("got %q, %v, want %q, %v", words, result, c.words, c.result)
		}
	}
}

// TestCalendar: there is no picture before a puzzle is over, and no menu on the first day. The menu has the latest past puzzles.
func TestCalendar(t *testing.T) {
	for _, c := range []struct {
		name   string
		days   int
		played string // of the last day
		blocks int
		first  bot.MenuChoice
	}{
		{"first day", 1, "", 0, bot.MenuChoice{}},
		{"first result", 1, "am", 1, bot.MenuChoice{}},
		{"not played", 9, "a", 1, bot.MenuChoice{Label: "8 · Thursday 8 January", Value: "8"}},
		{"played", 28, "abcdef", 2, bot.MenuChoice{Label: "27 · Tuesday 27 January", Value: "27"}},
	} {
		var days []played
		for number := 1; number <= c.days; number++ {
			days = append(days, of(number, "", 0, game.ErrNoMatch))
		}
		if c.days > 20 {
			days[c.days-2], c.first.Help = of(c.days-1, "am", 0, nil), "Toy solved in 2"
		}
		if c.played != "" {
			days[c.days-1] = of(c.days, c.played, 0, nil)
		}
		reply := calendar(bot.Reply{}, [][]played{days})
		if len(reply.Blocks) != c.blocks || (reply.Picture() != nil) != (len(c.played) > 1) {
			t.Errorf("%s: got %+v", c.name, reply.Blocks)
		}
		if c.first.Value == "" {
			continue
		}
		menu := reply.Blocks[len(reply.Blocks)-1].(*bot.Menu)
		if menu.Choices[0] != c.first || len(menu.Choices) != min(c.days-1, bot.MaxChoices) {
			t.Errorf("%s: %d choices, the first %+v", c.name, len(menu.Choices), menu.Choices[0])
		}
	}
}

// TestBetter: equal results share a place.
func TestBetter(t *testing.T) {
	all := []statistics.DailyResult{{Won: true, Guesses: 2}, {Won: true, Guesses: 3}, {Won: true, Guesses: 2, Hints: 1}, {Guesses: 6, Limit: 6}}
	for own, want := range map[int]int{-1: 0, 0: 0, 1: 1, 2: 1, 3: 3} {
		if got := better(all, own); got != want {
			t.Errorf("%d: got %d, want %d", own, got, want)
		}
	}
}
