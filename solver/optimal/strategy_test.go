package optimal

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

func wordsOf(suggestions []Suggestion) string {
	var list []wordle.Word
	for _, s := range suggestions {
		list = append(list, s.Word)
	}
	return solvertest.Join(list)
}

// TestStrategiesAgainstPlain compares with plain code on random lists and games.
func TestStrategiesAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := wordletest.Embedded(t).Guesses()
	several := 0
	for i := range 600 {
		guesses := solvertest.Sample(random, all, 1+random.IntN(40))
		if i%2 == 0 { // words much alike, which need several guesses and make ties
			guesses = solvertest.Alike(random, all, 40)
		}
		answers := solvertest.Sample(random, guesses, 1+random.IntN(len(guesses)))
		s := New(wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses)))
		hidden := answers[random.IntN(len(answers))]
		p := Position{Hard: marks.Hardness(random.IntN(3)), Limit: random.IntN(2)}
		for range random.IntN(3) {
			w := guesses[random.IntN(len(guesses))]
			if w != hidden && wordle.CheckClues(p.Hard, p.Turns, w) == nil {
				p.Turns = append(p.Turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, hidden)})
			}
		}
		m, k := measures[random.IntN(len(measures))], 1+random.IntN(5)
		got, err := must(s.Strategy(m.name))(t.Context(), p, k)
		if err != nil {
			t.Fatal(err)
		}
		remaining := s.Remaining(p.Turns)
		want := strategyPlain(s.lists.Guesses(), m.name, p, remaining, k)
		if wordsOf(got) != solvertest.Join(want) {
			t.Fatalf("case %d: %s in %+v with answers %s, guesses %s: %s, want %s",
				i, m.name, p, solvertest.Join(answers), solvertest.Join(guesses), wordsOf(got), solvertest.Join(want))
		}
		if len(want) > 1 {
			several++
		}
		checkFigures(t, got, remaining)
	}
	if several < 200 {
		t.Errorf("only %d cases had a choice", several)
	}
}

// checkFigures compares what the suggestions say of themselves with plain code.
func checkFigures(t *testing.T, suggestions []Suggestion, remaining []wordle.Word) {
	t.Helper()
	for _, s := range suggestions {
		sizes := sizesPlain(s.Word, remaining)
		n, expected, entropy := float64(len(remaining)), 0.0, 0.0
		for _, size := range sizes {
			share := float64(size) / n
			expected += share * float64(size)
			entropy -= share * math.Log2(share)
		}
		if s.Groups != len(sizes) || s.Worst != slices.Max(sizes) || s.Remaining != len(remaining) ||
			s.Possible != slices.Contains(remaining, s.Word) || math.Abs(s.Entropy-entropy) > 1e-8 ||
			math.Abs(s.Expected-expected) > 1e-9 {
			t.Fatalf("%+v on %s, want the groups %v, on average %v, and %v bits", s, solvertest.Join(remaining), sizes, expected, entropy)
		}
	}
}

// sizesPlain returns how many words have the same feedback, for each feedback that occurs.
func sizesPlain(guess wordle.Word, words []wordle.Word) []int {
	sizes := map[wordle.Feedback]int{}
	for _, w := range words {
		sizes[wordle.Score(guess, w)]++
	}
	return slices.Collect(maps.Values(sizes))
}

// strategyPlain is a strategy as its doc comments define it. The cost of the entropy is the
// product of xˣ over the sizes x.
func strategyPlain(guesses []wordle.Word, name string, p Position, remaining []wordle.Word, k int) []wordle.Word {
	if len(remaining) == 1 {
		return remaining
	}
	cost := map[wordle.Word]*big.Int{}
	for _, g := range guesses {
		sizes := sizesPlain(g, remaining)
		if wordle.CheckClues(p.Hard, p.Turns, g) != nil || len(sizes) == 1 {
			continue
		}
		cost[g] = big.NewInt(int64(map[string]int{"parts": -len(sizes), "minimax": slices.Max(sizes), "entropy": 1}[name]))
		for _, size := range sizes {
			x := big.NewInt(int64(size))
			switch name {
			case "expected":
				cost[g].Add(cost[g], new(big.Int).Mul(x, x))
			case "entropy":
				cost[g].Mul(cost[g], new(big.Int).Exp(x, x, nil))
			}
		}
	}
	best := slices.SortedFunc(maps.Keys(cost), func(a, b wordle.Word) int {
		if order := cost[a].Cmp(cost[b]); order != 0 {
			return order
		}
		if possible := slices.Contains(remaining, a); possible != slices.Contains(remaining, b) {
			if possible {
				return -1
			}
			return 1
		}
		return a.Compare(b)
	})
	return best[:min(k, len(best))]
}

func TestStrategyRefuses(t *testing.T) {
	s := New(wordletest.Lists(t, "crane", "crane slate"))
	const want = `there is no strategy "best", only optimal, expected, entropy, minimax, parts`
	if strategy, err := s.Strategy("best"); strategy != nil || err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, name := range StrategyNames() {
		strategy := must(s.Strategy(name))
		if got, err := strategy(t.Context(), Position{}, 0); err != nil || wordsOf(got) != "CRANE" {
			t.Errorf("%s: %v, %v; want the one word", name, wordsOf(got), err)
		}
		if got, err := strategy(t.Context(), Position{Turns: solvertest.Turns("pizza", "slate")}, 1); got != nil || !errors.Is(err, ErrNothingFits) {
			t.Errorf("%s where nothing fits: %v, %v", name, got, err)
		}
		if got, err := strategy(ended, Position{}, 3); got != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v, %v", name, got, err)
		}
	}
}
