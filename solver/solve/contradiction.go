package solve

import (
	"cmp"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

// Contradiction says what may be wrong with a word puzzle that no known word fits.
type Contradiction struct {
	// Turn is the number, from 1, of the turn that is most likely wrong: the first that no word fits alone, or else
	// the latest that other feedback would correct. It is 0 if correcting one turn is not enough.
	Turn int
	// Alone reports that no known word fits the turn alone.
	Alone bool
	// Nearest are up to [maxNearest] other feedbacks for the turn, with which words fit. They change the fewest
	// marks. The likeliest comes first.
	Nearest []Correction
	// Unlisted reports that some five letters fit all turns. The hidden word may then just be unknown here.
	Unlisted bool
}

// Correction is another feedback for a turn.
type Correction struct {
	Feedback wordle.Feedback
	// Possible are the words that fit with Feedback, most likely first. Their chances are among all words that fit
	// the other turns.
	Possible []weighted.Possible
}

// maxNearest is how many corrections are worth showing.
const maxNearest = 3

// contradiction finds what is wrong with turns that no word fits. The function possible returns the words that fit
// some turns, most likely first.
func contradiction(turns []wordle.Turn, possible func([]wordle.Turn) []weighted.Possible) *Contradiction {
	c := &Contradiction{Unlisted: wordle.Consistent(turns)}
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

// corrections returns the nearest feedbacks for turns[turn] with which words fit. Only the last turn
// can become all green.
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
	least := wordle.Length + 1
	for i, fit := range words {
		f, changed := wordle.Feedback(i), 0
		for place := range wordle.Length {
			if f.Mark(place) != wrong.Feedback.Mark(place) {
				changed++
			}
		}
		if len(fit) == 0 || changed > least {
			continue
		}
		if changed < least {
			least, all = changed, nil
		}
		all = append(all, Correction{f, fit})
	}
	slices.SortStableFunc(all, func(a, b Correction) int { return cmp.Compare(b.chance(), a.chance()) })
	return all[:min(len(all), maxNearest)]
}

func (c Correction) chance() (sum float64) {
	for _, p := range c.Possible {
		sum += p.Chance
	}
	return sum
}
