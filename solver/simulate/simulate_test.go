package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
)

func mustStrategy(tb testing.TB, lists *wordle.Lists, name string) solver.Strategy {
	tb.Helper()
	strategy, err := solver.New(lists).Strategy(name)
	if err != nil {
		tb.Fatal(err)
	}
	return strategy
}

// embeddedSample returns lists of some of the built-in words.
func embeddedSample(tb testing.TB, answers, guesses int) *wordle.Lists {
	tb.Helper()
	all, err := wordle.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	hidden := sample(all.Answers(), answers, 1)
	both := map[wordle.Word]bool{}
	for _, w := range append(sample(all.Guesses(), guesses, 1), hidden...) {
		both[w] = true
	}
	var some []wordle.Word
	for w := range both {
		some = append(some, w)
	}
	return wordletest.Lists(tb, join(hidden), join(some))
}

func join(words []wordle.Word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.String())
	}
	return strings.Join(texts, " ")
}

// alike are words that hard mode cannot distinguish quickly.
const alike = "batch catch hatch latch match patch watch"

// TestPublishedFigures plays the simple strategies on the original lists, whose
// figures are known to the last game.
func TestPublishedFigures(t *testing.T) {
	racetest.Skip(t)
	lists := wordletest.Original(t)
	s := solver.New(lists)
	for _, c := range []struct {
		strategy    string
		hard        bool
		given       string
		opener      string
		total, lost int
	}{
		{"parts", false, "", "TRACE", 7949, 0},
		{"entropy", false, "", "SOARE", 8020, 0},
		{"expected", false, "", "ROATE", 8059, 0},
		{"minimax", false, "", "ARISE", 8272, 0},
		{"expected", true, "raise", "RAISE", 8393, 15},
		{"parts", true, "", "TRACE", 8173, 7},
	} {
		if racetest.Enabled && c.opener != "RAISE" { // those who may guess less take a tenth of the time
			continue
		}
		strategy, err := s.Strategy(c.strategy)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Lists: lists, Strategy: strategy, Hard: c.hard}
		if c.given != "" {
			o.Opener = wordle.MustParse(c.given)
		}
		got, err := Run(t.Context(), o)
		if err != nil || !got.Complete() || got.Opener.String() != c.opener || got.Total() != c.total || got.Lost() != c.lost {
			t.Errorf("%+v: %v opens, %d games of %d take %d guesses, %d lost, %v",
				c, got.Opener, len(got.Games), got.Of, got.Total(), got.Lost(), err)
		}
	}
}

// TestAgainstGames compares with one game after another, and many workers with one.
func TestAgainstGames(t *testing.T) {
	lists := embeddedSample(t, 150, 100)
	for _, name := range []string{"expected", "minimax"}[:racetest.Cases(2)] {
		for _, hard := range []bool{false, true}[:racetest.Cases(2)] {
			for _, opener := range []wordle.Word{0, lists.Guesses()[17]} {
				strategy := mustStrategy(t, lists, name)
				o := Options{Lists: lists, Strategy: strategy, Hard: hard, Opener: opener, Workers: 1}
				one, err := Run(t.Context(), o)
				if err != nil || !one.Complete() || one.Of != len(lists.Answers()) {
					t.Fatalf("%d games of %d, %v", len(one.Games), one.Of, err)
				}
				o.Workers = 8
				many, err := Run(t.Context(), o)
				if err != nil || !reflect.DeepEqual(many.Games, one.Games) {
					t.Errorf("%s, hard %v: the number of workers changes the games, %v", name, hard, err)
				}
				for i, hidden := range lists.Answers() {
					if want := gamePlain(t, strategy, hard, opener, hidden); !slices.Equal(one.Games[i].Guesses, want) {
						t.Fatalf("%s, hard %v, opener %v: %v, want %v", name, hard, opener, one.Games[i].Guesses, want)
					}
				}
			}
		}
	}
}

