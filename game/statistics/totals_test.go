package statistics

import (
	"reflect"
	"testing"

	"fivefold/game"
)

func TestTotalsAdd(t *testing.T) {
	daily := func(number int, outcome game.Status, guesses, hints int) game.Result {
		return game.Result{Location: game.Location{Guild: "g"}, Mode: game.Daily, Puzzle: game.DailyPuzzle(number), Attempts: guesses, Limit: 6, Participants: []game.Participant{
			{Player: "ana", Guesses: guesses, Hints: hints, Outcome: outcome},
		}}
	}
	other := func(outcome game.Status, guesses, hints int) game.Result {
		r := daily(1, outcome, guesses, hints)
		r.Mode, r.Puzzle = game.Solo, ""
		return r
	}
	for _, c := range []struct {
		name    string
		results []game.Result
		want    Totals
	}{
		{"a win", []game.Result{other(game.Won, 3, 0)},
			Totals{Other: Counts{Played: 1, Won: 1, Distribution: []int{2: 1}}, Streak: Streak{Now: 1, Best: 1}}},
		{"a loss", []game.Result{other(game.Lost, 6, 1)}, Totals{Other: Counts{Played: 1, Missed: 7, Hints: 1, Hinted: 1}}},
		{"neither", []game.Result{other("", 2, 1)}, Totals{Other: Counts{Hints: 1}}},
		{"a streak that ends", []game.Result{other(game.Won, 2, 0), other(game.Won, 2, 1), other("", 2, 0), other(game.Lost, 6, 0), other(game.Won, 2, 0)},
			Totals{Other: Counts{Played: 4, Won: 3, Missed: 7, Hints: 1, Hinted: 1, Distribution: []int{1: 3}}, Streak: Streak{Now: 1, Best: 2}}},
		{"daily puzzles", []game.Result{daily(7, game.Won, 3, 0), daily(8, game.Won, 4, 2), daily(9, game.Lost, 6, 0)},
			Totals{Daily: Counts{Played: 3, Won: 2, Missed: 7, Hints: 2, Hinted: 1, Distribution: []int{2: 1, 3: 1}}, Days: Streak{Best: 2}, LastDay: 9}},
		{"a day left out", []game.Result{daily(7, game.Won, 3, 0), daily(9, game.Won, 3, 0)},
			Totals{Daily: Counts{Played: 2, Won: 2, Distribution: []int{2: 2}}, Days: Streak{Now: 1, Best: 1}, LastDay: 9}},
		{"one that was left and ends later", []game.Result{daily(7, game.Won, 3, 0), daily(9, game.Won, 3, 0), daily(8, game.Lost, 0, 0), daily(10, game.Won, 3, 0)},
			Totals{Daily: Counts{Played: 4, Won: 3, Missed: 7, Distribution: []int{2: 3}}, Days: Streak{Now: 2, Best: 2}, LastDay: 10}},
		{"puzzles of the past, in practice", []game.Result{{Location: game.Location{Guild: "g"}, Mode: "practice", Puzzle: game.DailyPuzzle(3), Attempts: 2, Participants: other(game.Won, 2, 0).Participants}},
			Totals{Other: Counts{Played: 1, Won: 1, Distribution: []int{1: 1}}, Streak: Streak{Now: 1, Best: 1}}},
	} {
		for _, scope := range []Scope{{}, {Guild: "g"}} {
			got := TallyOf(c.results)["ana"].Of(scope)
			if c.want.Player = "ana"; scope.Guild != "" { // where streaks of days are not kept
				c.want.Days, c.want.LastDay = Streak{}, 0
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
			}
		}
	}
}

// TestShared: a month counts in the servers where its dailies were played and shared, all of it and once.
func TestShared(t *testing.T) {
	var log []game.Result
	for i, number := range []int{1, 2, 40} {
		log = append(log, game.Result{Location: game.Location{Guild: "g"}, Mode: game.Daily, Puzzle: game.DailyPuzzle(number), Attempts: 2, Guilds: [][]game.GuildID{{"h"}, nil, nil}[i],
			Participants: []game.Participant{{Player: "ana", Guesses: 2, Outcome: game.Won}}})
	}
	ana := TallyOf(log)["ana"]
	for scope, want := range map[Scope]int{
		{}: 3, {Guild: "g"}: 3, {Guild: "h"}: 2, {Guild: "i"}: 0,
		{Month: "2026-01", Guild: "g"}: 2, {Month: "2026-01", Guild: "h"}: 2, {Month: "2026-02", Guild: "g"}: 1, {Month: "2026-02", Guild: "h"}: 0,
	} {
		if got := ana.Of(scope).Daily.Won; got != want {
			t.Errorf("%+v has %d, want %d", scope, got, want)
		}
	}
}

// TestTotalNames: the totals across all guilds have the player's name in the latest daily puzzle that has one; no others have it.
func TestTotalNames(t *testing.T) {
	var log []game.Result
	for i, name := range []string{"Ana", "Anna", "", "Nick"} {
		r := game.Result{Location: game.Location{Guild: "g"}, Mode: game.Daily, Puzzle: game.DailyPuzzle(1 + i), Attempts: 2, Guilds: []game.GuildID{"h"},
			Participants: []game.Participant{{Player: "ana", Guesses: 2, Outcome: game.Won}}, Names: game.Names{"ana": name}}
		if name == "Nick" {
			r.Mode, r.Puzzle = game.Solo, ""
		}
		log = append(log, r)
	}
	for scope, total := range TallyOf(log)["ana"] {
		want := ""
		if scope == (Scope{}) {
			want = "Anna"
		}
		if total.Name != want {
			t.Errorf("%+v has the name %q, want %q", scope, total.Name, want)
		}
	}
}

// TestCompare: a lost puzzle counts as seven guesses, a hint as one, and of equal averages more puzzles are better.
func TestCompare(t *testing.T) {
	order := []Counts{
		{Played: 4, Won: 4, Distribution: []int{2: 4}},            // 3
		{Played: 2, Won: 2, Distribution: []int{2: 2}},            // 3
		{Played: 2, Won: 2, Distribution: []int{2: 2}, Hints: 1},  // 3.5
		{Played: 2, Won: 1, Distribution: []int{0: 1}, Missed: 7}, // 4
	}
	for i, a := range order {
		for k, b := range order {
			if got := (Totals{Daily: a}).Compare(Totals{Daily: b}); (got < 0) != (i < k) || (got > 0) != (i > k) {
				t.Errorf("%+v and %+v compare as %d", a, b, got)
			}
		}
	}
}

// TestDayStreak: a streak goes on until the day after its last puzzle is over.
func TestDayStreak(t *testing.T) {
	for last, want := range map[int]int{9: 3, 8: 3, 7: 0} {
		if got := (Totals{Days: Streak{Now: 3}, LastDay: last}).DayStreak(9); got != want {
			t.Errorf("on day 9 it is %d with the last one on day %d, want %d", got, last, want)
		}
	}
}
