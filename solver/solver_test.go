package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fivefold/game/wordle"
)

// mustLists returns small lists from texts.
func mustLists(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	lines := func(s string) *strings.Reader { return strings.NewReader(strings.ReplaceAll(s, " ", "\n")) }
	lists, err := wordle.ReadLists(wordle.Source{Name: "answers", Reader: lines(answers)}, wordle.Source{Name: "guesses", Reader: lines(guesses)})
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

func mustEmbedded(tb testing.TB) *wordle.Lists {
	tb.Helper()
	lists, err := wordle.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

// originalLists are the lists that published solvers are measured on. They lie
// beside the repository where it is developed and are no part of it.
func originalLists(tb testing.TB) *wordle.Lists {
	tb.Helper()
	folder := filepath.Join("..", "..", "shared", "data", "original-lists")
	read := func(name string) wordle.Source {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if errors.Is(err, os.ErrNotExist) {
			tb.Skip("the original lists are not here")
		}
		if err != nil {
			tb.Fatal(err)
		}
		return wordle.Source{Name: name, Reader: strings.NewReader(string(b))}
	}
	answers, guesses := read("answers.txt"), read("guesses.txt")
	lists, err := wordle.ReadLists(answers, guesses)
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

func turns(hidden string, guesses ...string) []wordle.Turn {
	var all []wordle.Turn
	for _, g := range guesses {
		w := wordle.MustParse(g)
		all = append(all, wordle.Turn{Guess: w, Feedback: wordle.Score(w, wordle.MustParse(hidden))})
	}
	return all
}

// TestExpectedOfKnownOpeners checks the published expected remaining words on
// the original lists, and that ROATE is the best of all.
func TestExpectedOfKnownOpeners(t *testing.T) {
	lists := originalLists(t)
	for word, want := range map[string]float64{
		"roate": 60.4246, "raise": 61.0009, "soare": 62.3011, "salet": 71.2721, "tares": 71.5434,
		"slate": 71.5728, "trace": 74.0203, "crane": 78.7417,
	} {
		s := splitBy(wordle.MustParse(word), lists.Answers())
		if got := float64(s.squares) / float64(len(lists.Answers())); math.Abs(got-want) > 0.00005 {
			t.Errorf("%s leaves %.4f words, want %.4f", word, got, want)
		}
	}
	if s := splitBy(wordle.MustParse("trace"), lists.Answers()); s.groups != 150 {
		t.Errorf("trace makes %d groups, want 150", s.groups)
	}
	if s := splitBy(wordle.MustParse("raise"), lists.Answers()); s.worst != 168 {
		t.Errorf("raise leaves %d at worst, want 168", s.worst)
	}
	best, err := New(lists).Suggest(t.Context(), nil, false)
	if err != nil || best.Word != wordle.MustParse("roate") || best.Remaining != 2315 || best.Possible {
		t.Errorf("the best opener is %+v, %v; want ROATE, which is no answer", best, err)
	}
}

// TestSuggestAgainstPlain compares with a page of plain code on random lists
// and games, easy and hard.
func TestSuggestAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := mustEmbedded(t)
	for range 300 {
		guesses := sample(random, all.Guesses(), 5+random.IntN(60))
		answers := sample(random, guesses, 1+random.IntN(len(guesses)))
		lists := mustLists(t, words(answers), words(guesses))
		hidden := answers[random.IntN(len(answers))]
		hard := random.IntN(2) == 0
		state := wordle.NewState(hidden, hard)
		for range random.IntN(4) {
			if next, err := state.Guess(guesses[random.IntN(len(guesses))]); err == nil && next.Status() == wordle.Playing {
				state = next
			}
		}
		got, err := New(lists).Suggest(t.Context(), state.Turns(), hard)
		if err != nil {
			t.Fatal(err)
		}
		if want := suggestPlain(lists, state.Turns(), hard); got != want {
			t.Fatalf("after %v of %v, hard %v: %+v, want %+v", state.Turns(), words(answers), hard, got, want)
		}
	}
}

// suggestPlain is Suggest as its comment says it, word for word.
func suggestPlain(lists *wordle.Lists, turns []wordle.Turn, hard bool) Suggestion {
	var remaining []wordle.Word
	for _, w := range lists.Answers() {
		fits := true
		for _, turn := range turns {
			fits = fits && wordle.Score(turn.Guess, w) == turn.Feedback
		}
		if fits {
			remaining = append(remaining, w)
		}
	}
	var all []Suggestion
	for _, g := range lists.Guesses() {
		if hard && wordle.CheckHard(turns, g) != nil {
			continue
		}
		groups := map[string]int{}
		for _, w := range remaining {
			groups[wordle.Score(g, w).String()]++
		}
		s := Suggestion{Word: g, Remaining: len(remaining), Groups: len(groups), Possible: slices.Contains(remaining, g)}
		sum := 0
		for _, n := range groups {
			sum += n * n
			s.Worst = max(s.Worst, n)
		}
		s.Expected = float64(sum) / float64(len(remaining))
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b Suggestion) int {
		switch {
		case a.Expected < b.Expected:
			return -1
		case a.Expected > b.Expected:
			return 1
		case a.Possible && !b.Possible:
			return -1
		case b.Possible && !a.Possible:
			return 1
		}
		return 0
	})
	return all[0]
}

func sample(r *rand.Rand, from []wordle.Word, n int) []wordle.Word {
	picked := make([]wordle.Word, n)
	for i, j := range r.Perm(len(from))[:n] {
		picked[i] = from[j]
	}
	return picked
}

func words(list []wordle.Word) string {
	var s []string
	for _, w := range list {
		s = append(s, w.String())
	}
	return strings.Join(s, " ")
}

func TestRemaining(t *testing.T) {
	s := New(mustLists(t, "crane crate brave grape", "crane crate brave grape trace slate"))
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
		if got := words(s.Remaining(turns(c.hidden, c.guesses...))); got != c.want {
			t.Errorf("after %v for %s: %s, want %s", c.guesses, c.hidden, got, c.want)
		}
	}
}

