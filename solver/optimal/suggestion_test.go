package optimal

import (
	"slices"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// TestFamiliarSuggestions: a familiar word that cannot be the hidden one is suggested before another
// that needs as many guesses.
func TestFamiliarSuggestions(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	s := New(wordletest.Embedded(t))
	s.SuggestTime = time.Hour
	familiar := s.lexicon().Familiar
	unfamiliar := [2]int{}
	for _, p := range randomStates(s.lists, 500, 5, marks.Off) {
		if n := len(s.Remaining(p.Turns)); n < 10 || n > 40 {
			continue
		}
		var totals [2]int
		for way, known := range [][]bool{slices.Repeat([]bool{true}, len(familiar)), familiar} {
			s.lexicon().Familiar = known
			hint := must(s.Suggest(t.Context(), p))
			if totals[way] = hint.Total; !hint.Possible && !familiar[s.lexicon().Numbers([]wordle.Word{hint.Word})[0]] {
				unfamiliar[way]++
			}
		}
		if totals[0] != totals[1] {
			t.Errorf("%v: %d guesses, and %d with familiar words", p.Turns, totals[0], totals[1])
		}
	}
	if unfamiliar[1]*7 > unfamiliar[0]*6 { // far fewer: equal ones are searched for
		t.Errorf("%d unfamiliar words, and %d where others are preferred", unfamiliar[0], unfamiliar[1])
	}
}
