package game_test

import (
	"fmt"
	"slices"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
)

// TestHiddenWordsDoNotComeAgain plays several rounds through small lists in the channels of a server: no word comes again among
// the next half of the list.
func TestHiddenWordsDoNotComeAgain(t *testing.T) {
	for _, c := range []struct {
		answers  string
		channels int
		apart    int // at least this many others come between
	}{
		{"crane", 1, 0},
		{"crane slate", 1, 1},
		{"crane slate brick", 1, 1},
		{"crane slate brick mound shave grape fuzzy hover", 4, 4},
	} {
		lists := mustLists(t, c.answers, "")
		m := newManager(newMemory(), lists)
		m.Pick = nil
		var words []wordle.Word
		for i := range 40 * c.channels {
			w := hiddenIn(mustPlay(t, m, game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i%c.channels))}, "ana start; ana stop"))
			if last := words[max(0, i-c.apart):]; slices.Contains(last, w) || !lists.CanHide(w) {
				t.Errorf("of %s, %v comes after %v", c.answers, w, last)
			}
			words = append(words, w)
		}
	}
}

// TestDrawsAreEven: over many communities every word is drawn about equally often. The
// limits are six standard deviations from the mean.
func TestDrawsAreEven(t *testing.T) {
	lists := mustLists(t, "brick crane fuzzy grape hover mound shave slate", "")
	m := newManager(newMemory(), lists)
	m.Pick = nil
	const draws = 4000
	counts := map[wordle.Word]int{}
	for i := range draws {
		p := game.Location{Channel: game.ChannelID(fmt.Sprint("c", i))}
		match, err := parse(p, fmt.Sprint("r", i), "ana start").run(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		counts[hiddenIn(match)]++
	}
	for _, w := range lists.Answers() {
		if n := counts[w]; n < 500-126 || n > 500+126 { // √(4000·⅛·⅞) ≈ 21
			t.Errorf("%v was drawn %d times of %d, want about 500", w, n, draws)
		}
	}
}
