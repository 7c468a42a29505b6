package simulate

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
	"fivefold/solver/solvertest"
)

func mustStrategy(tb testing.TB, lists *wordle.Lists, name string) optimal.Strategy {
	tb.Helper()
	strategy, err := optimal.New(lists).Strategy(name)
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
	hidden := Sample(all.Answers(), answers, 1)
	both := map[wordle.Word]bool{}
	for _, w := range append(Sample(all.Guesses(), guesses, 1), hidden...) {
		both[w] = true
	}
	var some []wordle.Word
	for w := range both {
		some = append(some, w)
	}
	return wordletest.Lists(tb, solvertest.Join(hidden), solvertest.Join(some))
}

// alike are words that hard mode cannot distinguish quickly.
const alike = "batch catch hatch latch match patch watch"

// TestPublishedFigures plays the simple strategies on the original lists, whose
// figures are known to the last game.
func TestPublishedFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	lists := wordletest.Original(t)
	s := optimal.New(lists)
	for _, c := range []struct {
		strategy    string
		hard        marks.Hardness
		given       string
		opener      string
		total, lost int
	}{
		{"parts", marks.Off, "", "TRACE", 7949, 0},
		{"entropy", marks.Off, "", "SOARE", 8020, 0},
		{"expected", marks.Off, "", "ROATE", 8059, 0},
		{"minimax", marks.Off, "", "ARISE", 8272, 0},
		{"expected", marks.Hard, "raise", "RAISE", 8393, 15},
		{"parts", marks.Hard, "", "TRACE", 8173, 7},
	} {
		if testing.Short() && c.opener != "RAISE" { // those who may guess less take a tenth of the time
			continue
		}
		strategy, err := s.Strategy(c.strategy)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Hidden: lists.Answers(), Strategy: strategy, Hard: c.hard}
		if c.given != "" {
			o.Opener = wordle.MustParse(c.given)
		}
		got, err := Run(t.Context(), o)
		if err != nil || got.Opener.String() != c.opener || got.Total() != c.total || got.Lost() != c.lost {
			t.Errorf("%+v: %v opens, %d games take %d guesses, %d lost, %v", c, got.Opener, len(got.Games), got.Total(), got.Lost(), err)
		}
	}
}

