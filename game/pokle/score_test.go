package pokle

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scorePlain is the rules of feedback as they are written down, on boards as text:
// the oracle of Score.
func scorePlain(guess, hidden string) string {
	g, h := strings.Fields(guess), strings.Fields(hidden)
	alike := func(a, b string) bool {
		rankA, suitA := a[:len(a)-1], a[len(a)-1:]
		rankB, suitB := b[:len(b)-1], b[len(b)-1:]
		return rankA == rankB || suitA == suitB
	}
	result := ""
	for i, card := range g[:3] {
		mark := "e"
		for _, other := range h[:3] {
			if !slices.Contains(g[:3], other) && alike(card, other) {
				mark = "y"
			}
		}
		if slices.Contains(h[:3], g[i]) {
			mark = "g"
		}
		result += mark
	}
	for i := 3; i < 5; i++ {
		switch {
		case g[i] == h[i]:
			result += "g"
		case alike(g[i], h[i]):
			result += "y"
		default:
			result += "e"
		}
	}
	return result
}

func TestScore(t *testing.T) {
	for _, c := range []struct{ name, guess, hidden, want string }{
		{"nothing", "2C 3C 4D 5D 6D", "7H 8H 9S 10S JS", "eeeee"},
		{"flop in another order", "2C 3C 4D 5D 6D", "4D 2C 3C 5D 6D", "ggggg"},
		{"marks stay with the guess's cards", "2C 3D 4H 5S 6S", "4H 9S 10S 5C 7S", "eegyy"},
		{"a matched card makes no yellow", "2C 3C 9H 5D 6D", "2C 10S JS 7H 8H", "geeee"},
		{"nor by its rank", "2C 2D 9H 5D 6D", "2C 10S JS 7H 8H", "geeee"},
		{"one hidden card makes three yellows", "2C 2D 9H 5D 6D", "2H 10S JS 7H 8S", "yyyee"},
		{"no card of the flop counts on the turn", "2C 3C 4C 5D 6D", "5D 6D 7D 2H 3H", "eeeee"},
		{"turn and river swapped", "2C 3C 4C 5D 6H", "2C 3C 4C 6H 5D", "gggee"},
		{"turn by suit, river by rank", "2C 3C 4C 5D 6H", "2C 3C 4C 9D 6S", "gggyy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := WriteFeedback(Score(mustBoard(t, c.guess), mustBoard(t, c.hidden))); got != c.want {
				t.Errorf("Score(%s, %s) = %s, want %s", c.guess, c.hidden, got, c.want)
			}
			if got := scorePlain(c.guess, c.hidden); got != c.want {
				t.Errorf("the oracle scores %s for %s as %s, want %s", c.guess, c.hidden, got, c.want)
			}
		})
	}
}

// TestScoreSamples: the samples come with the specification.
func TestScoreSamples(t *testing.T) {
	var samples [][3]string
	mustRead(t, "feedback.json", &samples)
	if len(samples) != 200 {
		t.Errorf("%d samples, want 200", len(samples))
	}
	for _, s := range samples {
		if got := WriteFeedback(Score(mustBoard(t, s[0]), mustBoard(t, s[1]))); got != s[2] {
			t.Errorf("Score(%s, %s) = %s, want %s", s[0], s[1], got, s[2])
		}
		if got := scorePlain(s[0], s[1]); got != s[2] {
			t.Errorf("the oracle scores %s for %s as %s, want %s", s[0], s[1], got, s[2])
		}
	}
}

// TestScoreAgainstPlain also takes cards close in rank and suit, so that boards
// share many.
func TestScoreAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, ranks := range []int{2, 3, 5, 13} {
		for range 20_000 {
			deck := deckOf(0, ranks, 4)
			guess, hidden := Board(draw(random, deck, 5)), Board(draw(random, deck, 5))
			if got, want := WriteFeedback(Score(guess, hidden)), scorePlain(guess.Plain(), hidden.Plain()); got != want {
				t.Fatalf("Score(%v, %v) = %s, want %s", guess, hidden, got, want)
			}
		}
	}
}

// TestDealScore: a board is shown all green without being the hidden one only when
// its flop is exact, the ranks of turn and river are right, and it fits the deal.
func TestDealScore(t *testing.T) {
	for _, c := range []struct{ name, sample, hidden, guess, plain, want string }{
		{"the hidden board", "readme", "2H 3H 4H JC 5H", "4H 2H 3H JC 5H", "ggggg", "ggggg"},
		{"turn of another suit", "readme", "2H 3H 4H JC 5H", "2H 3H 4H JD 5H", "gggyg", "ggggg"},
		{"flop in another order", "readme", "2H 3H 4H JC 5H", "4H 3H 2H JD 5H", "gggyg", "ggggg"},
		{"turn and river of other suits", "example1", "4C 6C QC JH 4D", "4C 6C QC JS 4S", "gggyy", "ggggg"},
		{"right ranks that do not fit", "readme", "2H 3H 4H JC 5H", "2H 3H 4H JH 5H", "gggyg", "gggyg"},
		{"right ranks with a card that is held", "readme", "2H 3H 4H JC 5H", "2H 3H 4H JS 5H", "gggyg", "gggyg"},
		{"fits with another turn", "readme", "2H 3H 4H JC 5H", "2H 3H 4H QD 5H", "gggeg", "gggeg"},
		{"fits with another turn of the suit", "readme", "2H 3H 4H JD 5H", "2H 3H 4H QD 5H", "gggyg", "gggyg"},
		{"fits with another river", "example1", "8D 9D 10D 7C 6D", "8D 9D 10D 7C 7D", "ggggy", "ggggy"},
		{"fits with another flop", "example1", "4C 6C QC JH 4D", "4C 6D QC JH 4D", "gyggg", "gyggg"},
		{"fits with flop and river swapped", "readme", "2H 3H 4H JC 5H", "2H 3H 5H JC 4H", "ggygy", "ggygy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustSample(t, c.sample).deal()
			guess, hidden := mustBoard(t, c.guess), mustBoard(t, c.hidden)
			if err := d.Fits(hidden); err != nil {
				t.Fatal(err)
			}
			if err := d.Fits(guess); (err == nil) != (strings.HasPrefix(c.name, "fits") || c.want == "ggggg") {
				t.Errorf("the guess: %v", err)
			}
			if got := WriteFeedback(Score(guess, hidden)); got != c.plain {
				t.Errorf("without the deal: got %s, want %s", got, c.plain)
			}
			if got := WriteFeedback(d.Score(guess, hidden)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// mustRead reads a file of testdata.
func mustRead(tb testing.TB, name string, into any) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkScore scores random pairs, so that branches cannot be learnt; each
// iteration is one pair. The plain code runs too, on text.
func BenchmarkScore(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 1 << 12
	var guesses, hidden [n]Board
	for i := range n {
		guesses[i], hidden[i] = Board(draw(random, deckOf(0, 13, 4), 5)), Board(draw(random, deckOf(0, 13, 4), 5))
	}
	b.Run("bits", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			sink += uint64(Score(guesses[i%n], hidden[i%n]))
			i++
		}
	})
	b.Run("flop alone", func(b *testing.B) {
		i := 0
		for b.Loop() {
			sink += uint64(ScoreFlop(guesses[i%n], hidden[i%n]))
			i++
		}
	})
	b.Run("plain", func(b *testing.B) {
		var g, h [n]string
		for i := range n {
			g[i], h[i] = guesses[i].Plain(), hidden[i].Plain()
		}
		i := 0
		for b.Loop() {
			sink += uint64(len(scorePlain(g[i%n], h[i%n])))
			i++
		}
	})
}
