package solve

import (
	"cmp"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

// Contradiction says what may be wrong with a word puzzle if no known word fits its
// turns. If the last one is all green, only Misfits are set, otherwise the other fields.
type Contradiction struct {
	// Misfits are those of [Puzzle.Misfits].
	Misfits []Misfit
	// Turn, from 1, is the one that is most likely wrong: one that is impossible by
	// itself, or else the latest one without which words fit. It is 0 if no single turn
	// is to blame.
	Turn int
	// Alone reports that no known word gives this turn its feedback, whatever the other
	// turns are.
	Alone bool
	// Nearest are feedbacks for the turn with which words fit: those that change the
	// fewest marks, the likeliest first, at most [maxNearest].
	Nearest []Correction
	// Unlisted reports that the feedback may all be right and the word just not known
	// here. If it is false, no five letters at all fit.
	Unlisted bool
}

// Correction is another feedback for a turn.
type Correction struct {
	Feedback wordle.Feedback
	Changed  int // how many marks differ
	// Possible are the words that fit then, most likely first. Their chances are among
	// all words that fit the other turns.
	Possible []weighted.Possible
}

// maxNearest is how many corrections are worth showing.
const maxNearest = 3

// contradiction finds out what is wrong with turns that no word fits. Possible returns
// the words that fit some turns, most likely first; it is called at most twice for
// each turn.
func contradiction(turns []wordle.Turn, possible func([]wordle.Turn) []weighted.Possible) Contradiction {
	c := Contradiction{Unlisted: wordle.Consistent(turns)}
	for i, t := range turns {
		if len(possible([]wordle.Turn{t})) == 0 {
			c.Turn, c.Alone = i+1, true
			c.Nearest = corrections(turns, i, possible)
			return c
		}
	}
	for i := len(turns) - 1; i >= 0; i-- {
		if nearest := corrections(turns, i, possible); len(nearest) > 0 {
			c.Turn, c.Nearest = i+1, nearest
			return c
		}
	}
	return c
}

// corrections returns the nearest feedbacks for turns[turn] with which words fit. There
// are some exactly if words fit the other turns, among them another one than the turn's own
// guess unless the turn is the last.
func corrections(turns []wordle.Turn, turn int, possible func([]wordle.Turn) []weighted.Possible) []Correction {
	wrong := turns[turn]
	var words [wordle.Feedbacks][]weighted.Possible
	for _, p := range possible(slices.Delete(slices.Clone(turns), turn, turn+1)) {
		f := wordle.Score(wrong.Guess, p.Word)
		words[f] = append(words[f], p)
	}
	if turn < len(turns)-1 {
		words[wordle.AllGreen] = nil // the puzzle would have ended there
	}
	var all []Correction
	chance := map[wordle.Feedback]float64{}
	for f, fit := range words {
		if len(fit) == 0 {
			continue
		}
		c := Correction{Feedback: wordle.Feedback(f), Possible: fit}
		for i := range wordle.Length {
			if c.Feedback.Mark(i) != wrong.Feedback.Mark(i) {
				c.Changed++
			}
		}
		for _, p := range fit {
			chance[c.Feedback] += p.Chance
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Correction) int {
		return cmp.Or(cmp.Compare(a.Changed, b.Changed), cmp.Compare(chance[b.Feedback], chance[a.Feedback]))
	})
	// Only those with the fewest marks changed are worth showing.
	n := slices.IndexFunc(all, func(c Correction) bool { return c.Changed > all[0].Changed })
	if n < 0 {
		n = len(all)
	}
	return all[:min(n, maxNearest)]
}
