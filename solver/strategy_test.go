package solver

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

func mustStrategy(tb testing.TB, s *Solver, name string, o StrategyOptions) Strategy {
	tb.Helper()
	strategy, err := s.Strategy(name, o)
	if err != nil {
		tb.Fatal(err)
	}
	return strategy
}

// TestKnownOpeners checks the published figures for openers on the original lists.
func TestKnownOpeners(t *testing.T) {
	racetest.Skip(t)
	t.Parallel()
	s := New(wordletest.Original(t))
	all := map[string]Suggestion{}
	suggestions, err := mustStrategy(t, s, "parts", StrategyOptions{})(t.Context(), Position{}, len(s.lists.Guesses()))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range suggestions {
		all[strings.ToLower(g.Word.String())] = g
	}
	for _, c := range []struct {
		word              string
		expected, entropy float64
	}{
		{"roate", 60.4246, 5.88278}, {"raise", 61.0009, 5.87791}, {"soare", 62.3011, 5.88596}, {"salet", 71.2721, 5.83458},
		{"tares", 71.5434, 5.74255}, {"slate", 71.5728, 5.85578}, {"trace", 74.0203, 5.83055}, {"crane", 78.7417, 5.74278},
	} {
		got := all[c.word]
		if math.Abs(got.Expected-c.expected) > 0.00005 || math.Abs(got.Entropy-c.entropy) > 0.000005 {
			t.Errorf("%s leaves %.4f words and has %.5f bits, want %.4f and %.5f", c.word, got.Expected, got.Entropy, c.expected, c.entropy)
		}
	}
	if got := all["trace"].Groups; got != 150 {
		t.Errorf("trace makes %d groups, want 150", got)
	}
	for _, c := range []struct {
		strategy     string
		onlyPossible bool
		openers      string
	}{
		{"expected", false, "ROATE"},
		{"expected", true, "RAISE"},
		{"entropy", false, "SOARE"},
		{"parts", false, "TRACE"},
		{"minimax", false, "ARISE RAISE AESIR REAIS SERAI"}, // all of the worst class 168
	} {
		k := strings.Count(c.openers, " ") + 1
		got, err := mustStrategy(t, s, c.strategy, StrategyOptions{OnlyPossible: c.onlyPossible})(t.Context(), Position{}, k+1)
		if err != nil || len(got) != k+1 || wordsOf(got[:k]) != c.openers {
			t.Errorf("%s opens with %s, %v; want %s", c.strategy, wordsOf(got), err, c.openers)
		} else if c.strategy == "minimax" && (got[k-1].Worst != 168 || got[k].Worst == 168) {
			t.Errorf("the worst classes are %+v", got)
		}
	}
}

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
	for i := range racetest.Cases(600) {
		related := all
		if i%2 == 0 { // words much alike, which need several guesses and make ties
			related = nil
			base := all[random.IntN(len(all))]
			for _, w := range all {
				if marks := wordle.Score(base, w); marks.Mark(1) == wordle.Green && marks.Mark(3) == wordle.Green {
					related = append(related, w)
				}
			}
		}
		guesses := solvertest.Sample(random, related, 1+random.IntN(min(len(related), 40)))
		answers := solvertest.Sample(random, guesses, 1+random.IntN(len(guesses)))
		s := New(wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses)))
		hidden := answers[random.IntN(len(answers))]
		p := Position{Hard: random.IntN(2) == 0, Limit: random.IntN(2)}
		for range random.IntN(3) {
			w := guesses[random.IntN(len(guesses))]
			if w != hidden && (!p.Hard || wordle.CheckHard(p.Turns, w) == nil) {
				p.Turns = append(p.Turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, hidden)})
			}
		}
		name := measures[random.IntN(len(measures))].name
		o := StrategyOptions{OnlyPossible: random.IntN(2) == 0, Depth: random.IntN(MaxDepth + 1)}
		if len(guesses) > 15 && o.Depth == MaxDepth {
			o.Depth = 2 // plain code is slow
		}
		k := 1 + random.IntN(5)
		got, err := mustStrategy(t, s, name, o)(t.Context(), p, k)
		if err != nil {
			t.Fatal(err)
		}
		want := strategyPlain(s.lists, name, o, p, k)
		if wordsOf(got) != solvertest.Join(want) {
			t.Fatalf("case %d: %s %+v in %+v with answers %s, guesses %s: %s, want %s",
				i, name, o, p, solvertest.Join(answers), solvertest.Join(guesses), wordsOf(got), solvertest.Join(want))
		}
		if len(want) > 1 {
			several++
		}
		checkFigures(t, got, s.Remaining(p.Turns))
	}
	if several < racetest.Cases(200) {
		t.Errorf("only %d cases had a choice", several)
	}
}

