package solver

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// TestSplitAgainstPlain compares with plain code on words of few letters, which
// make large groups, and of many.
func TestSplitAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	guesses := sample(random, wordletest.Embedded(t).Guesses(), 300)
	for range 300 {
		guesses = append(guesses, randomWord(random))
	}
	x := newLexicon(guesses)
	var r rater
	for range 300 {
		words := sample(random, guesses, 1+random.IntN(3*shortRow))
		r.take(x, words)
		g := random.IntN(len(guesses))
		got, n := r.rate(x.of[g]), len(words)
		want, entropy := splitPlain(guesses[g], words)
		if got.squares != want.squares || got.groups != want.groups || got.worst != want.worst ||
			math.Abs(got.entropy(n)-entropy) > 1e-8 {
			t.Fatalf("%v splits %v: %+v with %v bits, want %+v with %v", guesses[g], words, got, got.entropy(n), want, entropy)
		}
	}
}

// splitPlain returns the split without its logs, and the entropy.
func splitPlain(guess wordle.Word, words []wordle.Word) (split, float64) {
	groups := map[wordle.Feedback]int{}
	for _, w := range words {
		groups[wordle.Score(guess, w)]++
	}
	s := split{groups: len(groups)}
	entropy := 0.0
	for _, x := range groups {
		s.squares += x * x
		s.worst = max(s.worst, x)
		share := float64(x) / float64(len(words))
		entropy -= share * math.Log2(share)
	}
	return s, entropy
}

// TestLogsTellEqualFromUnequal compares the sums of x·log₂x of random groups with
// the products of xˣ, which are exact.
func TestLogsTellEqualFromUnequal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	logs := xlogx(60)
	equal := 0
	for range 20_000 {
		n := 4 + random.IntN(57)
		a, b := randomGroups(random, n), randomGroups(random, n)
		if logs := sumOf(logs, a) - sumOf(logs, b); int64(product(a).Cmp(product(b))) != sign(logs) {
			t.Fatalf("groups %v and %v differ by %d", a, b, logs)
		} else if logs == 0 && len(a) != len(b) {
			equal++
		}
	}
	if equal == 0 {
		t.Error("no different groups told the same")
	}
	// An example of those: 6⁶ = 2²·2²·3³·3³·2² for 12 words.
	if a, b := []int{6, 1, 1, 1, 1, 1, 1}, []int{3, 3, 2, 2, 2}; sumOf(logs, a) != sumOf(logs, b) {
		t.Errorf("%v and %v differ", a, b)
	}
}

func randomGroups(random *rand.Rand, n int) []int {
	var groups []int
	for n > 0 {
		x := 1 + random.IntN(min(n, 7))
		groups = append(groups, x)
		n -= x
	}
	return groups
}

func sumOf(logs []int64, groups []int) int64 {
	var sum int64
	for _, x := range groups {
		sum += logs[x]
	}
	return sum
}

func product(groups []int) *big.Int {
	p := big.NewInt(1)
	for _, x := range groups {
		p.Mul(p, new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(x)), nil))
	}
	return p
}

func sign(x int64) int64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func TestEntropyOfOneGroup(t *testing.T) {
	for n := 1; n < 3000; n++ {
		if bits := (split{logs: xlog(n)}).entropy(n); bits != 0 {
			t.Fatalf("one group of %d words tells %v bits", n, bits)
		}
	}
}

// BenchmarkScan rates every guess for the opening on the original lists.
func BenchmarkScan(b *testing.B) {
	lists := wordletest.Original(b)
	x := newLexicon(lists.Guesses())
	var sink int
	b.Run("table", func(b *testing.B) { // at hand
		var tab table
		tab.build(x, numbers(x), lists.Answers())
		r := newRater(x, lists.Answers())
		for b.Loop() {
			for g := range x.guesses {
				sink += r.split(tab.row(int32(g))[:len(lists.Answers())]).squares
			}
		}
	})
	b.Run("parts", func(b *testing.B) { // from nothing, without a table
		for b.Loop() {
			r := newRater(x, lists.Answers())
			for g := range x.guesses {
				sink += r.rate(x.of[g]).squares
			}
		}
	})
}
