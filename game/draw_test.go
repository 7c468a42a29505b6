package game_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
)

// starts is a store that notes the hidden words of each community in the order in
// which their matches started.
type starts struct {
	Store
	mu    sync.Mutex // held during a commit, so that words has the store's order
	words map[string][]wordle.Word
}

func (s *starts) Commit(ctx context.Context, c matches.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.Store.Commit(ctx, c)
	if err == nil && c.Match.Version == 1 {
		community := c.Match.Location.Community()
		s.words[community] = append(s.words[community], hiddenIn(c.Match))
	}
	return err
}

// TestHiddenWordsDoNotComeAgain plays several rounds through small lists in
// several channels of a server, one after another: no word comes again among the next half of the list.
func TestHiddenWordsDoNotComeAgain(t *testing.T) {
	for _, c := range []struct {
		answers  string
		channels int
		apart    int // at least this many others come between
	}{
		{"crane", 1, 0},
		{"crane slate", 1, 1},
		{"crane slate brick", 1, 1},
		{"crane slate brick mound shave grape fuzzy hover", 1, 4},
		{"crane slate brick mound shave grape fuzzy hover", 4, 4},
	} {
		t.Run(fmt.Sprintf("%d words in %d channels", (len(c.answers)+1)/6, c.channels), func(t *testing.T) {
			lists := mustLists(t, c.answers, "")
			s := &starts{Store: newMemory(), words: map[string][]wordle.Word{}}
			m := newManager(s, lists)
			m.Pick = nil
			for round := range 40 {
				for i := range c.channels {
					p := game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}
					for _, text := range []string{"ana start", "ana stop"} {
						if _, err := parse(p, fmt.Sprint(p.Channel, round, text), text).run(t.Context(), m); err != nil {
							t.Errorf("%s: %v", text, err)
						}
					}
				}
			}
			words := s.words["guild/g"]
			if len(words) != 40*c.channels {
				t.Fatalf("%d matches started", len(words))
			}
			for i, w := range words {
				if last := words[max(0, i-c.apart):i]; slices.Contains(last, w) {
					t.Errorf("%v comes again after %v", w, last)
				}
				if !lists.CanHide(w) {
					t.Errorf("%v is hidden, but no answer", w)
				}
			}
		})
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