// TestAgainstGames compares with one game after another, and many workers with one.
func TestAgainstGames(t *testing.T) {
	lists := embeddedSample(t, 150, 100)
	for _, name := range []string{"expected", "minimax"} {
		for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
			for _, opener := range []wordle.Word{0, lists.Guesses()[17]} {
				strategy := mustStrategy(t, lists, name)
				o := Options{Hidden: lists.Answers(), Strategy: strategy, Hard: hard, Opener: opener, Workers: 1}
				one, err := Run(t.Context(), o)
				if err != nil || len(one.Games) != len(lists.Answers()) {
					t.Fatalf("%d games, %v", len(one.Games), err)
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
func gamePlain(t *testing.T, strategy optimal.Strategy, hard marks.Hardness, opener, hidden wordle.Word) []wordle.Word {
	t.Helper()
	var (
		guesses []wordle.Word
		turns   []wordle.Turn
	)
	for len(guesses) == 0 || guesses[len(guesses)-1] != hidden {
		guess := opener
		if guess == 0 || len(guesses) > 0 {
			suggestions, err := strategy(t.Context(), optimal.Position{Turns: turns, Hard: hard}, 1)
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
	got, err := Run(t.Context(), Options{Hidden: lists.Answers(), Hard: marks.Hard, Workers: 1,
		Strategy: func(ctx context.Context, p optimal.Position, k int) ([]optimal.Suggestion, error) {
			limits[len(p.Turns)] = p.Limit
			return strategy(ctx, p, k)
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Total() != 1+2+3+4+5+6+7 || got.Average() != 4 || got.Lost() != 1 || !slices.Equal(got.Distribution(), []int{1, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("%d guesses, %v on average, %d lost, %v", got.Total(), got.Average(), got.Lost(), got.Distribution())
	}
	if longest := got.Longest(); len(longest) != 1 || longest[0].Hidden != wordle.MustParse("watch") || !longest[0].Lost() {
		t.Errorf("the longest games are %v", longest)
	}
	if limits != [8]int{6, 6, 6, 6, 6, 6, 0, 0} {
		t.Errorf("the strategy is given the limits %v", limits)
	}
}

// TestFaultyStrategy: its error ends the run.
func TestFaultyStrategy(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike+" slate crane")
	got, err := Run(t.Context(), Options{Hidden: lists.Answers(), Strategy: func(context.Context, optimal.Position, int) ([]optimal.Suggestion, error) {
		return nil, optimal.ErrNothingAllowed
	}})
	if !errors.Is(err, optimal.ErrNothingAllowed) || len(got.Games) > 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestSample: the same seed draws the same words.
func TestSample(t *testing.T) {
	words := wordletest.Embedded(t).Answers()
	seen := map[string]bool{}
	for seed := range uint64(5) {
		drawn := Sample(words, 20, seed)
		if len(drawn) != 20 || !slices.IsSortedFunc(drawn, wordle.Word.Compare) || !slices.Equal(drawn, Sample(words, 20, seed)) {
			t.Errorf("seed %d: %v", seed, drawn)
		}
		seen[solvertest.Join(drawn)] = true
	}
	if len(seen) != 5 || !slices.Equal(Sample(words, 1_000_000, 1), words) || !slices.Equal(Sample(words, 0, 1), words) {
		t.Errorf("5 seeds drew %d samples", len(seen))
	}
}

// TestContext ends a run half-way.
func TestContext(t *testing.T) {
	lists := embeddedSample(t, 200, 100)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls []int
	got, err := Run(ctx, Options{
		Hidden: lists.Answers(), Strategy: mustStrategy(t, lists, optimal.Optimal), Opener: lists.Answers()[0],
		Progress: func(done, of int) {
			if calls = append(calls, done); done >= 20 {
				cancel()
			}
		},
	})
	if n := len(got.Games); !errors.Is(err, context.Canceled) || n < 20 || n >= 200 || n != calls[len(calls)-1] || !slices.IsSorted(calls) {
		t.Errorf("%d games, progress %v, %v", n, calls, err)
	}
	if !slices.IsSortedFunc(got.Games, func(a, b Game) int { return a.Hidden.Compare(b.Hidden) }) {
		t.Error("the games are in no order")
	}
}

// TestContextEndsInStrategy: what a strategy says after ctx has ended may be any
// guess, so it is not played.
func TestContextEndsInStrategy(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike+" chomp whelp")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	good := mustStrategy(t, lists, "parts")
	got, err := Run(ctx, Options{Hidden: lists.Answers(), Workers: 1, Opener: wordle.MustParse("match"),
		Strategy: func(_ context.Context, p optimal.Position, k int) ([]optimal.Suggestion, error) {
			cancel()
			return good(t.Context(), p, k)
		}})
	if !errors.Is(err, context.Canceled) || len(got.Games) > 1 {
		t.Errorf("%v is played, %v", got.Games, err)
	}
}

// TestMost: a game ends with its last guess, or where no word fits.
func TestMost(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike)
	hidden := append(lists.Answers(), wordle.MustParse("zzzzz"))
	got, err := Run(t.Context(), Options{Hidden: hidden, Strategy: mustStrategy(t, lists, "expected"), Hard: marks.Hard, Most: 3})
	if err != nil || len(got.Games) != len(hidden) || got.Lost() != len(hidden)-3 {
		t.Fatalf("%d of %d games are lost, %v", got.Lost(), len(got.Games), err)
	}
	for _, g := range got.Games {
		if len(g.Guesses) > 3 || g.Lost() && g.Count() != wordle.Attempts+1 {
			t.Errorf("%v: %v counts %d", g.Hidden, g.Guesses, g.Count())
		}
	}
}
