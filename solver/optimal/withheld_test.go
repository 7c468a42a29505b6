package optimal

import (
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

// TestWithheldWordsAreNotProposed asks every strategy for all the guesses it knows
// of, where the feedback is that of a withheld word.
func TestWithheldWordsAreNotProposed(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	lists := wordletest.Embedded(t)
	s := New(lists)
	words := wordletest.Withheld(t)
	for i := 0; i < len(words); i += 17 {
		word, salet := words[i], wordle.MustParse("salet")
		p := Position{Turns: []wordle.Turn{{Guess: salet, Feedback: wordle.Score(salet, word)}}, Hard: marks.Hardness(i % 3)}
		check := func(word wordle.Word, by string) {
			t.Helper()
			if !lists.CanPropose(word) {
				t.Errorf("%v is proposed after %v (hard %v) by %s", word, p.Turns, p.Hard, by)
			}
		}
		possible := s.Remaining(p.Turns)
		if !lists.CanPropose(possible[0]) {
			continue // nothing else fits
		}
		for _, word := range possible {
			check(word, "Remaining")
		}
		solution := must(s.Solve(t.Context(), p, Effort{Top: MaxSuggestions, searchTime: time.Millisecond}))
		for _, suggestion := range solution.Suggestions {
			check(suggestion.Word, "Solve")
		}
		for _, m := range measures {
			for _, suggestion := range must(must(s.Strategy(m.name))(t.Context(), p, len(lists.Guesses()))) {
				check(suggestion.Word, m.name)
			}
		}
	}
}

// TestNothingFitsButWithheldWords: then they are proposed, with every strategy and in both
// modes.
func TestNothingFitsButWithheldWords(t *testing.T) {
	s := New(wordletest.Embedded(t))
	for _, c := range []struct {
		turns []wordle.Turn
		want  []string
	}{
		{solvertest.Turns("sissy", "missy", "pussy", "khaki"), []string{"CISSY", "SISSY"}},
		{solvertest.Turns("spook", "spoke", "scoop"), []string{"SPOOK"}},
	} {
		if counts := s.CountRemaining(c.turns); counts[len(c.turns)] != len(c.want) {
			t.Errorf("%v: %v words fit", c.turns, counts)
		}
		for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
			p := Position{Turns: c.turns, Hard: hard, Limit: wordle.Attempts}
			got, err := s.Solve(t.Context(), p, Effort{Top: 1})
			if err != nil || !got.Suggestions[0].Proven || got.Suggestions[0].Total != 2*len(c.want)-1 || got.Suggestions[0].Word.String() != c.want[0] {
				t.Errorf("hard %v, %v: %+v, %v", hard, c.turns, got, err)
			}
			for _, name := range StrategyNames() {
				if got, err := must(s.Strategy(name))(t.Context(), p, 1); err != nil || got[0].Word.String() != c.want[0] {
					t.Errorf("%s, hard %v, %v: %+v, %v", name, hard, c.turns, got, err)
				}
			}
		}
	}
}
