// Package grade turns what is known of a guess into its skill and its luck.
package grade

import "math"

const (
	// Max is the best skill and the most luck.
	Max = 99
	// Mean is the luck of a guess on average over the hidden words.
	Mean = Max / 2.0
)

// Skill returns how much a guess saves of the most that one can save, from 0 to 99.
// The words weigh n in all; best is the least total from here and total that of the
// guess, both in guesses times weight.
//
// The best guess saves n and gets 99. A guess that changes nothing costs n and
// saves nothing; it gets 0.
func Skill(n, best, total float64) float64 {
	return min(max(Max*(n+best-total)/n, 0), Max)
}

// Outcome is one feedback that a guess can get.
type Outcome struct {
	Weight float64 // of the words with this feedback
	Found  bool    // the feedback is all green
	Left   int     // words, or their weight, that stay possible
}

// Luck returns the share of all weight in outcomes worse than actual, from 0 to 99.
// Equal outcomes, actual among them, count half. All green is the best outcome; of
// two others, the one that leaves less.
//
// So the mean over all words, by weight, is [Mean] for every guess.
func Luck(outcomes []Outcome, actual Outcome) float64 {
	sum, worse := 0.0, 0.0
	for _, o := range outcomes {
		sum += o.Weight
		switch {
		case o.Found == actual.Found && (o.Found || o.Left == actual.Left):
			worse += o.Weight / 2
		case actual.Found || !o.Found && o.Left > actual.Left:
			worse += o.Weight
		}
	}
	return Max * worse / sum
}

// Bits returns the information, in bits, in going from before words to after.
func Bits(before, after int) float64 {
	return math.Log2(float64(before) / float64(after))
}
