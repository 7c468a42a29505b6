package wordle

import (
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
)

func TestSplitTurns(t *testing.T) {
	lists := mustEmbedded(t)
	slate, crony := Typed{"slate", "bbybb"}, Typed{"crony", "byybb"}
	for _, c := range []struct {
		args []string
		bare bool
		want []Typed
	}{
		{[]string{"slate", "bbybb", "crony", "byybb"}, false, []Typed{slate, crony}},
		{[]string{"slate:bbybb", "crony:byybb"}, false, []Typed{slate, crony}},
		{[]string{"slate:bbybb", "crony", "byybb"}, true, []Typed{slate, crony}},
		{[]string{"slate: bbybb crony :byybb"}, false, []Typed{slate, crony}},
		{[]string{"slate", ":", "bbybb", "crony: ", "byybb"}, true, []Typed{slate, crony}},
		{[]string{"slate", "⬛⬛🟨", "⬛⬛", "crony:byybb"}, false, []Typed{{"slate", "⬛⬛🟨 ⬛⬛"}, crony}},
		{[]string{"slate", "grey", "grey", "yellow", "black", "black"}, false, []Typed{{"slate", "grey grey yellow black black"}}},
		{[]string{"green:21012", "qxzqx", "00000"}, false, []Typed{{"green", "21012"}, {"qxzqx", "00000"}}},
		{[]string{"trace", "yygwg"}, false, []Typed{{"trace", "yygwg"}}},
		{[]string{"🟨🟨🟩⬛🟩", "TRACE", "⬛🟨⬛⬛⬛ SLATE"}, false, []Typed{{"TRACE", "🟨🟨🟩⬛🟩"}, {"SLATE", "⬛🟨⬛⬛⬛"}}},
		{[]string{":yellow_square::yellow_square: :green_square::black_large_square::green_square: trace"}, false, []Typed{{"trace", "🟨🟨 🟩⬛🟩"}}},
		{[]string{"green green grey grey grey green"}, false, []Typed{{"green", "green green grey grey grey"}}},
		{[]string{"bbybb", "slate:byybb"}, false, []Typed{{"", "bbybb"}, {"slate", "byybb"}}},
		{[]string{"bbybb"}, true, []Typed{{"", "bbybb"}}},
		{[]string{"slate", "crony"}, true, []Typed{{"slate", ""}, {"crony", ""}}},
		{[]string{"slate", "green"}, true, []Typed{{"slate", ""}, {"green", ""}}},
		{[]string{"slate", "crony"}, false, []Typed{{"slate", "crony"}}},
		{[]string{"slate:bbyb", "crony"}, true, []Typed{{"slate", "bbyb"}, {"crony", ""}}},
		{[]string{"slate:"}, true, []Typed{{"slate", ""}}},
		{[]string{"slate", "bbyb", "crony", "byybb"}, false, []Typed{{"slate", "bbyb"}, crony}},
		{nil, false, nil},
	} {
		if got := SplitTurns(strings.Join(c.args, " "), lists.CanGuess, c.bare); !slices.Equal(got, c.want) {
			t.Errorf("%q, bare %t: got %q, want %q", c.args, c.bare, got, c.want)
		}
	}
}

// FuzzSplitTurns: nothing is lost but colons, and what was written with colons is read.
func FuzzSplitTurns(f *testing.F) {
	f.Add("slate:bbybb crony byybb", false)
	f.Add("slate ⬛⬛🟨 ⬛⬛ : :", true)
	f.Add("⬛⬛🟨⬛⬛ SLATE :green_square: webby", true)
	lists := mustEmbedded(f)
	f.Fuzz(func(t *testing.T, text string, bare bool) {
		turns := SplitTurns(text, lists.CanGuess, bare)
		var all []string
		for _, turn := range turns {
			all = append(all, turn.Guess, turn.Feedback)
		}
		plain := func(text string) string { // its words in one order
			words := strings.Fields(strings.ReplaceAll(marks.Squares(text), ":", " "))
			slices.Sort(words)
			return strings.Join(words, " ")
		}
		if got := plain(strings.Join(all, " ")); got != plain(text) {
			t.Fatalf("%q is split into %q", text, turns)
		}
		for _, turn := range turns {
			_, err := ParseFeedback(turn.Feedback)
			if guess, notWord := ParseWord(turn.Guess); err != nil || notWord != nil || !lists.CanGuess(guess) {
				continue
			}
			if again := SplitTurns(turn.Guess+":"+turn.Feedback, lists.CanGuess, bare); len(again) != 1 || again[0] != turn {
				t.Errorf("%q is read again as %q", turn, again)
			}
		}
	})
}

// TestWordsOfMarks: a word of the list is a guess wherever one is asked for, though it consists of letters for marks.
func TestWordsOfMarks(t *testing.T) {
	lists := mustEmbedded(t)
	n := 0
	for _, w := range lists.Guesses() {
		if _, err := ParseFeedback(w.String()); err != nil {
			continue
		}
		n++
		word := w.String()
		for text, want := range map[string][]Typed{
			word:                             {{word, ""}},
			word + " bbybb":                  {{word, "bbybb"}},
			"bbybb " + word:                  {{word, "bbybb"}},
			"crane bbybb " + word + " ggggg": {{"crane", "bbybb"}, {word, "ggggg"}},
		} {
			for _, bare := range []bool{false, true} {
				if got := SplitTurns(text, lists.CanGuess, bare); !slices.Equal(got, want) {
					t.Errorf("%q, bare %t: got %q, want %q", text, bare, got, want)
				}
			}
		}
		if got := SplitTurns("crane "+word, lists.CanGuess, true); !slices.Equal(got, []Typed{{"crane", ""}, {word, ""}}) {
			t.Errorf("two bare guesses are read as %q", got)
		}
	}
	if n == 0 {
		t.Error("no word consists of marks: nothing was tested")
	}
}
