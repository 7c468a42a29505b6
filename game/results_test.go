package game_test

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"fivefold/game"
)

func TestTotalsAdd(t *testing.T) {
	won := func(attempts int) game.Result { return game.Result{Status: game.Won, Attempts: attempts} }
	lost := game.Result{Status: game.Lost, Attempts: 6}
	stopped := game.Result{Status: game.Stopped, Attempts: 3}
	guessed := game.Participant{Player: "ana", Guesses: 1}
	for _, c := range []struct {
		name    string
		results []game.Result
		part    game.Participant
		want    game.Totals
	}{
		{"a win", []game.Result{won(3)}, guessed,
			game.Totals{Played: 1, Won: 1, Attempts: 3, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}}},
		{"a win in six", []game.Result{won(6)}, guessed,
			game.Totals{Played: 1, Won: 1, Attempts: 6, Streak: 1, BestStreak: 1, Distribution: [6]int{5: 1}}},
		{"a loss", []game.Result{lost}, guessed, game.Totals{Played: 1}},
		{"a stopped match", []game.Result{stopped}, guessed, game.Totals{}},
		{"hints only", []game.Result{won(3)}, game.Participant{Player: "ana", Hints: 2}, game.Totals{Hints: 2}},
		{"hints in a stopped match", []game.Result{stopped}, game.Participant{Player: "ana", Guesses: 2, Hints: 2}, game.Totals{Hints: 2}},
		{"hints and guesses", []game.Result{won(1)}, game.Participant{Player: "ana", Guesses: 1, Hints: 2},
			game.Totals{Played: 1, Won: 1, Attempts: 1, Streak: 1, BestStreak: 1, Distribution: [6]int{1}, Hints: 2}},
		{"a streak", []game.Result{won(2), won(3), won(3)}, guessed,
			game.Totals{Played: 3, Won: 3, Attempts: 8, Streak: 3, BestStreak: 3, Distribution: [6]int{1: 1, 2: 2}}},
		{"a streak that ends", []game.Result{won(2), won(3), lost, won(3)}, guessed,
			game.Totals{Played: 4, Won: 3, Attempts: 8, Streak: 1, BestStreak: 2, Distribution: [6]int{1: 1, 2: 2}}},
		{"a streak over a stopped match", []game.Result{won(2), stopped, won(2)}, guessed,
			game.Totals{Played: 2, Won: 2, Attempts: 4, Streak: 2, BestStreak: 2, Distribution: [6]int{1: 2}}},
	} {
		var got game.Totals
		for _, r := range c.results {
			got = got.Add(r, c.part)
		}
		c.want.Player = "ana"
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestTotalsCompare checks the order against its description, with the share
// and the average as they are shown.
func TestTotalsCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	totals := func() game.Totals {
		played := 1 + random.IntN(6)
		won := random.IntN(played + 1)
		u := game.Totals{Played: played, Won: won}
		for range won {
			u.Attempts += 1 + random.IntN(game.MaxAttempts)
		}
		return u
	}
	want := func(a, b game.Totals) int {
		if a.Won == 0 && b.Won == 0 {
			return cmp.Compare(a.Played, b.Played)
		}
		return cmp.Or(cmp.Compare(b.Won, a.Won), cmp.Compare(b.WinRate(), a.WinRate()), cmp.Compare(a.Average(), b.Average()))
	}
	equal := 0
	for range 20_000 {
		a, b := totals(), totals()
		if got, want := a.Compare(b), want(a, b); got != want {
			t.Fatalf("%+v compared with %+v: %d, want %d", a, b, got, want)
		}
		if a.Compare(b) == 0 {
			equal++
		}
	}
	if equal < 100 {
		t.Errorf("only %d pairs were equal", equal)
	}
}

