package game

import (
	"cmp"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

// Contradiction says what may be wrong where no known word fits the turns of a
// puzzle.
type Contradiction struct {
	// Line is the line, from 1, that is most likely wrong: one that is impossible by
	// itself or else the latest without which words fit. It is 0 where no single
	// line is to blame.
	Line int
	// Alone says that no known word could have got this line, whatever the others say.
	Alone bool
	// Nearest are tiles for the line with which words fit: those with the fewest
	// marks changed, and of these the likeliest first, at most [maxNearest].
	Nearest []Correction
	// Unlisted says that the tiles may all be right, and the word just not known
	// here. Otherwise no five letters at all fit them.
	Unlisted bool
}

// Correction is another feedback for a line.
type Correction struct {
	Feedback wordle.Feedback
	Changed  int                 // how many marks differ
	Possible []weighted.Possible // the words that then fit, most likely first; their chances are among all that could stand in the line
}

// maxNearest is how many corrections are worth a look.
const maxNearest = 3

// contradiction looks for what is wrong with turns that no word fits. Possible
// returns the words that fit some turns, most likely first; it is called at most
// twice for each line.
func contradiction(turns []wordle.Turn, possible func([]wordle.Turn) []weighted.Possible) Contradiction {
	c := Contradiction{Unlisted: wordle.Consistent(turns)}
	for i, t := range turns {
		if len(possible([]wordle.Turn{t})) == 0 {
			c.Line, c.Alone = i+1, true
			c.Nearest = corrections(turns, i, possible)
			return c
		}
	}
	for i := len(turns) - 1; i >= 0; i-- {
		if nearest := corrections(turns, i, possible); len(nearest) > 0 {
			c.Line, c.Nearest = i+1, nearest
			return c
		}
	}
	return c
}

// corrections returns the nearest feedbacks for a line, from 0, with which words
// fit. There are some exactly where words fit the other lines.
func corrections(turns []wordle.Turn, line int, possible func([]wordle.Turn) []weighted.Possible) []Correction {
	wrong := turns[line]
	var words [wordle.Feedbacks][]weighted.Possible
	for _, p := range possible(slices.Delete(slices.Clone(turns), line, line+1)) {
		f := wordle.Score(wrong.Guess, p.Word)
		words[f] = append(words[f], p)
	}
	if line < len(turns)-1 {
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
	// Those with more marks changed are no company for those with fewer.
	n := slices.IndexFunc(all, func(c Correction) bool { return c.Changed > all[0].Changed })
	if n < 0 {
		n = len(all)
	}
	return all[:min(n, maxNearest)]
}
