package boards

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

func mustSuggest(tb testing.TB, s *Solver, p Position) Suggestion {
	tb.Helper()
	got, err := s.Suggest(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

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

func TestKeepIsBounded(t *testing.T) {
	var s Solver
	deal := func(i int) pokle.Deal {
		return pokle.Deal{Holes: [pokle.Players]pokle.Hole{{pokle.Card(i % 52), pokle.Card(i / 52)}}}
	}
	for i := range 1000 {
		for range 2 { // by two at once
			s.keep(deal(i), make([]pokle.Board, 1+i))
		}
		if s.recall(deal(0)) == nil {
			t.Fatalf("the list that was asked for last is gone after %d more", i)
		}
	}
	if len(s.kept) != keptDeals {
		t.Errorf("%d lists are kept, want %d", len(s.kept), keptDeals)
	}
	for i := range keptDeals - 1 {
		if l := s.recall(deal(999 - i)); len(l) != 1000-i {
			t.Errorf("number %d of the latest has %d boards", i, len(l))
		}
	}
	for i := range 5 {
		s.keep(deal(2000+i), make([]pokle.Board, keptBoards/2))
	}
	if len(s.kept) != 2 || s.kept[0].deal != deal(2004) || s.kept[1].deal != deal(2003) {
		t.Errorf("%d lists are kept, each half of what there is room for", len(s.kept))
	}
	s.keep(deal(3000), make([]pokle.Board, keptBoards+1))
	if s.recall(deal(3000)) != nil || len(s.kept) != 2 {
		t.Errorf("a list that is too long is kept, with %d", len(s.kept))
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
	got, err := s.Left(t.Context(), p)
	if want := After(d, all, p.Steps); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %v", got, err, want)
	}
	p.Steps[1].Feedback = pokle.AllGreen // and yet another board is the hidden one
	p.Steps = append(p.Steps, Step{Guess: hidden, Feedback: pokle.AllGreen})
	for n, want := range []error{nil, nil, ErrNothingFits, ErrNothingFits} {
		if _, err := s.Left(t.Context(), Position{Deal: d, Steps: p.Steps[:n]}); !errors.Is(err, want) {
			t.Errorf("after %d steps: %v, want %v", n, err, want)
		}
	}
	if !slices.Equal(s.recall(d), all) {
		t.Error("the shared list was changed")
	}
}

// TestSuggestAgainstPlain plays on from random steps until few boards are left.
func TestSuggestAgainstPlain(t *testing.T) {
	s := Solver{Time: time.Hour}
	random := rand.New(rand.NewPCG(8, 5))
	compared := 0
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		all := mustList(t, d)
		for range 20 {
			hidden := all[random.IntN(len(all))]
			p := Position{Deal: d}
			left := all
			for len(left) > 8 && len(p.Steps) < 3 {
				guess := left[random.IntN(len(left))]
				p.Steps = append(p.Steps, Step{Guess: guess, Feedback: d.Score(guess, hidden)})
				left = After(d, left, p.Steps[len(p.Steps)-1:])
			}
			if len(left) > 8 {
				continue
			}
			compared++
			got := mustSuggest(t, &s, p)
			want := float64(costPlain(d.Score, left, left, pokle.Attempts-len(p.Steps))) / float64(len(left))
			if got.Guesses != want || !got.Proven || got.Remaining != len(left) || !slices.Contains(left, got.Board) {
				t.Errorf("%v: got %+v, want %v guesses", left, got, want)
			}
			if bits := bitsPlain(d.Score, got.Board, left); math.Abs(got.Entropy-bits) > 1e-9 {
				t.Errorf("%v: %v has %v bits, want %v", left, got.Board, got.Entropy, bits)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d positions with few boards: too few", compared)
	}
}

// TestSuggestHasAnAnswer: with no time at all there is a board, and no claim. Nothing is
// looked for once the caller has gone.
func TestSuggestHasAnAnswer(t *testing.T) {
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		s := &Solver{Time: time.Nanosecond}
		l, err := s.List(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Suggest(t.Context(), Position{Deal: d})
		if err != nil || got.Proven || got.Entropy <= 0 || got.Remaining != len(l) || !slices.Contains(l, got.Board) ||
			(got.Guesses > 0) != (len(l) <= fewBoards) {
			t.Errorf("%s: got %+v, %v", sample.Name, got, err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if got, err := s.Suggest(ended, Position{Deal: d}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %+v, %v", sample.Name, got, err)
		}
	}
}

// TestBusy: when all permits are taken, nothing is listed, made or searched for. What is
// known needs none.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Solver{Time: time.Millisecond, Permits: parallel.NewPermits(1)}
		samples := mustSamples(t)
		kept, other := samples[0].deal(), samples[2].deal()
		if _, err := s.List(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		var held []*parallel.Permit
		for range 2 {
			permit, err := s.begin(t.Context(), parallel.Brief)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, permit)
		}
		if l, err := s.List(t.Context(), kept); err != nil || len(l) == 0 {
			t.Errorf("a list that is kept: %v", err)
		}
		ask := map[string]func() error{
			"a list":       func() error { _, err := s.List(t.Context(), other); return err },
			"counts":       func() error { _, err := s.CountLeft(t.Context(), Position{Deal: other}); return err },
			"a puzzle":     func() error { _, err := s.Generate(t.Context(), 3); return err },
			"a suggestion": func() error { _, err := s.Suggest(t.Context(), Position{Deal: kept}); return err },
			"a review":     func() error { _, err := s.Review(t.Context(), Played{Deal: kept}); return err },
		}
		for name, do := range ask {
			if err := do(); !errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, permit := range held {
			permit.Release()
		}
		for name, do := range ask {
			if err := do(); errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s afterwards: %v", name, err)
			}
		}
	})
}

// TestGenerateKeeps: the list of a puzzle is at hand afterwards.
func TestGenerateKeeps(t *testing.T) {
	var s Solver
	p, err := s.Generate(t.Context(), 0)
	if l := s.recall(p.Deal); err != nil || !slices.Equal(l, mustList(t, p.Deal)) {
		t.Errorf("its list has %d boards, %v", len(l), err)
	}
}