func TestWinRateAndAverage(t *testing.T) {
	for _, c := range []struct {
		totals         game.Totals
		share, average float64
	}{
		{game.Totals{}, 0, 0},
		{game.Totals{Played: 2}, 0, 0},
		{game.Totals{Played: 4, Won: 3, Attempts: 12}, 0.75, 4},
		{game.Totals{Played: 2, Won: 2, Attempts: 7}, 1, 3.5},
	} {
		if c.totals.WinRate() != c.share || c.totals.Average() != c.average {
			t.Errorf("%+v: share %v, average %v; want %v, %v", c.totals, c.totals.WinRate(), c.totals.Average(), c.share, c.average)
		}
	}
}

func TestTally(t *testing.T) {
	log := []game.Result{
		{Kind: game.Wordle, Location: game.Location{Guild: "g", Channel: "c"}, Status: game.Won, Attempts: 2, Participants: []game.Participant{
			{Player: "ana", Guesses: 1}, {Player: "ben", Guesses: 1, Hints: 1}}},
		{Kind: game.Wordle, Location: game.Location{Guild: "h", Channel: "d"}, Status: game.Lost, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6}}},
		{Kind: game.Wordle, Location: game.Location{Channel: "e"}, Status: game.Won, Attempts: 1, Participants: []game.Participant{{Player: "ben", Guesses: 1}}},
		{Kind: game.Wordle, Location: game.Location{Guild: "h", Channel: "d"}, Status: game.Stopped, Attempts: 1, Participants: []game.Participant{{Player: "cleo", Guesses: 1}}},
		{Kind: game.Pokle, Location: game.Location{Guild: "g", Channel: "c"}, Status: game.Lost, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6}}},
	}
	one := [6]int{1: 1}
	want := map[game.Scope]map[game.PlayerID]game.Totals{
		{Kind: game.Wordle}: {
			"ana":  {Player: "ana", Played: 2, Won: 1, Attempts: 2, BestStreak: 1, Distribution: one},
			"ben":  {Player: "ben", Played: 2, Won: 2, Attempts: 3, Streak: 2, BestStreak: 2, Distribution: [6]int{1, 1}, Hints: 1},
			"cleo": {Player: "cleo"},
		},
		{Kind: game.Wordle, Guild: "g"}: {
			"ana": {Player: "ana", Played: 1, Won: 1, Attempts: 2, Streak: 1, BestStreak: 1, Distribution: one},
			"ben": {Player: "ben", Played: 1, Won: 1, Attempts: 2, Streak: 1, BestStreak: 1, Distribution: one, Hints: 1},
		},
		{Kind: game.Wordle, Guild: "h"}: {
			"ana":  {Player: "ana", Played: 1},
			"cleo": {Player: "cleo"},
		},
		{Kind: game.Pokle}:             {"ana": {Player: "ana", Played: 1}},
		{Kind: game.Pokle, Guild: "g"}: {"ana": {Player: "ana", Played: 1}},
	}
	if got := game.Tally(log); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
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
			Participants: []game.Participant{{Player: "ben", Guesses: 3}, {Player: "ana", Guesses: 1, Hints: 1}, {Player: "dan", Hints: 1}}}},
		{"ana start hard; ana guess fuzzy; ana guess moldy; ana guess blimp; ana guess trace; ana guess brace; ana guess grace", game.Result{
			Status: game.Lost, Answer: "CRANE", Hard: true, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6}}}},
		{"ana start; ana stop", game.Result{Status: game.Stopped, Answer: "CRANE"}},
		{"ana start; cleo letter; ben guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1,
			Participants: []game.Participant{{Player: "ben", Guesses: 1}, {Player: "cleo", Hints: 1}}}},
	} {
		m := mustPlay(t, newManager(newMemory(), mustLists(t, "crane", "slate brick mound fuzzy moldy blimp trace brace grace")), place, c.script)
		c.want.Kind = game.Wordle
		c.want.Match, c.want.Location, c.want.Started, c.want.Ended = m.ID, place, at, at
		if got := m.Result(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.script, got, c.want)
		}
	}
}
