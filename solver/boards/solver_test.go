package boards

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/pokle"
	"fivefold/game/racetest"
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
	if err != nil || !slices.Equal(first.Boards, mustList(t, d).Boards) {
		t.Fatalf("%d boards, %v", len(first.Boards), err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	again, err := s.List(ended, d) // no time to list anything
	if err != nil || &again.Boards[0] != &first.Boards[0] {
		t.Errorf("asked again: %d boards, %v", len(again.Boards), err)
	}
	other := mustSamples(t)[1].deal()
	if _, err := s.List(ended, other); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var twice *pokle.TwiceError
	other.Holes[1] = other.Holes[0]
	if _, err := s.List(t.Context(), other); !errors.As(err, &twice) {
		t.Errorf("a card twice: %v", err)
	}
}

func TestKeepIsBounded(t *testing.T) {
	var s Solver
	d := mustSamples(t)[0].deal()
	deal := func(i int) pokle.Deal {
		d.Holes[0] = pokle.Hole{pokle.Card(i % 52), pokle.Card(i / 52)}
		return d
	}
	for i := range 1000 {
		s.keep(deal(i), List{Boards: make([]pokle.Board, 1+i)})
		s.keep(deal(i), List{Boards: make([]pokle.Board, 1+i)}) // by two at once
		if _, ok := s.recall(deal(0)); !ok {
			t.Fatalf("the list that was asked for last is gone after %d more", i)
		}
	}
	if len(s.kept) != keptDeals {
		t.Errorf("%d lists are kept, want %d", len(s.kept), keptDeals)
	}
	for i := range keptDeals - 1 {
		if l, ok := s.recall(deal(999 - i)); !ok || len(l.Boards) != 1000-i {
			t.Errorf("number %d of the latest: %d boards, kept %t", i, len(l.Boards), ok)
		}
	}
	huge := List{Boards: make([]pokle.Board, keptBoards/2)}
	for i := range 5 {
		s.keep(deal(2000+i), huge)
	}
	total := 0
	for _, k := range s.kept {
		total += len(k.Boards)
	}
	if total > keptBoards || len(s.kept) != 2 {
		t.Errorf("%d boards of %d lists are kept", total, len(s.kept))
	}
	s.keep(deal(3000), List{Boards: make([]pokle.Board, keptBoards+1)})
	if _, ok := s.recall(deal(3000)); ok || len(s.kept) != 2 {
		t.Errorf("a list that is too long: kept %t, with %d", ok, len(s.kept))
	}
}

func TestLeft(t *testing.T) {
	var s Solver
	d := mustSamples(t)[2].deal()
	all := mustList(t, d)
	hidden := all.Boards[100]
	p := Position{Deal: d}
	for _, guess := range []pokle.Board{all.Boards[7], all.Boards[200]} {
		p.Steps = append(p.Steps, Step{Guess: guess, Feedback: d.Score(guess, hidden)})
	}
	got, err := s.Left(t.Context(), p)
	if want := After(d, all.Boards, p.Steps); err != nil || !slices.Equal(got.Boards, want) || got.Flops != all.Flops {
		t.Errorf("got %+v, %v, want %v", got, err, want)
	}
	p.Steps[1].Feedback = pokle.AllGreen // and yet another board is the hidden one
	p.Steps = append(p.Steps, Step{Guess: hidden, Feedback: pokle.AllGreen})
	for n, want := range []int{0, 0, 2, 2} {
		p := Position{Deal: d, Steps: p.Steps[:n]}
		_, err := s.Left(t.Context(), p)
		var fault *ContradictionError
		if errors.As(err, &fault) != (want > 0) || want > 0 && fault.Step != want || want == 0 && err != nil {
			t.Errorf("after %d steps: %v, want step %d", n, err, want)
		}
	}
	if !slices.Equal(mustList(t, d).Boards, all.Boards) {
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
		all := mustList(t, d).Boards
		for range 20 {
			hidden := all[random.IntN(len(all))]
			p := Position{Deal: d, Limit: 4 + random.IntN(3)}
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
			want := float64(costPlain(d.Score, left, left, p.Limit-len(p.Steps))) / float64(len(left))
			if got.Guesses != want || !got.Proven || got.Remaining != len(left) || !slices.Contains(left, got.Board) {
				t.Errorf("%v: got %+v, want %v guesses", left, got, want)
			}
			if bits := bitsPlain(d, got.Board, left); math.Abs(got.Entropy-bits) > 1e-9 {
				t.Errorf("%v: %v has %v bits, want %v", left, got.Board, got.Entropy, bits)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d positions with few boards: too few", compared)
	}
}

// bitsPlain returns the information of a guess in a game, in bits.
func bitsPlain(d pokle.Deal, guess pokle.Board, boards []pokle.Board) float64 {
	counts := map[pokle.Feedback]float64{}
	for _, b := range boards {
		counts[d.Score(guess, b)]++
	}
	bits := 0.0
	for _, x := range counts {
		bits -= x / float64(len(boards)) * math.Log2(x/float64(len(boards)))
	}
	return bits
}

// TestSuggestOfTwo: either of two boards that are alike is sure to win, and of two
// others neither is.
func TestSuggestOfTwo(t *testing.T) {
	s := Solver{Time: time.Hour}
	d := mustSamples(t)[2].deal()
	all := mustList(t, d).Boards
	for _, want := range []float64{1, 1.5} {
		i := slices.IndexFunc(all[1:], func(b pokle.Board) bool { return b.Alike(all[0]) == (want == 1) }) + 1
		l := List{Boards: []pokle.Board{all[0], all[i]}}
		s.keep(d, l)
		got := mustSuggest(t, &s, Position{Deal: d})
		if got.Guesses != want || !got.Proven || got.Entropy != math.Round(want-1) {
			t.Errorf("%v: got %+v, want %v guesses", l.Boards, got, want)
		}
		s.kept = nil
	}
}

// TestMostTellingAgainstPlain scores the boards of random lists as a game does.
func TestMostTellingAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 5))
	for _, sample := range mustSamples(t) {
		d := sample.deal()
		all := mustList(t, d).Boards
		l := List{Boards: neighbours(random, all, 300)}
		most := 0.0
		for _, b := range l.Boards {
			most = max(most, bitsPlain(d, b, l.Boards))
		}
		got := mostInformative(t.Context(), l)
		if !got.Proven || math.Abs(got.Entropy-most) > 1e-6 || math.Abs(bitsPlain(d, got.Board, l.Boards)-most) > 1e-6 {
			t.Errorf("%s: got %+v, want %v bits", sample.Name, got, most)
		}
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
		if err != nil || got.Proven || got.Entropy <= 0 || got.Remaining != len(l.Boards) || !slices.Contains(l.Boards, got.Board) ||
			(got.Guesses > 0) != (len(l.Boards) <= fewBoards) {
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
	for _, processors := range []int{1, 3} {
		t.Run(fmt.Sprintf("processors=%d", processors), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testBusy(t, processors) })
		})
	}
}

