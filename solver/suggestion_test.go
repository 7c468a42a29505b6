package solver

import (
	"testing"

	"fivefold/game/wordle"
)

func TestSuggestionString(t *testing.T) {
	crane := wordle.MustParse("crane")
	for _, c := range []struct {
		s    Suggestion
		want string
	}{
		{Suggestion{Word: crane, Remaining: 87, Groups: 41, Worst: 6}, "CRANE splits the 87 words into 41 groups of at most 6"},
		{Suggestion{Word: crane, Remaining: 3, Groups: 2, Worst: 2}, "CRANE splits the 3 words into 2 groups of at most 2"},
		{Suggestion{Word: crane, Remaining: 12, Groups: 12, Worst: 1}, "CRANE distinguishes all 12 words"},
		{Suggestion{Word: crane, Remaining: 2, Groups: 2, Worst: 1}, "CRANE distinguishes both words"},
		{Suggestion{Word: crane, Remaining: 5, Groups: 1, Worst: 5}, "CRANE leaves all 5 words possible"},
		{Suggestion{Word: crane, Remaining: 1, Groups: 1, Worst: 1, Possible: true}, "CRANE is the only word left"},
		{Suggestion{Word: crane, Remaining: 1, Groups: 1, Worst: 1}, "CRANE is not the one word left"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}