// gamePlain plays one game.
func gamePlain(t *testing.T, strategy solver.Strategy, hard bool, opener, hidden wordle.Word) []wordle.Word {
	t.Helper()
	var (
		guesses []wordle.Word
		turns   []wordle.Turn
	)
	for len(guesses) == 0 || guesses[len(guesses)-1] != hidden {
		guess := opener
		if guess == 0 || len(guesses) > 0 {
			suggestions, err := strategy(t.Context(), solver.Position{Turns: turns, Hard: hard}, 1)
			if err != nil {
				t.Fatal(err)
			}
			guess = suggestions[0].Word
		}
		guesses = append(guesses, guess)
		turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
	}
	return guesses
}

// TestLostGamesGoOn plays words that differ in one letter, one of which needs a
// seventh guess.
func TestLostGamesGoOn(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike)
	var limits [8]int
	strategy := mustStrategy(t, lists, "expected")
	got, err := Run(t.Context(), Options{Lists: lists, Hard: true, Workers: 1,
		Strategy: func(ctx context.Context, p solver.Position, k int) ([]solver.Suggestion, error) {
			limits[len(p.Turns)] = p.Limit
			return strategy(ctx, p, k)
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Total() != 1+2+3+4+5+6+7 || got.Average() != 4 || got.Lost() != 1 || !slices.Equal(got.Distribution(), []int{1, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("%d guesses, %v on average, %d lost, %v", got.Total(), got.Average(), got.Lost(), got.Distribution())
	}
	if longest := got.Longest(); len(longest) != 1 || longest[0].Hidden() != wordle.MustParse("watch") || !longest[0].Lost() {
		t.Errorf("the longest games are %v", longest)
	}
	if limits != [8]int{6, 6, 6, 6, 6, 6, 0, 0} {
		t.Errorf("the strategy is given the limits %v", limits)
	}
}

func TestResultWithoutGames(t *testing.T) {
	var r Result
	if r.Total() != 0 || r.Average() != 0 || r.Lost() != 0 || r.Longest() != nil || !slices.Equal(r.Distribution(), make([]int, 6)) {
		t.Errorf("nothing makes %v", r)
	}
}

// always returns a strategy that makes the guesses one after another, and the last
// one again and again.
func always(guesses string) solver.Strategy {
	return func(_ context.Context, p solver.Position, _ int) ([]solver.Suggestion, error) {
		var all []solver.Suggestion
		for _, g := range strings.Fields(guesses) {
			all = append(all, solver.Suggestion{Word: wordle.MustParse(g)})
		}
		return all[min(len(p.Turns), len(all)-1):], nil
	}
}

func TestFaultyStrategies(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike+" slate crane")
	none := func(context.Context, solver.Position, int) ([]solver.Suggestion, error) { return nil, nil }
	broken := func(context.Context, solver.Position, int) ([]solver.Suggestion, error) {
		return nil, solver.ErrNothingAllowed
	}
	for _, c := range []struct {
		name     string
		strategy solver.Strategy
		hard     bool
		opener   string
		want     string
		is       error
	}{
		{"repeats", always("slate"), false, "", "after SLATE BBYYB: its guess SLATE leaves all words possible: ", ErrStuck},
		{"useless at once", always("crane"), false, "", "after CRANE YBYBB: its guess CRANE leaves all words possible: ", ErrStuck},
		{"no guess", none, false, "", "for the first guess: it has no guess: ", ErrStuck},
		{"error", broken, false, "slate", "after SLATE", solver.ErrNothingAllowed},
		{"unknown word", always("slate zebra"), false, "", "the strategy guesses ZEBRA, which is not in the list", nil},
		{"drops a clue", always("match slate"), true, "", "the strategy guesses SLATE: hard mode: A must stay at position 2", nil},
		{"unknown opener", always("slate"), false, "zebra", "the opener ZEBRA is not in the list of guesses", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Lists: lists, Strategy: c.strategy, Hard: c.hard, Workers: 1}
			if c.opener != "" {
				o.Opener = wordle.MustParse(c.opener)
			}
			got, err := Run(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if got.Complete() {
				t.Error("it is complete")
			}
		})
	}
}

func TestSample(t *testing.T) {
	lists := embeddedSample(t, 200, 100)
	strategy := mustStrategy(t, lists, "parts")
	whole, err := Run(t.Context(), Options{Lists: lists, Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for seed := range uint64(5) {
		o := Options{Lists: lists, Strategy: strategy, Sample: 20, Seed: seed}
		got, err := Run(t.Context(), o)
		if err != nil || len(got.Games) != 20 || got.Of != 20 {
			t.Fatalf("%d games of %d, %v", len(got.Games), got.Of, err)
		}
		again, err := Run(t.Context(), o)
		if err != nil || !reflect.DeepEqual(again.Games, got.Games) {
			t.Errorf("the same seed has other games, %v", err)
		}
		for _, g := range got.Games { // as if all were played
			if i := slices.Index(lists.Answers(), g.Hidden()); !slices.Equal(whole.Games[i].Guesses, g.Guesses) {
				t.Errorf("%v in the sample, %v else", g.Guesses, whole.Games[i].Guesses)
			}
		}
		seen[fmt.Sprint(got.Games)] = true
	}
	if len(seen) != 5 {
		t.Errorf("5 seeds made %d samples", len(seen))
	}
	if got, err := Run(t.Context(), Options{Lists: lists, Strategy: strategy, Sample: 1000}); err != nil || len(got.Games) != 200 {
		t.Errorf("a sample of more than all has %d games, %v", len(got.Games), err)
	}
}

// TestContext ends a run half-way.
func TestContext(t *testing.T) {
	lists := embeddedSample(t, 200, 100)
	for _, name := range []string{"expected", solver.Optimal} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var calls []int
		got, err := Run(ctx, Options{Lists: lists, Strategy: mustStrategy(t, lists, name),
			Opener: lists.Answers()[0],
			Progress: func(done, of int) {
				calls = append(calls, done)
				if done >= 20 {
					cancel()
				}
			}})
		if !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), " of 200 hidden words: context canceled") {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(got.Games); n < 20 || n >= 200 || got.Complete() || n != calls[len(calls)-1] || !slices.IsSorted(calls) {
			t.Errorf("%s: %d games, progress %v", name, n, calls)
		}
		if !slices.IsSortedFunc(got.Games, func(a, b Game) int { return a.Hidden().Compare(b.Hidden()) }) {
			t.Errorf("%s: the games are in no order", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := Run(ctx, Options{Lists: lists, Strategy: mustStrategy(t, lists, "parts")})
	if !errors.Is(err, context.Canceled) || len(got.Games) != 0 || got.Of != 200 {
		t.Errorf("from the start: %+v, %v", got, err)
	}
}

// TestContextEndsInStrategy: what a strategy says after ctx has ended may be any
// guess, so it is not played.
func TestContextEndsInStrategy(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike+" chomp whelp")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	good := mustStrategy(t, lists, "parts")
	got, err := Run(ctx, Options{Lists: lists, Workers: 1, Opener: wordle.MustParse("match"),
		Strategy: func(_ context.Context, p solver.Position, k int) ([]solver.Suggestion, error) {
			cancel()
			return good(t.Context(), p, k)
		}})
	if !errors.Is(err, context.Canceled) || len(got.Games) > 1 {
		t.Errorf("%v is played, %v", got.Games, err)
	}
}

// TestRandomStrategies: whatever is guessed, every word is found, or the error
// says why not.
func TestRandomStrategies(t *testing.T) {
	lists := embeddedSample(t, 60, 60)
	var seed atomic.Uint64
	for range 50 {
		got, err := Run(t.Context(), Options{Lists: lists, Strategy: func(context.Context, solver.Position, int) ([]solver.Suggestion, error) {
			random := rand.New(rand.NewPCG(seed.Add(1), 0))
			return []solver.Suggestion{{Word: lists.Guesses()[random.IntN(len(lists.Guesses()))]}}, nil
		}})
		if got.Complete() != (err == nil) || err != nil && !errors.Is(err, ErrStuck) {
			t.Fatalf("%d games of %d, %v", len(got.Games), got.Of, err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	lists := wordletest.Original(b)
	s := solver.New(lists)
	for _, name := range []string{"expected", "parts"} {
		b.Run(name, func(b *testing.B) {
			strategy, err := s.Strategy(name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Run(b.Context(), Options{Lists: lists, Strategy: strategy}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
