package solve

import (
	"slices"
	"strings"
	"testing"

	"fivefold/game/wordle"
)

func TestSplitTurns(t *testing.T) {
	slate, crony := typedTurn{"slate", "bbybb"}, typedTurn{"crony", "byybb"}
	for _, c := range []struct {
		args []string
		bare bool
		want []typedTurn
	}{
		{[]string{"slate", "bbybb", "crony", "byybb"}, false, []typedTurn{slate, crony}},
		{[]string{"slate:bbybb", "crony:byybb"}, false, []typedTurn{slate, crony}},
		{[]string{"slate:bbybb", "crony", "byybb"}, true, []typedTurn{slate, crony}},
		{[]string{"slate: bbybb crony :byybb"}, false, []typedTurn{slate, crony}},
		{[]string{"slate", ":", "bbybb", "crony: ", "byybb"}, true, []typedTurn{slate, crony}},
		{[]string{"slate", "⬛⬛🟨", "⬛⬛", "crony:byybb"}, false, []typedTurn{{"slate", "⬛⬛🟨 ⬛⬛"}, crony}},
		{[]string{"slate", "grey", "grey", "yellow", "black", "black"}, false, []typedTurn{{"slate", "grey grey yellow black black"}}},
		{[]string{"green:21012", "eeeee", "00000"}, false, []typedTurn{{"green", "21012"}, {"eeeee", "00000"}}},
		{[]string{"slate", "crony"}, true, []typedTurn{{"slate", ""}, {"crony", ""}}},
		{[]string{"slate", "green"}, true, []typedTurn{{"slate", ""}, {"green", ""}}},
		{[]string{"slate", "crony"}, false, []typedTurn{{"slate", "crony"}}},
		{[]string{"slate:bbyb", "crony"}, true, []typedTurn{{"slate", "bbyb"}, {"crony", ""}}},
		{[]string{"slate:"}, true, []typedTurn{{"slate", ""}}},
		{[]string{"slate", "bbyb", "crony", "byybb"}, false, []typedTurn{{"slate", "bbyb"}, crony}},
		{nil, false, nil},
	} {
		if got := splitTurns(c.args, c.bare); !slices.Equal(got, c.want) {
			t.Errorf("%q, bare %t: got %q, want %q", c.args, c.bare, got, c.want)
		}
	}
}

// FuzzSplitTurns: nothing is lost but colons, and what was written with colons is read.
func FuzzSplitTurns(f *testing.F) {
	f.Add("slate:bbybb crony byybb", false)
	f.Add("slate ⬛⬛🟨 ⬛⬛ : :", true)
	f.Fuzz(func(t *testing.T, text string, bare bool) {
		turns := splitTurns([]string{text}, bare)
		var all []string
		for _, turn := range turns {
			all = append(all, turn.Guess, turn.Feedback)
		}
		plain := func(text string) string {
			return strings.Join(strings.Fields(strings.ReplaceAll(text, ":", " ")), " ")
		}
		if got := plain(strings.Join(all, " ")); got != plain(text) {
			t.Fatalf("%q is split into %q", text, turns)
		}
		for _, turn := range turns {
			if _, err := wordle.ParseFeedback(turn.Feedback); err != nil || turn.Guess == ":" {
				continue
			}
			if again := splitTurns([]string{turn.Guess + ":" + turn.Feedback}, bare); len(again) != 1 || again[0] != turn {
				t.Errorf("%q is read again as %q", turn, again)
			}
		}
	})
}
