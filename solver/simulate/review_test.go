package simulate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
)

// TestReviewAgainstGames compares with games that are drawn, played and reviewed one
// by one, and many workers with one.
func TestReviewAgainstGames(t *testing.T) {
	lists := embeddedSample(t, 40, 60)
	expected := mustStrategy(t, lists, "expected")
	s := solver.New(lists)
	s.ReviewTime = time.Hour
	for _, c := range []struct {
		name     string
		strategy solver.Strategy
		hard     bool
	}{{"expected", expected, false}, {"expected, hard", expected, true}, {"random", nil, false}, {"random, hard", nil, true}}[:racetest.Cases(4)] {
		o := ReviewOptions{Lists: lists, Strategy: c.strategy, Hard: c.hard, Games: 100, Seed: 3, ReviewTime: time.Hour, Workers: 1}
		got, err := Review(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var skill, luck []float64
		guesses, lost, guessSkill, guessLuck := 0, 0, 0.0, 0.0
		for i := range o.Games {
			d := o.draw(i)
			state := wordle.NewState(d.hidden, c.hard)
			for state.Status() == marks.Playing {
				var guess wordle.Word
				if c.strategy == nil {
					left := s.Remaining(state.Turns())
					guess = left[d.random.IntN(len(left))]
				} else {
					guess = must(t, c.strategy, solver.Position{Turns: state.Turns(), Hard: c.hard})
				}
				if state, err = state.Guess(guess); err != nil {
					t.Fatal(err)
				}
			}
			r, err := s.Review(t.Context(), solver.Played{Turns: state.Turns(), Hard: c.hard, Hidden: d.hidden})
			if err != nil {
				t.Fatal(err)
			}
			skill, luck = append(skill, r.Skill()), append(luck, r.Luck())
			guesses += state.Used()
			guessSkill += r.Skill() * float64(state.Used())
			for _, j := range r.Guesses {
				guessLuck += j.Luck
			}
			if state.Status() == marks.Lost {
				lost++
			}
		}
		if got.Games != 100 || got.Lost != lost || got.Guesses != guesses || got.Proven != guesses || got.ProvenShare() != 1 ||
			!near(got.Skill, spreadPlain(skill)) || !near(got.Luck, spreadPlain(luck)) {
			t.Errorf("%s: %+v; want %d lost, %d guesses, skill %v, luck %v", c.name, got, lost, guesses, spreadPlain(skill), spreadPlain(luck))
		}
		if math.Abs(got.GuessSkill-guessSkill/float64(guesses)) > 1e-6 || math.Abs(got.GuessLuck-guessLuck/float64(guesses)) > 1e-6 {
			t.Errorf("%s: %+v; a guess has skill %v, luck %v", c.name, got, guessSkill/float64(guesses), guessLuck/float64(guesses))
		}
		if n := len(got.Times); n > 100 || c.strategy != nil && n > 40 || !slices.IsSorted(got.Times) || got.Percentile(100) != got.Times[n-1] || got.Percentile(0) != got.Times[0] {
			t.Errorf("%s: the reviews took %v", c.name, got.Times)
		}
		o.Workers = 8
		if many, err := Review(t.Context(), o); err != nil || many.Skill != got.Skill || many.Luck != got.Luck || many.Lost != got.Lost {
			t.Errorf("%s: with many workers %+v, %v; with one %+v", c.name, many, err, got)
		}
		o.Seed = 4
		if other, err := Review(t.Context(), o); err != nil || other.Luck == got.Luck {
			t.Errorf("%s: with another seed %+v, %v", c.name, other, err)
		}
	}
}

func must(t *testing.T, strategy solver.Strategy, p solver.Position) wordle.Word {
	t.Helper()
	suggestions, err := strategy(t.Context(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	return suggestions[0].Word
}

func spreadPlain(all []float64) Spread {
	var s Spread
	for _, x := range all {
		s.Mean += x / float64(len(all))
	}
	for _, x := range all {
		s.Deviation += (x - s.Mean) * (x - s.Mean) / float64(len(all))
	}
	s.Deviation = math.Sqrt(s.Deviation)
	return s
}

func near(a, b Spread) bool {
	return math.Abs(a.Mean-b.Mean) < 1e-6 && math.Abs(a.Deviation-b.Deviation) < 1e-6
}

// TestReviewOfLostGames: a game ends with its last attempt, be the word found or not.
func TestReviewOfLostGames(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike)
	o := ReviewOptions{Lists: lists, Strategy: always(alike), Games: 200, Seed: 1}
	guesses, lost := 0, 0
	for i := range o.Games {
		switch at := slices.Index(lists.Answers(), o.draw(i).hidden) + 1; {
		case at > wordle.Attempts:
			lost++
			guesses += wordle.Attempts
		default:
			guesses += at
		}
	}
	got, err := Review(t.Context(), o)
	if err != nil || got.Games != 200 || got.Lost != lost || got.Guesses != guesses || len(got.Times) != 7 || lost < 10 {
		t.Errorf("got %+v, %v; want %d lost and %d guesses", got, err, lost, guesses)
	}
}

func TestReviewPercentile(t *testing.T) {
	var r Reviews
	if r.Percentile(50) != 0 || r.ProvenShare() != 0 {
		t.Error("nothing has a percentile or a share")
	}
	for i := range 200 {
		r.Times = append(r.Times, time.Duration(i+1))
	}
	for p, want := range map[int]time.Duration{0: 1, 1: 2, 50: 100, 99: 198, 100: 200} {
		if got := r.Percentile(p); got != want {
			t.Errorf("percentile %d is %d, want %d", p, got, want)
		}
	}
}

// TestReviewContext ends a run half-way, and before it has begun.
func TestReviewContext(t *testing.T) {
	lists := embeddedSample(t, 60, 40)
	for _, strategy := range []solver.Strategy{nil, mustStrategy(t, lists, "expected")} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stage, last := 0, 0
		got, err := Review(ctx, ReviewOptions{Lists: lists, Strategy: strategy, Games: 500, Seed: 1, Progress: func(done, of int) {
			if done < last {
				stage++
			}
			if last = done; done >= 5 && (strategy == nil || stage == 1) {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "after ") || got.Games < 5 || got.Games >= 500 || got.Skill.Mean == 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := Review(ctx, ReviewOptions{Lists: lists, Strategy: strategy, Games: 10}); !errors.Is(err, context.Canceled) || got.Games != 0 {
			t.Errorf("from the start: %+v, %v", got, err)
		}
	}
}

func TestReviewOfFaultyStrategy(t *testing.T) {
	lists := wordletest.Lists(t, alike, alike+" slate crane")
	if got, err := Review(t.Context(), ReviewOptions{Lists: lists, Strategy: always("slate slate"), Games: 3}); !errors.Is(err, ErrStuck) || got.Games != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}
