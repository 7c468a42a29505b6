package daypost

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"fivefold/game"
)

// TestTally: what is said of a puzzle, in a heading of at most 40 characters.
func TestTally(t *testing.T) {
	for _, c := range []struct {
		played, solved, most int
		want                 string
	}{
		{0, 0, 0, ""},
		{1, 0, 1, "one played, none solved it"},
		{1, 1, 1, "one played, one solved it"},
		{3, 2, 3, "three played, two solved it"},
		{7, 3, 5, "seven played, three solved it"},
		{10, 10, 10, "ten played, ten solved it"},
		{1000, 999, 1000, "1000 played, 999 solved it"},
		{1000, 999, 1402, "1402 played"},
	} {
		solved := map[game.PlayerID]bool{}
		for i := range c.played {
			solved[game.PlayerID(fmt.Sprint(i))] = i < c.solved
		}
		if got := tally(solved, c.most); got != c.want || utf8.RuneCountInString("Yesterday: "+got) > 40 {
			t.Errorf("%d of %d: got %q, want %q", c.solved, c.played, got, c.want)
		}
	}
}