func TestSuggestWhenNothingFits(t *testing.T) {
	s := New(mustLists(t, "crane", "crane slate"))
	_, err := s.Suggest(t.Context(), turns("pizza", "slate"), false)
	if !errors.Is(err, ErrNothingFits) {
		t.Errorf("got %v", err)
	}
}

func TestSuggestObeysContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(mustEmbedded(t)).Suggest(ctx, nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSuggestPlaysWell plays a sample of the answers to the end: the strategy is
// one ply deep, so it loses hardly ever and needs about three and a half guesses.
func TestSuggestPlaysWell(t *testing.T) {
	lists := mustEmbedded(t)
	s := New(lists)
	total, played := 0, 0
	for i := 0; i < len(lists.Answers()); i += 97 {
		state := wordle.NewState(lists.Answers()[i], false)
		for state.Status() == wordle.Playing {
			suggestion, err := s.Suggest(t.Context(), state.Turns(), false)
			if err != nil {
				t.Fatal(err)
			}
			if state, err = state.Guess(suggestion.Word); err != nil {
				t.Fatal(err)
			}
		}
		if state.Status() != wordle.Won {
			t.Errorf("lost %v", state.Hidden())
		}
		total += state.Used()
		played++
	}
	if mean := float64(total) / float64(played); mean > 3.9 {
		t.Errorf("%d games took %.2f guesses on average", played, mean)
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
	s, err := New(lists).Suggest(context.Background(), []wordle.Turn{{Guess: guess, Feedback: feedback}}, false)
	fmt.Println(s.Word, s.Remaining, s.Possible, err)
	// Output: CERGE 29 false <nil>
}

func BenchmarkSuggest(b *testing.B) {
	lists := mustEmbedded(b)
	for _, c := range []struct {
		name  string
		turns []wordle.Turn
	}{
		{"opening", nil},
		{"second", turns("crane", "slate")},
		{"third", turns("crane", "slate", "brick")},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(lists).Suggest(b.Context(), c.turns, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
