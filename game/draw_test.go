package game_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
)

// TestHiddenWordsDoNotComeAgain plays several rounds through small lists, in the channels of a server and day after day: no word
// comes again among the next half of the list.
func TestHiddenWordsDoNotComeAgain(t *testing.T) {
	for _, c := range []struct {
		answers  string
		channels int
		mode     string
		apart    int // at least this many others come between
	}{
		{"crane", 1, "", 0},
		{"crane slate", 1, "", 1},
		{"crane slate brick", 1, "", 1},
		{"crane slate brick mound shave grape pizza hover", 4, "", 4},
		{tenWords, 1, "daily", 5},
	} {
		s := newMemory()
		m, clock := newDaily(t, s, c.answers, wordgame.Kind)
		var words []wordle.Word
		for i := range 40 * c.channels {
			l := game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i%c.channels))}
			w := hiddenIn(mustPlay(t, m, l, fmt.Sprintf("ana start %s; ana stop %[1]s", c.mode)))
			if last := words[max(0, i-c.apart):]; slices.Contains(last, w) || !m.lists.CanHide(w) {
				t.Errorf("of %s, %v comes after %v", c.answers, w, last)
			}
			words = append(words, w)
			clock.at = clock.at.Add(24 * time.Hour)
		}
		daily, here := recent(t, s, "wordle daily"), recent(t, s, "wordle guild/g")
		if (c.mode == "daily") != (len(daily) == c.apart && len(here) == 0 && len(daily) > 0) {
			t.Errorf("of %s, %q and %q are remembered", c.answers, daily, here)
		}
	}
}

// TestDrawsAreEven: over many communities every word is drawn about equally often. The limits are six standard deviations from
// the mean.
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
