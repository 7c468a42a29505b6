package dodge_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/dodge"
	"fivefold/solver/solvertest"
)

// small calls test with random small lists of similar words.
func small(t *testing.T, test func(random *rand.Rand, lists *wordle.Lists)) {
	all := wordletest.Embedded(t).Answers()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 38))
		guesses := solvertest.Alike(random, all, 3+random.IntN(12))
		guesses = guesses[:min(len(guesses), 20)]
		answers := solvertest.Sample(random, guesses, 1+random.IntN(len(guesses)))
		test(random, wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses)))
	}
}

// TestSuggest compares suggestions with plain enumeration.
func TestSuggest(t *testing.T) {
	found := map[int]int{}
	small(t, func(_ *rand.Rand, lists *wordle.Lists) {
		got, err := dodge.New(lists).Suggest(context.Background(), lists.Answers(), nil)
		if err != nil {
			t.Fatalf("%v of %v: %v", lists.Answers(), lists.Guesses(), err)
		}
		if want := plain(lists.Answers(), lists.Guesses()); got != want {
			t.Errorf("%v of %v: %+v, want %+v", lists.Answers(), lists.Guesses(), got, want)
		}
		found[got.Fewest]++
	})
	if found[1] == 0 || found[3] == 0 || found[4] == 0 {
		t.Errorf("games by guesses: %v", found)
	}
}

// TestWays compares the shortest ways with plain enumeration.
func TestWays(t *testing.T) {
	many := 0
	small(t, func(_ *rand.Rand, lists *wordle.Lists) {
		var got, want [][]wordle.Word
		add := func(way []wordle.Word) bool {
			got = append(got, way)
			return true
		}
		tried := 0
		progress := func(done, of int) { tried = of - done }
		left, guesses := lists.Answers(), lists.Guesses()
		fewest, err := dodge.New(lists).Ways(context.Background(), left, guesses, progress, add)
		var plainly func(left []wordle.Word, way []wordle.Word)
		plainly = func(left []wordle.Word, way []wordle.Word) {
			switch {
			case len(left) == 1 && len(way) == fewest-1:
				want = append(want, append(slices.Clone(way), left[0]))
			case len(way) < fewest-1:
				for _, g := range guesses {
					plainly(keeps(left, g), append(way, g))
				}
			}
		}
		plainly(left, nil)
		if err != nil || fewest != plain(left, guesses).Fewest || !slices.EqualFunc(got, want, slices.Equal) || fewest > 1 && tried != 1 {
			t.Errorf("%v of %v: %d, %v, want %v, %v", left, guesses, fewest, got, want, err)
		}
		if many += len(got); len(got) > 1 {
			one := 0
			if _, err := dodge.New(lists).Ways(context.Background(), left, guesses, progress, func([]wordle.Word) bool { one++; return false }); err != nil || one != 1 {
				t.Errorf("%d ways after the first was enough: %v", one, err)
			}
		}
	})
	if many < 1000 {
		t.Errorf("only %d ways", many)
	}
}

// TestReview plays games with random guesses and compares what each loses with plain enumeration.
func TestReview(t *testing.T) {
	skills := map[float64]int{}
	small(t, func(random *rand.Rand, lists *wordle.Lists) {
		played := evil.New(wordle.Turn{}, lists.Answers()[0])
		for tries := 0; played.Status() == marks.Playing && tries < 20; tries++ {
			from := lists.Guesses()
			if random.IntN(2) == 0 {
				from = played.Left(lists.Answers())
			}
			if next, err := played.Guess(lists.Answers(), from[random.IntN(len(from))]); err == nil {
				played = next
			}
		}
		review, err := dodge.New(lists).Review(context.Background(), played)
		if err != nil {
			t.Fatal(err)
		}
		left := lists.Answers()
		if needed := plain(left, lists.Guesses()).Fewest; len(review.Line) != needed || review.Line[needed-1].Feedback != wordle.AllGreen {
			t.Errorf("%v needs %d guesses, but the line is %v", left, needed, review.Line)
		}
		for i, turn := range played.Turns() {
			kept := keeps(left, turn.Guess)
			want := plain(left, lists.Guesses())
			lost := 1 + plain(kept, lists.Guesses()).Fewest - want.Fewest
			if turn.Feedback == wordle.AllGreen {
				lost = 0
			}
			if lost == 0 {
				want.Word = turn.Guess
			}
			g := review.Guesses[i]
			if skill := max(0, 99*(1-float64(lost)/float64(want.Fewest))); math.Abs(g.Skill-skill) > 1e-9 || g.Best != want.Word ||
				g.Before != len(left) || g.After != len(kept) || g.Luck != game.NoLuck || !g.Proven {
				t.Errorf("%v, guess %d of %v: %+v, want %v with skill %v", played.Turns(), i+1, left, g, want.Word, skill)
			}
			skills[math.Round(g.Skill)]++
			left = kept
		}
	})
	if skills[99] == 0 || skills[66] == 0 || skills[50] == 0 || skills[0] == 0 {
		t.Errorf("guesses by skill: %v", skills)
	}
}