// checkFigures compares what the suggestions say of themselves with plain code.
func checkFigures(t *testing.T, suggestions []Suggestion, remaining []wordle.Word) {
	t.Helper()
	for _, s := range suggestions {
		groups := groupsPlain(s.Word, remaining)
		n, worst, expected, entropy := float64(len(remaining)), 0, 0.0, 0.0
		for _, group := range groups {
			share := float64(len(group)) / n
			worst = max(worst, len(group))
			expected += share * float64(len(group))
			entropy -= share * math.Log2(share)
		}
		if s.Groups != len(groups) || s.Worst != worst || s.Remaining != len(remaining) ||
			s.Possible != slices.Contains(remaining, s.Word) || math.Abs(s.Entropy-entropy) > 1e-8 ||
			math.Abs(s.Expected-expected) > 1e-9 {
			t.Fatalf("%+v on %s, want %d groups, at worst %d, on average %v, and %v bits", s, solvertest.Join(remaining), len(groups), worst, expected, entropy)
		}
	}
}

// strategyPlain is a strategy as its doc comments define it.
func strategyPlain(lists *wordle.Lists, name string, o StrategyOptions, p Position, k int) []wordle.Word {
	remaining := New(lists).Remaining(p.Turns)
	if len(remaining) == 1 {
		return remaining
	}
	return bestPlain(lists, name, o, p.Hard, p.Turns, remaining, max(o.Depth, 1), k)
}

func bestPlain(lists *wordle.Lists, name string, o StrategyOptions, hard bool, turns []wordle.Turn, remaining []wordle.Word, depth, k int) []wordle.Word {
	type candidate struct {
		word      wordle.Word
		possible  bool
		now, then *big.Int
	}
	var all []candidate
	for _, g := range lists.Guesses() {
		possible := slices.Contains(remaining, g)
		if hard && wordle.CheckHard(turns, g) != nil || o.OnlyPossible && !possible || len(groupsPlain(g, remaining)) == 1 {
			continue
		}
		c := candidate{word: g, possible: possible, now: guessCostPlain(lists, name, o, hard, turns, g, remaining, 1)}
		c.then = c.now
		all = append(all, c)
	}
	order := func(a, b candidate) int {
		switch {
		case a.then.Cmp(b.then) != 0:
			return a.then.Cmp(b.then)
		case a.now.Cmp(b.now) != 0:
			return a.now.Cmp(b.now)
		case a.possible != b.possible && a.possible:
			return -1
		case a.possible != b.possible:
			return 1
		}
		return a.word.Compare(b.word)
	}
	slices.SortFunc(all, order)
	if depth > 1 {
		all = all[:min(len(all), max(k, strategyBeam))]
		for i, c := range all {
			all[i].then = guessCostPlain(lists, name, o, hard, turns, c.word, remaining, depth)
		}
		slices.SortFunc(all, order)
	}
	var best []wordle.Word
	for _, c := range all[:min(k, len(all))] {
		best = append(best, c.word)
	}
	return best
}

func groupsPlain(guess wordle.Word, remaining []wordle.Word) map[wordle.Feedback][]wordle.Word {
	groups := map[wordle.Feedback][]wordle.Word{}
	for _, w := range remaining {
		f := wordle.Score(guess, w)
		groups[f] = append(groups[f], w)
	}
	return groups
}

