package optimal

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/marks"
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
	best := must(must(s.Strategy("parts"))(t.Context(), p, 1))[0]
	if got.Groups < best.Groups*9/10 {
		t.Errorf("%v, though %v", got, best)
	}
}

// TestPermits: while others work, nothing is searched for.
func TestPermits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
		s.Permits = parallel.NewPermits(1)
		game := solvertest.Turns("latch", "chimp", "latch")
		ask := map[string]func() error{
			"a hint":   func() error { _, err := s.Suggest(t.Context(), Position{Limit: 6}); return err },
			"a review": func() error { _, err := s.Review(t.Context(), Played{Turns: game}); return err },
		}
		search, err1 := s.Permits.Acquire(t.Context(), parallel.Search)
		brief, err2 := s.Permits.Acquire(t.Context(), parallel.Brief)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for name, do := range ask {
			if err := do(); !errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s: %v", name, err)
			}
		}
		search.Release()
		brief.Release()
		for range 2 { // they give their permits back
			for name, do := range ask {
				if err := do(); err != nil {
					t.Errorf("%s with a processor free: %v", name, err)
				}
			}
		}
	})
}

// TestHintsKeepSurePlay: in hard mode a hint without time leaves a play that is sure to find the word in time,
// where there is one.
func TestHintsKeepSurePlay(t *testing.T) {
	s := New(wordletest.Embedded(t))
	s.SuggestTime = time.Nanosecond
	never, sure := 0, 0
	for _, p := range append(randomStates(s.lists, 300, 9, marks.Hard), Position{Turns: solvertest.Turns("ninny", "later"), Hard: marks.Hard}) {
		p.Limit = wordle.Attempts
		n := len(s.Remaining(p.Turns))
		named := p.Turns[0].Guess == wordle.MustParse("later")
		if n > 40 && !named {
			continue
		}
		hint := must(s.Suggest(t.Context(), p))
		switch {
		case hint.Total > 0:
			sure++
		case named:
			t.Errorf("%v: %+v", p.Turns, hint) // a search would take seconds
		default:
			if best := must(s.Solve(t.Context(), p, Effort{Workers: 1})); best.Suggestions[0].Total > 0 {
				t.Errorf("%v: %+v leaves no sure play, %v does", p.Turns, hint, best.Suggestions[0])
			}
			never++
		}
	}
	if sure < 100 || never < 3 {
		t.Errorf("%d positions with a sure play, %d without: too few", sure, never)
	}
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
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
		b.Run(fmt.Sprintf("hard=%v", hard), func(b *testing.B) {
			lists := wordletest.Embedded(b)
			s := New(lists)
			states := randomStates(lists, 100, 1, hard)
			var times []time.Duration
			proven := 0
			for b.Loop() {
				times, proven = times[:0], 0
				for _, p := range states {
					start := time.Now()
					got, err := s.Suggest(b.Context(), p)
					if err != nil {
						b.Fatal(p, err)
					}
					times = append(times, time.Since(start))
					if got.Proven {
						proven++
					}
				}
			}
			solvertest.ReportTimes(b, times)
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