// TestRhymes has words of which each guess rules out only itself, too many to try in every order.
func TestRhymes(t *testing.T) {
	var words []wordle.Word
	for first := 'a'; first <= 'z'; first++ {
		words = append(words, wordle.MustParse(string(first)+"bcde"))
	}
	lists := wordletest.Lists(t, solvertest.Join(words), solvertest.Join(words))
	got, err := dodge.New(lists).Suggest(context.Background(), words, nil)
	if want := (dodge.Suggestion{Word: words[0], Fewest: 26, Proven: true, Left: 26}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	// The guesses can come in any order.
	ways := map[string]bool{}
	var all [][]wordle.Word
	_, err = dodge.New(lists).Ways(context.Background(), words[:7], words, func(int, int) {}, func(way []wordle.Word) bool {
		all = append(all, way)
		return true
	})
	for _, way := range all {
		ways[solvertest.Join(way)] = true
	}
	if err != nil || len(ways) != 7*6*5*4*3*2 {
		t.Errorf("%d ways, %v", len(ways), err)
	}
}

// BenchmarkSuggest suggests a word in positions of games as people might play them: half the guesses can be the word, the others are
// any.
func BenchmarkSuggest(b *testing.B) {
	lists := wordletest.Embedded(b)
	s := dodge.New(lists)
	random := rand.New(rand.NewPCG(38, 38))
	left := lists.Answers()
	var times []time.Duration
	for b.Loop() {
		from := lists.Guesses()
		if random.IntN(2) == 0 {
			from = left
		}
		_, left = evil.Answer(left, from[random.IntN(len(from))])
		start := time.Now()
		if _, err := s.Suggest(context.Background(), left, nil); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
		if len(left) == 1 {
			left = lists.Answers()
		}
	}
	solvertest.ReportTimes(b, times)
}

// BenchmarkWays lists all shortest ways on the lists that solvers are measured on, within their answers. There are 156.
func BenchmarkWays(b *testing.B) {
	lists := wordletest.Original(b)
	for b.Loop() {
		ways := 0
		count := func([]wordle.Word) bool {
			ways++
			return true
		}
		fewest, err := dodge.New(lists).Ways(context.Background(), lists.Answers(), lists.Answers(), func(int, int) {}, count)
		if err != nil || fewest != 4 || ways != 156 {
			b.Errorf("%d ways of %d guesses, %v", ways, fewest, err)
		}
	}
}

// plain is Suggest by the rules alone.
func plain(left, guesses []wordle.Word) dodge.Suggestion {
	best := dodge.Suggestion{Fewest: len(left) + 1}
	least := [2]int{}
	if len(left) == 1 {
		return dodge.Suggestion{Word: left[0], Fewest: 1, Proven: true, Left: 1}
	}
	for _, g := range guesses {
		kept := keeps(left, g)
		if len(kept) == len(left) {
			continue
		}
		rank := [2]int{1, len(kept)}
		if slices.Contains(left, g) {
			rank[0] = 0
		}
		n := 1 + plain(kept, guesses).Fewest
		if n < best.Fewest || n == best.Fewest && slices.Compare(rank[:], least[:]) < 0 {
			best = dodge.Suggestion{Word: g, Fewest: n, Proven: true, Left: len(left)}
			least = rank
		}
	}
	return best
}

// keeps returns the words that a guess keeps by the rule: most words, fewest greens, fewest yellows,
// and then the least mark at the first place where they differ.
func keeps(left []wordle.Word, guess wordle.Word) (kept []wordle.Word) {
	better := func(a, b []wordle.Word) bool {
		rank := func(words []wordle.Word) []int {
			f := wordle.Score(guess, words[0])
			r := []int{-len(words), 0, 0}
			for i := range wordle.Length {
				switch f.Mark(i) {
				case wordle.Green:
					r[1]++
				case wordle.Yellow:
					r[2]++
				}
				r = append(r, int(f.Mark(i)))
			}
			return r
		}
		return slices.Compare(rank(a), rank(b)) < 0
	}
	classes := map[wordle.Feedback][]wordle.Word{}
	for _, w := range left {
		f := wordle.Score(guess, w)
		classes[f] = append(classes[f], w)
	}
	for _, c := range classes {
		if kept == nil || better(c, kept) {
			kept = c
		}
	}
	return kept
}

// TestRefused asks what can't be answered, and leaves out words that must not be proposed.
func TestRefused(t *testing.T) {
	lists := wordletest.Lists(t, "batch catch hatch latch match patch", "batch catch chimp hatch latch match patch")
	s := dodge.New(lists)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := s.Suggest(ended, lists.Answers(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v, %v", got, err)
	}
	if got, err := s.Suggest(context.Background(), nil, nil); !errors.Is(err, dodge.ErrNothingFits) {
		t.Errorf("without a word: %v, %v", got, err)
	}
	if got, err := s.Suggest(context.Background(), lists.Answers(), lists.Guesses()); !errors.Is(err, dodge.ErrNothingFits) {
		t.Errorf("without a guess: %v, %v", got, err)
	}
	if got, err := s.Suggest(context.Background(), lists.Answers()[:1], lists.Answers()[:1]); !errors.Is(err, dodge.ErrNothingFits) {
		t.Errorf("with a single word that is never proposed: %v, %v", got, err)
	}
	first, err := s.Suggest(context.Background(), lists.Answers(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Suggest(context.Background(), lists.Answers(), []wordle.Word{first.Word}); err != nil || got.Word == first.Word || got.Fewest < first.Fewest {
		t.Errorf("without %v: %v, %v", first, got, err)
	}
}