// guessCostPlain returns what the guess costs at the depth, smaller for better: for the
// entropy the product of xˣ over the groups' sizes x.
func guessCostPlain(lists *wordle.Lists, name string, o StrategyOptions, hard bool, turns []wordle.Turn, guess wordle.Word, remaining []wordle.Word, depth int) *big.Int {
	cost := big.NewInt(0)
	if name == "entropy" {
		cost = big.NewInt(1)
	}
	for f, group := range groupsPlain(guess, remaining) {
		x := big.NewInt(int64(len(group)))
		one := map[string]*big.Int{
			"expected": new(big.Int).Mul(x, x), "entropy": new(big.Int).Exp(x, x, nil), "minimax": x, "parts": big.NewInt(-1),
		}[name]
		if depth > 1 && len(group) > 1 {
			next := append(turns[:len(turns):len(turns)], wordle.Turn{Guess: guess, Feedback: f})
			second := bestPlain(lists, name, o, hard, next, group, depth-1, 1)[0]
			one = guessCostPlain(lists, name, o, hard, next, second, group, depth-1)
		}
		switch name {
		case "entropy":
			cost.Mul(cost, one)
		case "minimax":
			if one.Cmp(cost) > 0 {
				cost = one
			}
		default:
			cost.Add(cost, one)
		}
	}
	return cost
}

func TestStrategyRefuses(t *testing.T) {
	s := New(wordletest.Lists(t, "crane", "crane slate"))
	for _, c := range []struct {
		name string
		o    StrategyOptions
		want string
	}{
		{"best", StrategyOptions{}, `there is no strategy "best", only optimal, expected, entropy, minimax, parts`},
		{"parts", StrategyOptions{Depth: 4}, "a strategy looks 1 to 3 guesses ahead, not 4"},
		{"parts", StrategyOptions{Depth: -1}, "a strategy looks 1 to 3 guesses ahead, not -1"},
		{Optimal, StrategyOptions{Depth: 1}, "the strategy optimal searches to the end and takes no depth"},
	} {
		if strategy, err := s.Strategy(c.name, c.o); strategy != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s with %+v: %v, want %s", c.name, c.o, err, c.want)
		}
	}
}

func TestStrategyNames(t *testing.T) {
	s := New(wordletest.Lists(t, "crane", "crane slate"))
	for _, name := range StrategyNames() {
		strategy := mustStrategy(t, s, name, StrategyOptions{})
		if got, err := strategy(t.Context(), Position{}, 0); err != nil || wordsOf(got) != "CRANE" {
			t.Errorf("%s: %v, %v; want the one word", name, wordsOf(got), err)
		}
		if got, err := strategy(t.Context(), Position{Turns: solvertest.Turns("pizza", "slate")}, 1); got != nil || !errors.Is(err, ErrNothingFits) {
			t.Errorf("%s where nothing fits: %v, %v", name, got, err)
		}
	}
}

func TestStrategyObeysContext(t *testing.T) {
	racetest.Skip(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := New(wordletest.Embedded(t))
	for _, m := range measures {
		for depth := 1; depth <= MaxDepth; depth++ {
			got, err := mustStrategy(t, s, m.name, StrategyOptions{Depth: depth})(ctx, Position{}, 3)
			if got != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, depth %d: %v, %v", m.name, depth, got, err)
			}
		}
	}
}

func BenchmarkStrategy(b *testing.B) {
	s := New(wordletest.Embedded(b))
	for _, c := range []struct {
		name  string
		depth int
		turns []wordle.Turn
	}{
		{"opening", 1, nil},
		{"second", 1, solvertest.Turns("crane", "slate")},
		{"second, depth 2", 2, solvertest.Turns("crane", "slate")},
	} {
		b.Run(c.name, func(b *testing.B) {
			strategy := mustStrategy(b, s, "expected", StrategyOptions{Depth: c.depth})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := strategy(b.Context(), Position{Turns: c.turns}, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
