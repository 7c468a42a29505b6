package poker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

func TestListIsKept(t *testing.T) {
	var s Solver
	d := mustSamples(t)[0].deal()
	first, err := s.List(t.Context(), d)
	if err != nil || !slices.Equal(first, mustList(t, d)) {
		t.Fatalf("%d boards, %v", len(first), err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	again, err := s.List(ended, d) // no time to list anything
	if err != nil || &again[0] != &first[0] {
		t.Errorf("asked again: %d boards, %v", len(again), err)
	}
	other := mustSamples(t)[1].deal()
	if _, err := s.List(ended, other); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLeft(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	hidden := all[100]
	p := Position{Deal: d}
	for _, guess := range []pokle.Board{all[7], all[200]} {
		p.Steps = append(p.Steps, Step{Guess: guess, Feedback: d.Score(guess, hidden)})
	}
	got, err := s.Remaining(t.Context(), p)
	if want := After(d, all, p.Steps); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %v", got, err, want)
	}
	p.Steps[1].Feedback = pokle.AllGreen // and yet another board is the hidden one
	p.Steps = append(p.Steps, Step{Guess: hidden, Feedback: pokle.AllGreen})
	for n, want := range []error{nil, nil, ErrNothingFits, ErrNothingFits} {
		if _, err := s.Remaining(t.Context(), Position{Deal: d, Steps: p.Steps[:n]}); !errors.Is(err, want) {
			t.Errorf("after %d steps: %v, want %v", n, err, want)
		}
	}
	if kept, _ := s.cache.Get(d); !slices.Equal(kept, all) {
		t.Error("the shared list was changed")
	}
}

// TestSuggestHasAnAnswer: with no time at all there is a board, and no claim; with time it is what the solver chooses.
// Nothing is looked for once the caller has gone.
func TestSuggestHasAnAnswer(t *testing.T) {
	compared := 0
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		s := &Solver{SuggestTime: time.Nanosecond}
		l, err := s.List(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Suggest(t.Context(), Position{Deal: d})
		if err != nil || got.Proven || got.Entropy <= 0 || got.Remaining != len(l) || got.Possible != slices.Contains(l, got.Board) ||
			(got.Guesses > 0) != (len(l) <= ByBitsAbove) {
			t.Errorf("%s: got %+v, %v", sample.Name, got, err)
		}
		s.SuggestTime = time.Hour
		step := Step{Guess: l[len(l)/2], Feedback: d.Score(l[len(l)/2], l[len(l)/3])}
		if left := After(d, l, []Step{step}); len(left) <= 30 {
			want := choose(t.Context(), d, left, pokle.Attempts-1)
			got, err := s.Suggest(t.Context(), Position{Deal: d, Steps: []Step{step}})
			if err != nil || got.Board != want.board || got.Guesses != float64(want.total)/float64(len(left)) || got.Proven != want.proven {
				t.Errorf("%s, %d boards left: got %+v, %v, want %+v", sample.Name, len(left), got, err, want)
			}
			compared++
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if got, err := s.Suggest(ended, Position{Deal: d}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %+v, %v", sample.Name, got, err)
		}
	}
	if compared == 0 {
		t.Error("no deal with few boards left")
	}
}

// TestBusy: when all permits are taken, nothing is listed, made or searched for.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Solver{SuggestTime: time.Millisecond, Permits: parallel.NewPermits(1)}
		samples := mustSamples(t)
		kept, other := samples[0].deal(), samples[2].deal()
		if _, err := s.List(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		brief, err1 := s.begin(t.Context(), parallel.Brief)
		search, err2 := s.begin(t.Context(), parallel.Search)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		ask := map[string]func() error{
			"a list":       func() error { _, err := s.List(t.Context(), other); return err },
			"counts":       func() error { _, err := s.CountRemaining(t.Context(), Position{Deal: other}); return err },
			"a puzzle":     func() error { _, err := s.Generate(t.Context(), 3); return err },
			"a suggestion": func() error { _, err := s.Suggest(t.Context(), Position{Deal: kept}); return err },
			"a review":     func() error { _, err := s.Review(t.Context(), Played{Deal: kept}); return err },
		}
		for name, do := range ask {
			if err := do(); !errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s: %v", name, err)
			}
		}
		brief.Release()
		search.Release()
		for name, do := range ask {
			if err := do(); errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s afterwards: %v", name, err)
			}
		}
	})
}
