package solve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

func mustTurns(tb testing.TB, texts ...string) []wordle.Turn {
	tb.Helper()
	var turns []wordle.Turn
	for _, text := range texts {
		guess, tiles, _ := strings.Cut(text, " ")
		f, err := wordle.ParseFeedback(tiles)
		if err != nil {
			tb.Fatal(err)
		}
		turns = append(turns, wordle.Turn{Guess: wordle.MustParse(guess), Feedback: f})
	}
	return turns
}

// newPossible stands in for the solver, with words each half as likely as the one
// before.
func newPossible(words string) func([]wordle.Turn) []weighted.Possible {
	return func(turns []wordle.Turn) []weighted.Possible {
		var all []weighted.Possible
		chance := 1.0
		for text := range strings.FieldsSeq(words) {
			chance /= 2
			w := wordle.MustParse(text)
			if !slices.ContainsFunc(turns, func(t wordle.Turn) bool { return wordle.Score(t.Guess, w) != t.Feedback }) {
				all = append(all, weighted.Possible{Word: w, Chance: chance})
			}
		}
		return all
	}
}

func TestContradiction(t *testing.T) {
	const words = "batch catch hatch latch match patch watch favor major razor piggy bunny"
	for _, c := range []struct {
		name  string
		turns []string
		want  string // line, alone, unlisted, corrections
	}{
		{"the later line", []string{"match bgggg", "chops bbbbb"}, "2 false false: bbbbb→yybbb BATCH HATCH LATCH WATCH, gybbb CATCH"},
		{"impossible by itself, though first", []string{"match ggggy", "favor bgbbb"}, "1 true false: ggggy→bgggg BATCH CATCH HATCH LATCH PATCH WATCH"},
		{"an earlier line", []string{"blown bbbbb", "match bgggg", "favor bgbgg"}, "3 false false: bgbgg→bgbbb CATCH HATCH PATCH"},
		{"two wrong lines", []string{"match bgggg", "dizzy bgbbg", "flock gbybb"}, "0 false false"},
		{"a word not in the list", []string{"favor bgbbg", "match bgggb"}, "2 false true: bgggb→bgbbb EAGER"},
		{"the last line may be all green", []string{"favor bgbbb", "batch ggggy"}, "2 true false: ggggy→ggggg BATCH"},
	} {
		turns := mustTurns(t, c.turns...)
		possible := newPossible(words)
		if c.name == "a word not in the list" {
			possible = newPossible("eager patcs")
		}
		if len(possible(turns)) > 0 {
			t.Fatalf("%s: words fit", c.name)
		}
		x := contradiction(turns, possible)
		got := fmt.Sprint(x.Turn, " ", x.Alone, " ", x.Unlisted)
		for i, near := range x.Nearest {
			if i == 0 {
				got += ": " + strings.ToLower(turns[x.Turn-1].Feedback.String()) + "→"
			} else {
				got += ", "
			}
			got += strings.ToLower(near.Feedback.String())
			for _, p := range near.Possible {
				got += " " + p.Word.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestCorrectionsAgainstPlain tries every feedback for every turn.
func TestCorrectionsAgainstPlain(t *testing.T) {
	possible := newPossible("batch catch hatch latch match patch watch favor major razor abhor borax radio vapor crane slate eerie")
	words := possible(nil)
	random := rand.New(rand.NewPCG(11, 12))
	found := 0
	for range 300 {
		var turns []wordle.Turn
		for range 1 + random.IntN(3) {
			guess, hidden := words[random.IntN(len(words))].Word, words[random.IntN(len(words))].Word
			turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
		}
		for line := range turns {
			least, want := wordle.Length+1, map[wordle.Feedback]int{}
			for f := range wordle.Feedback(wordle.Feedbacks) {
				tried := slices.Clone(turns)
				tried[line].Feedback = f
				n := len(possible(tried))
				if n == 0 || f == wordle.AllGreen && line < len(turns)-1 {
					continue
				}
				changed := 0
				for i, c := range []byte(f.String()) {
					if turns[line].Feedback.String()[i] != c {
						changed++
					}
				}
				if changed < least {
					least, want = changed, map[wordle.Feedback]int{}
				}
				if changed == least {
					want[f] = n
				}
			}
			got := corrections(turns, line, possible)
			if len(got) != min(len(want), maxNearest) {
				t.Fatalf("%v line %d: %d corrections, want %d", turns, line+1, len(got), len(want))
			}
			for _, c := range got {
				found++
				if want[c.Feedback] != len(c.Possible) {
					t.Fatalf("%v line %d: %+v, want %d words", turns, line+1, c, want[c.Feedback])
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d corrections were compared", found)
	}
}
