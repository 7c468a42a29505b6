package game_test

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

func TestTotalsAdd(t *testing.T) {
	won := func(attempts int) game.Result { return game.Result{Status: game.Won, Attempts: attempts} }
	helped := func(r game.Result) game.Result { // cleo took a hint
		r.Participants = append(r.Participants, game.Participant{Player: "cleo", Hints: 1})
		return r
	}
	lost := game.Result{Status: game.Lost, Attempts: 6}
	stopped := func(mode game.Mode, attempts int) game.Result {
		return game.Result{Status: game.Stopped, Mode: mode, Attempts: attempts}
	}
	alone := game.Participant{Player: "ana", Guesses: 1, Credit: 1000}
	share := game.Participant{Player: "ana", Guesses: 1, Credit: 250}
	hinted := game.Participant{Player: "ana", Guesses: 1, Credit: 1000, Hints: 2}
	for _, c := range []struct {
		name    string
		results []game.Result
		part    game.Participant
		want    game.Totals
	}{
		{"a win", []game.Result{won(3)}, alone,
			game.Totals{Played: 1, Won: 1, Credit: 1000, WonCredit: 1000, Attempts: 3000, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}}},
		{"a win in six", []game.Result{won(6)}, alone,
			game.Totals{Played: 1, Won: 1, Credit: 1000, WonCredit: 1000, Attempts: 6000, Streak: 1, BestStreak: 1, Distribution: [6]int{5: 1}}},
		{"a part of a win", []game.Result{won(3)}, share,
			game.Totals{Played: 1, Won: 1, Credit: 250, WonCredit: 250, Attempts: 750, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}}},
		{"a loss", []game.Result{lost}, alone, game.Totals{Played: 1, Credit: 1000}},
		{"a part of a loss", []game.Result{lost}, share, game.Totals{Played: 1, Credit: 250}},
		{"hints only", []game.Result{won(3)}, game.Participant{Player: "ana", Hints: 2}, game.Totals{Hints: 2}},
		{"a win with one's own hints", []game.Result{helped(won(1))}, hinted, game.Totals{Played: 1, Helped: 1, Credit: 1000, Hints: 2}},
		{"a win with another's hint", []game.Result{helped(won(1))}, share, game.Totals{Played: 1, Helped: 1}},
		{"a loss with another's hint", []game.Result{helped(lost)}, share, game.Totals{Played: 1, Credit: 250}},
		{"given up together after two guesses", []game.Result{stopped(game.Together, 2)}, share, game.Totals{}},
		{"given up together after three guesses", []game.Result{stopped(game.Together, 3)}, share, game.Totals{Played: 1, Credit: 250}},
		{"given up together by others", []game.Result{stopped(game.Together, 3)}, game.Participant{Player: "ana", Hints: 1}, game.Totals{Hints: 1}},
		{"given up alone without a guess", []game.Result{stopped(game.Solo, 0)}, game.Participant{Player: "ana", Credit: 1000}, game.Totals{}},
		{"a daily puzzle without a guess", []game.Result{stopped(game.Daily, 0)}, game.Participant{Player: "ana", Credit: 1000}, game.Totals{Played: 1, Credit: 1000}},
		{"a daily puzzle given up", []game.Result{stopped(game.Daily, 1)}, hinted, game.Totals{Played: 1, Credit: 1000, Hints: 2}},
		{"a streak", []game.Result{won(2), won(3), won(3)}, alone,
			game.Totals{Played: 3, Won: 3, Credit: 3000, WonCredit: 3000, Attempts: 8000, Streak: 3, BestStreak: 3, Distribution: [6]int{1: 1, 2: 2}}},
		{"a streak that ends", []game.Result{won(2), won(3), lost, won(3)}, alone,
			game.Totals{Played: 4, Won: 3, Credit: 4000, WonCredit: 3000, Attempts: 8000, Streak: 1, BestStreak: 2, Distribution: [6]int{1: 1, 2: 2}}},
		{"a streak that giving up ends", []game.Result{won(2), stopped(game.Solo, 2), won(2)}, alone,
			game.Totals{Played: 3, Won: 2, Credit: 3000, WonCredit: 2000, Attempts: 4000, Streak: 1, BestStreak: 1, Distribution: [6]int{1: 2}}},
		{"a streak over another's hint", []game.Result{won(2), helped(won(1)), won(2)}, alone,
			game.Totals{Played: 3, Won: 2, Helped: 1, Credit: 2000, WonCredit: 2000, Attempts: 4000, Streak: 2, BestStreak: 2, Distribution: [6]int{1: 2}}},
		{"a streak that the own hint ends", []game.Result{won(2), helped(won(1))}, hinted,
			game.Totals{Played: 2, Won: 1, Helped: 1, Credit: 2000, WonCredit: 1000, Attempts: 2000, BestStreak: 1, Distribution: [6]int{1: 1}, Hints: 4}},
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

