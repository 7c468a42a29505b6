package solver

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/parallel"
	"fivefold/solver/solvertest"
)

func TestRemaining(t *testing.T) {
	s := New(wordletest.Lists(t, "crane crate brave grape", "crane crate brave grape trace slate"))
	for _, c := range []struct {
		hidden  string
		guesses []string
		want    string
	}{
		{"crane", nil, "BRAVE CRANE CRATE GRAPE"},
		{"crane", []string{"crate"}, "CRANE"},
		{"brave", []string{"slate"}, "BRAVE CRANE GRAPE"},
		{"trace", []string{"slate"}, "TRACE"}, // no answer fits: the guesses are tried
	} {
		if got := solvertest.Join(s.Remaining(solvertest.Turns(c.hidden, c.guesses...))); got != c.want {
			t.Errorf("after %v for %s: %s, want %s", c.guesses, c.hidden, got, c.want)
		}
	}
}

func TestSuggestRefuses(t *testing.T) {
	s := New(wordletest.Lists(t, "crane", "crane slate crate"))
	for _, c := range []struct {
		p    Position
		want error
	}{
		{Position{Turns: solvertest.Turns("pizza", "slate")}, ErrNothingFits},
		{Position{Turns: solvertest.Turns("crane", "slate"), Limit: 1}, ErrNothingAllowed},
	} {
		if got, err := s.Suggest(t.Context(), c.p); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, %v; want %v", c.p, got, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Suggest(ctx, Position{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSuggestIsProvenBest compares with the plain code of TestSolveAgainstPlain.
func TestSuggestIsProvenBest(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for range racetest.Cases(200) {
		guesses := solvertest.Alike(random, wordletest.Embedded(t).Guesses(), 10)
		answers := solvertest.Sample(random, guesses, 1+random.IntN(min(len(guesses), 12)))
		p := Position{Hard: random.IntN(2) == 0, Limit: 6}
		s := New(wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses)))
		s.SuggestTime = time.Minute // so that each is proven on a slow machine too
		got, err := s.Suggest(t.Context(), p)
		if err != nil || !got.Proven {
			t.Fatal(got, err)
		}
		cost := costPlain(guesses, answers, nil, p.Hard, 6, got.Word)
		if least := leastPlain(guesses, answers, nil, p.Hard, 6); got.Total != least || cost != least {
			t.Fatalf("%s of %s, %+v: %+v, which costs %d; want %d", solvertest.Join(answers), solvertest.Join(guesses), p, got, cost, least)
		}
	}
}

// TestSuggestTime asks for a hint in a position that a search takes minutes for. All
// guesses were looked at, so the hint is as good as a look can make it.
func TestSuggestTime(t *testing.T) {
	s := New(wordletest.Embedded(t))
	s.SuggestTime = time.Nanosecond
	p := Position{Turns: solvertest.Turns("watch", "fuzzy"), Limit: 6}
	got, err := s.Suggest(t.Context(), p)
	if err != nil || got.Proven || got.Total != 0 || got.Remaining < 1000 {
		t.Fatalf("got %+v, %v", got, err)
	}
	best := must(mustStrategy(t, s, "parts", StrategyOptions{})(t.Context(), p, 1))[0]
	if got.Groups < best.Groups*9/10 {
		t.Errorf("%v, though %v", got, best)
	}
}

// TestSuggestNeedsPermit: while others search, nothing is searched for.
func TestSuggestNeedsPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
		s.Permits = parallel.NewPermits(1)
		permit, err := s.Permits.Acquire(t.Context(), parallel.Search)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Suggest(t.Context(), Position{Limit: 6}); !errors.Is(err, parallel.ErrBusy) {
			t.Errorf("got %+v, %v", got, err)
		}
		permit.Release()
		if got, err := s.Suggest(t.Context(), Position{Limit: 6}); err != nil || !got.Proven {
			t.Errorf("with a processor free: %+v, %v", got, err)
		}
	})
}

func ExampleSolver_Suggest() {
	lists, err := wordle.Embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	guess := wordle.MustParse("slate")
	feedback, err := wordle.ParseFeedback("BBGBG")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := Position{Turns: []wordle.Turn{{Guess: guess, Feedback: feedback}}, Limit: wordle.Attempts}
	s := New(lists)
	s.SuggestTime = time.Second // for a hint in a chat, the default is better
	hint, err := s.Suggest(context.Background(), p)
	fmt.Println(hint.Word, hint.Remaining, hint.Possible, hint.Proven, err)
	// Output: CRIMP 29 false true <nil>
}

// BenchmarkSuggest reports how long a hint takes in 100 random positions of the
// built-in lists, most of them off the trees, and how many of them are proven.
func BenchmarkSuggest(b *testing.B) {
	for _, hard := range []bool{false, true} {
		b.Run(fmt.Sprintf("hard=%v", hard), func(b *testing.B) {
			lists := wordletest.Embedded(b)
			s := New(lists)
			states := randomStates(lists, solvertest.Cases(100), 1, hard)
			var times []float64
			proven := 0
			for b.Loop() {
				times, proven = times[:0], 0
				for _, p := range states {
					start := time.Now()
					got, err := s.Suggest(b.Context(), p)
					if err != nil {
						b.Fatal(p, err)
					}
					times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
					if got.Proven {
						proven++
					}
				}
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "median-ms")
			b.ReportMetric(times[len(times)*99/100], "p99-ms")
			b.ReportMetric(times[len(times)-1], "worst-ms")
			b.ReportMetric(float64(proven), "proven")
		})
	}
}

func BenchmarkSuggestOnTree(b *testing.B) {
	s := New(wordletest.Embedded(b))
	for b.Loop() {
		if _, err := s.Suggest(b.Context(), Position{Limit: wordle.Attempts}); err != nil {
			b.Fatal(err)
		}
	}
}
