package game_test

import (
	"reflect"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
)

func TestTotalsAdd(t *testing.T) {
	daily := func(number int, outcome game.Status, guesses, hints int) game.Result {
		return game.Result{Location: game.Location{Guild: "g"}, Mode: game.Daily, Puzzle: game.DailyPuzzle(number), Attempts: guesses, Participants: []game.Participant{
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
		want    statistics.Totals
	}{
		{"a win", []game.Result{other(game.Won, 3, 0)},
			statistics.Totals{Other: statistics.Counts{Played: 1, Won: 1, Distribution: [6]int{2: 1}}, Streak: statistics.Streak{Now: 1, Best: 1}}},
		{"a loss", []game.Result{other(game.Lost, 6, 1)}, statistics.Totals{Other: statistics.Counts{Played: 1, Hints: 1, Hinted: 1}}},
		{"neither", []game.Result{other("", 2, 1)}, statistics.Totals{Other: statistics.Counts{Hints: 1}}},
		{"a streak that ends", []game.Result{other(game.Won, 2, 0), other(game.Won, 2, 1), other("", 2, 0), other(game.Lost, 6, 0), other(game.Won, 2, 0)},
			statistics.Totals{Other: statistics.Counts{Played: 4, Won: 3, Hints: 1, Hinted: 1, Distribution: [6]int{1: 3}}, Streak: statistics.Streak{Now: 1, Best: 2}}},
		{"daily puzzles", []game.Result{daily(7, game.Won, 3, 0), daily(8, game.Won, 4, 2), daily(9, game.Lost, 6, 0)},
			statistics.Totals{Daily: statistics.Counts{Played: 3, Won: 2, Hints: 2, Hinted: 1, Distribution: [6]int{2: 1, 3: 1}}, Days: statistics.Streak{Best: 2}, LastDay: 9}},
		{"a day left out", []game.Result{daily(7, game.Won, 3, 0), daily(9, game.Won, 3, 0)},
			statistics.Totals{Daily: statistics.Counts{Played: 2, Won: 2, Distribution: [6]int{2: 2}}, Days: statistics.Streak{Now: 1, Best: 1}, LastDay: 9}},
		{"one that was left and ends later", []game.Result{daily(7, game.Won, 3, 0), daily(9, game.Won, 3, 0), daily(8, game.Lost, 0, 0), daily(10, game.Won, 3, 0)},
			statistics.Totals{Daily: statistics.Counts{Played: 4, Won: 3, Distribution: [6]int{2: 3}}, Days: statistics.Streak{Now: 2, Best: 2}, LastDay: 10}},
		{"puzzles of the past, in the archive", []game.Result{{Location: game.Location{Guild: "g"}, Mode: "archive", Puzzle: game.DailyPuzzle(3), Attempts: 2, Participants: other(game.Won, 2, 0).Participants}},
			statistics.Totals{Other: statistics.Counts{Played: 1, Won: 1, Distribution: [6]int{1: 1}}, Streak: statistics.Streak{Now: 1, Best: 1}}},
	} {
		for _, scope := range []statistics.Scope{{}, {Guild: "g"}} {
			got := statistics.TallyOf(c.results)["ana"].Of(scope)
			if c.want.Player = "ana"; scope.Guild != "" { // where streaks of days are not kept
				c.want.Days, c.want.LastDay = statistics.Streak{}, 0
			}
			if got != c.want {
				t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
			}
		}
	}
}

func TestMatchResult(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 123_000_000, time.Local).UTC()
	for _, c := range []struct {
		script string
		want   game.Result
	}{
		{"ana start; ben guess slate; ana guess brick; dan letter; ben guess mound; ana position; ben guess crane", game.Result{
			Status: game.Won, Answer: "CRANE", Attempts: 4, Winner: "ben",
			Participants: []game.Participant{{Player: "ben", Guesses: 3, Outcome: game.Won}, {Player: "ana", Guesses: 1, Hints: 1, Outcome: game.Won}, {Player: "dan", Hints: 1}}}},
		{"ana start hard; ana guess fuzzy; ana guess moldy; ana guess blimp; ana guess trace; ana guess brace; ana guess grace", game.Result{
			Status: game.Lost, Answer: "CRANE", Hard: true, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6, Outcome: game.Lost}}}},
		{"ana start solo; ana stop solo", game.Result{
			Status: game.Stopped, Mode: game.Solo, Answer: "CRANE", Participants: []game.Participant{{Player: "ana"}}}},
		{"ana start; ana stop", game.Result{Status: game.Stopped, Answer: "CRANE"}},
		{"ana start; cleo letter; ben guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1,
			Participants: []game.Participant{{Player: "ben", Guesses: 1}, {Player: "cleo", Hints: 1}}}}, // ana gave up, not ben
		{"ana start; ben guess slate; ben guess brick; ben guess mound; ben guess fuzzy; ben guess moldy; ana guess blimp", game.Result{
			Status: game.Lost, Answer: "CRANE", Attempts: 6, Participants: []game.Participant{{Player: "ben", Guesses: 5}, {Player: "ana", Guesses: 1}}}},
		{"ana start; ana guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1, Participants: []game.Participant{{Player: "ana", Guesses: 1, Outcome: game.Lost}}}},
	} {
		m := mustPlay(t, newManager(newMemory(), mustLists(t, "crane", "slate brick mound fuzzy moldy blimp trace brace grace")), place, c.script)
		c.want.Kind = wordgame.Kind
		c.want.Match, c.want.Location, c.want.Started, c.want.Ended = m.ID, place, at, at
		if got := m.Result(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.script, got, c.want)
		}
	}
}
