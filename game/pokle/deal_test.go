package pokle

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
)

// scorePlain is the rules of feedback as they are written down, on boards as text: the oracle of Score.
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

// TestScoreSamples: the samples come with the specification.
func TestScoreSamples(t *testing.T) {
	var samples [][3]string
	if err := json.Unmarshal(must(os.ReadFile("testdata/feedback.json")), &samples); err != nil || len(samples) != 200 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, s := range samples {
		got := WriteFeedback(Score(must(ParseBoard(s[0])), must(ParseBoard(s[1]))))
		if plain := scorePlain(s[0], s[1]); got != s[2] || plain != s[2] {
			t.Errorf("Score(%s, %s) = %s, by plain code %s, want %s", s[0], s[1], got, plain, s[2])
		}
	}
}

// TestScoreAgainstPlain also takes cards close in rank and suit, so that boards share many.
func TestScoreAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, ranks := range []int{2, 3, 5, 13} {
		for range 20_000 {
			deck := deckOf(0, ranks, 4)
			guess, hidden := Board(draw(random, deck, 5)), Board(draw(random, deck, 5))
			if c := guess.Canonical(); !slices.IsSorted(c[:3]) || c.Cards(Flop) != guess.Cards(Flop) || [2]Card(c[3:]) != [2]Card(guess[3:]) || c.Compare(guess) != 0 {
				t.Fatalf("%v has the canonical form %v", guess, c)
			}
			if got, want := WriteFeedback(Score(guess, hidden)), scorePlain(guess.Plain(), hidden.Plain()); got != want {
				t.Fatalf("Score(%v, %v) = %s, want %s", guess, hidden, got, want)
			}
		}
	}
}

// TestDealAgainstPlain compares what fits a deal, and the feedback in it, with the rules as they are written down, on hands of
// plain code, for deals made from a board close to the one asked about.
func TestDealAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	seen := map[string]int{}
	for range 5_000 {
		deck := draw(random, deckOf(random.IntN(13), 9, 4), 13)
		hidden := Board(deck[6:11])
		d := NewDeal([Players]Hole{Hole(deck[0:2]), Hole(deck[2:4]), Hole(deck[4:6])}, hidden)
		b := hidden
		switch random.IntN(5) {
		case 0:
			b[random.IntN(5)] = deck[11]
		case 1:
			b[3], b[4] = b[4], b[3]
		case 2:
			b[random.IntN(5)] = deck[random.IntN(13)] // perhaps held, or twice
		case 3:
			i := 3 + random.IntN(2)
			b[i] = NewCard(b[i].Rank(), Suit(random.IntN(4)))
			b[0], b[2] = b[2], b[0]
		}
		err := d.Fits(b)
		want := fitsPlain(d, b)
		if got := strings.TrimPrefix(fmt.Sprintf("%T %v", err, err), "*errors.errorString "); !strings.HasPrefix(got, want) {
			t.Fatalf("%v with %v: %s, want %s", d, b, got, want)
		}
		feedback := scorePlain(b.Plain(), hidden.Plain())
		if feedback[:3] == "ggg" && b[3].Rank() == hidden[3].Rank() && b[4].Rank() == hidden[4].Rank() && want == "<nil>" {
			if feedback != "ggggg" {
				want = "as good"
			}
			feedback = "ggggg"
		}
		if got := WriteFeedback(d.Score(b, hidden)); got != feedback {
			t.Fatalf("%v with %v: %v gets %s, want %s", d, hidden, b, got, feedback)
		}
		seen[want]++
	}
	for _, want := range []string{"<nil>", "*pokle.TwiceError", "*pokle.HeldError", ErrMisfit.Error(), ErrUnused.Error(), "as good"} {
		if seen[want] < 50 {
			t.Errorf("%s was hardly tested: %v", want, seen)
		}
	}
}

// fitsPlain returns how the error of a board begins, by the conditions as they are written down.
func fitsPlain(d Deal, b Board) string {
	held, used := map[Card]bool{}, map[Card]bool{}
	for _, hole := range d.Holes {
		held[hole[0]], held[hole[1]] = true, true
	}
	for i, c := range b {
		switch {
		case slices.Contains(b[:i], c):
			return "*pokle.TwiceError"
		case held[c]:
			return "*pokle.HeldError"
		}
	}
	for s := range Streets {
		var worth [Players]uint32
		for p, hole := range d.Holes {
			w, core := bestPlain(append(hole[:], b[:3+s]...))
			worth[p] = w
			for _, c := range core.List() {
				used[c] = true
			}
		}
		for p := range Players {
			better := map[uint32]bool{}
			for _, w := range worth {
				if w > worth[p] {
					better[w] = true
				}
			}
			if int(d.Places[s][p]) != 1+len(better) {
				return ErrMisfit.Error()
			}
		}
	}
	for _, c := range b {
		if !used[c] {
			return ErrUnused.Error()
		}
	}
	return "<nil>"
}

// newGame returns a game with one of 40 boards that fit its deal.
func newGame() State {
	return NewState(must(ParseDeal([Players]string{"AH KD", "QC JS", "10H 9D"}, [Streets]string{"123", "213", "132"})), must(ParseBoard("2H 3H 4H JC 5H")))
}

func TestState(t *testing.T) {
	const wrong = "2C 3C 4C 5C 6C, 2D 3D 4D 5D 6D, 2S 3S 4S 5S 6S, 2C 3D 4S 5S 6S, 2D 3D 4S 5S 6S"
	for _, c := range []struct {
		guesses string
		want    marks.Status
		err     error // of the last guess
	}{
		{"2H 3H 4H JC 5H", marks.Won, nil},
		{"4H 2H 3H JC 5H", marks.Won, nil},
		{"2H 3H 4H JD 5H", marks.Won, nil},     // as good
		{"2H 3H 4H JH 5H", marks.Playing, nil}, // does not fit
		{wrong, marks.Playing, nil},
		{wrong + ", 2H 3H 4H JC 5H", marks.Won, nil},
		{wrong + ", 2C 3C 4S 5S 6S", marks.Lost, nil},
		{wrong + ", 2C 3C 4S 5S 6S, 2H 3H 4H JC 5H", marks.Lost, marks.ErrEnded},
		{"2D 3D 4D 5D 6D, 2C 3C 4C 5C 6C, 4D 2D 3D 5D 6D", marks.Playing, &marks.RepeatedError{Attempt: 1}},
		{"2C 3C 4C 5C 6C, 2C 3C 4C 6C 5C", marks.Playing, nil}, // turn and river do not change places
		{"2C 3C 4C 5C QC", marks.Playing, &HeldError{NewCard(Queen, Clubs), 2}},
	} {
		s, used := newGame(), 0
		var err error
		for text := range strings.SplitSeq(c.guesses, ", ") {
			var next State
			if next, err = s.Guess(must(ParseBoard(text))); err == nil {
				used++
			}
			if next.Rewind(s.Used()) != s {
				t.Errorf("%s after %v changed what was before", text, s)
			}
			s = next
		}
		if s.Status() != c.want || !reflect.DeepEqual(err, c.err) || s.Used() != used || s.AttemptsLeft() != Attempts-used {
			t.Errorf("%s: %s after %v, %v; want %s, %v", c.guesses, s.Status(), s, err, c.want, c.err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, s); !strings.Contains(text, fmt.Sprint(used, " guesses")) || len(text) > 20 {
				t.Errorf("printed: %s", text)
			}
		}
	}
	if s := NewState(newGame().Deal(), must(ParseBoard("4H 2H 3H JC 5H"))); s != newGame() {
		t.Error("the order of the hidden flop makes another game")
	}
}