// TestTotalsCompare checks the order against its description, with the numbers as they are
// shown.
func TestTotalsCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	totals := func() game.Totals {
		var u game.Totals
		for range 1 + random.IntN(6) {
			credit := []int{1000, 1000, 500, 250, 0}[random.IntN(5)]
			r := game.Result{Status: []game.Status{game.Won, game.Lost}[random.IntN(2)], Attempts: 1 + random.IntN(game.MaxAttempts)}
			if random.IntN(4) == 0 {
				r.Participants = []game.Participant{{Hints: 1}}
			}
			u = u.Add(r, game.Participant{Guesses: 1, Credit: credit})
		}
		return u
	}
	want := func(a, b game.Totals) int {
		return cmp.Or(cmp.Compare(b.LowerBound(), a.LowerBound()), cmp.Compare(b.WonCredit, a.WonCredit),
			cmp.Compare(a.Average(), b.Average()), cmp.Compare(b.Helped, a.Helped))
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

// TestLowerBound compares it with numbers from the published formula, and with what players
// expect of it.
func TestLowerBound(t *testing.T) {
	for _, c := range []struct{ won, credit, want int }{ // thousandths; want is in millionths
		{0, 0, 0},
		{0, 5000, 0},
		{1000, 1000, 206_549}, // 1/(1+z²)
		{250, 250, 61_102},
		{10_000, 10_000, 722_467},
		{9000, 10_000, 595_850},
		{95_000, 100_000, 888_249},
		{60_000_000, 60_000_000, 999_935},
	} {
		got := game.Totals{WonCredit: c.won, Credit: c.credit}.LowerBound()
		if got < c.want-1 || got > c.want+1 {
			t.Errorf("%d of %d: %d, want %d", c.won, c.credit, got, c.want)
		}
	}
	// One more win is always better, and one more loss worse, however many there were.
	for credit := 1000; credit <= 200_000; credit += 1000 {
		for won := 1000; won <= credit; won += 1000 {
			now := game.Totals{WonCredit: won, Credit: credit}.LowerBound()
			if more := (game.Totals{WonCredit: won + 1000, Credit: credit + 1000}).LowerBound(); more <= now {
				t.Fatalf("a win after %d of %d: %d, not more than %d", won, credit, more, now)
			}
			if less := (game.Totals{WonCredit: won, Credit: credit + 1000}).LowerBound(); less >= now {
				t.Fatalf("a loss after %d of %d: %d, not less than %d", won, credit, less, now)
			}
		}
	}
}

func TestWinRateAndAverage(t *testing.T) {
	for _, c := range []struct {
		totals         game.Totals
		share, average float64
	}{
		{game.Totals{}, 0, 0},
		{game.Totals{Played: 2, Credit: 2000}, 0, 0},
		{game.Totals{Played: 4, Won: 3, Credit: 4000, WonCredit: 3000, Attempts: 12_000}, 0.75, 4},
		{game.Totals{Played: 2, Won: 2, Credit: 2000, WonCredit: 2000, Attempts: 7000}, 1, 3.5},
		{game.Totals{Played: 2, Won: 2, Credit: 500, WonCredit: 250, Attempts: 500}, 0.5, 2},
	} {
		if c.totals.WinRate() != c.share || c.totals.Average() != c.average {
			t.Errorf("%+v: share %v, average %v; want %v, %v", c.totals, c.totals.WinRate(), c.totals.Average(), c.share, c.average)
		}
	}
}

func TestTally(t *testing.T) {
	log := []game.Result{
		{Kind: wordgame.Kind, Location: game.Location{Guild: "g", Channel: "c"}, Status: game.Won, Attempts: 2, Participants: []game.Participant{
			{Player: "ana", Guesses: 1, Credit: 700}, {Player: "ben", Guesses: 1, Credit: 300}}},
		{Kind: wordgame.Kind, Location: game.Location{Guild: "h", Channel: "d"}, Status: game.Lost, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6, Credit: 1000}}},
		{Kind: wordgame.Kind, Location: game.Location{Channel: "e"}, Status: game.Won, Attempts: 1, Participants: []game.Participant{{Player: "ben", Guesses: 1, Hints: 1, Credit: 1000}}},
		{Kind: wordgame.Kind, Location: game.Location{Guild: "h", Channel: "d"}, Status: game.Stopped, Attempts: 1, Participants: []game.Participant{{Player: "cleo", Guesses: 1, Credit: 1000}}},
		{Kind: pokergame.Kind, Location: game.Location{Guild: "g", Channel: "c"}, Status: game.Lost, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6, Credit: 1000}}},
	}
	one := [6]int{1: 1}
	want := map[game.Scope]map[game.PlayerID]game.Totals{
		{Kind: wordgame.Kind}: {
			"ana":  {Player: "ana", Played: 2, Won: 1, Credit: 1700, WonCredit: 700, Attempts: 1400, BestStreak: 1, Distribution: one},
			"ben":  {Player: "ben", Played: 2, Won: 1, Helped: 1, Credit: 1300, WonCredit: 300, Attempts: 600, BestStreak: 1, Distribution: one, Hints: 1},
			"cleo": {Player: "cleo"},
		},
		{Kind: wordgame.Kind, Guild: "g"}: {
			"ana": {Player: "ana", Played: 1, Won: 1, Credit: 700, WonCredit: 700, Attempts: 1400, Streak: 1, BestStreak: 1, Distribution: one},
			"ben": {Player: "ben", Played: 1, Won: 1, Credit: 300, WonCredit: 300, Attempts: 600, Streak: 1, BestStreak: 1, Distribution: one},
		},
		{Kind: wordgame.Kind, Guild: "h"}: {
			"ana":  {Player: "ana", Played: 1, Credit: 1000},
			"cleo": {Player: "cleo"},
		},
		{Kind: pokergame.Kind}:             {"ana": {Player: "ana", Played: 1, Credit: 1000}},
		{Kind: pokergame.Kind, Guild: "g"}: {"ana": {Player: "ana", Played: 1, Credit: 1000}},
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
			Participants: []game.Participant{{Player: "ben", Guesses: 3, Credit: 750}, {Player: "ana", Guesses: 1, Hints: 1, Credit: 250}, {Player: "dan", Hints: 1}}}},
		{"ana start hard; ana guess fuzzy; ana guess moldy; ana guess blimp; ana guess trace; ana guess brace; ana guess grace", game.Result{
			Status: game.Lost, Answer: "CRANE", Hard: true, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6, Credit: 1000}}}},
		{"ana start solo; ana stop solo", game.Result{
			Status: game.Stopped, Mode: game.Solo, Answer: "CRANE", Participants: []game.Participant{{Player: "ana", Credit: 1000}}}},
		{"ana start; ana stop", game.Result{Status: game.Stopped, Answer: "CRANE"}},
		{"ana start; cleo letter; ben guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1,
			Participants: []game.Participant{{Player: "ben", Guesses: 1, Credit: 1000}, {Player: "cleo", Hints: 1}}}},
	} {
		m := mustPlay(t, newManager(newMemory(), mustLists(t, "crane", "slate brick mound fuzzy moldy blimp trace brace grace")), place, c.script)
		c.want.Kind = wordgame.Kind
		c.want.Match, c.want.Location, c.want.Started, c.want.Ended = m.ID, place, at, at
		if got := m.Result(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.script, got, c.want)
		}
	}
}