// testBusy tests a solver with permits for that many processors.
func testBusy(t *testing.T, processors int) {
	s := Solver{Time: time.Millisecond, Permits: parallel.NewPermits(processors)}
	samples := mustSamples(t)
	kept, other := samples[0].deal(), samples[2].deal()
	if _, err := s.List(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	var held []*parallel.Permit
	for {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		permit, err := s.begin(ctx, parallel.Brief)
		cancel()
		if err != nil {
			break
		}
		if held = append(held, permit); len(held) > 1000 {
			t.Fatal("there is no bound")
		}
	}
	if l, err := s.List(t.Context(), kept); err != nil || len(l.Boards) == 0 {
		t.Errorf("a list that is kept: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.List(ctx, other); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a list that is given up: %v", err)
	}
	ask := map[string]func() error{
		"a list":       func() error { _, err := s.List(t.Context(), other); return err },
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
}

// TestConcurrent asks all questions at once; the race detector looks on.
func TestConcurrent(t *testing.T) {
	var s Solver
	samples := mustSamples(t)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			d := samples[i%3].deal()
			l, err := s.List(t.Context(), d)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Suggest(t.Context(), Position{Deal: d}); err != nil {
				t.Error(err)
			}
			if _, err := s.Review(t.Context(), Played{d, l.Boards[:1], l.Boards[i]}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// TestSolverPuzzles: a solver in use makes puzzles as a new one does, and has their lists
// at hand afterwards.
func TestSolverPuzzles(t *testing.T) {
	racetest.Skip(t)
	var s Solver
	for seed := range uint64(5) {
		want, err := new(Solver).Generate(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Generate(t.Context(), seed)
		if err != nil || got != want {
			t.Errorf("seed %d makes %+v, %v, want %+v", seed, got, err, want)
		}
		if l, ok := s.recall(got.Deal); !ok || len(l.Boards) != got.Boards || !slices.Equal(l.Boards, mustList(t, got.Deal).Boards) {
			t.Errorf("seed %d: its list is kept: %t, %d boards", seed, ok, len(l.Boards))
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Generate(cancelled, 77); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one makes %v", err)
	}
}
