package solver

import "math"

// top is the best skill, and the limit of luck.
const top = 99

// middle is neither luck nor bad luck.
const middle = top / 2.0

// skillOf returns how much of what a guess can save it does save, from 0 to 99. The
// words weigh n together; value is the least total from here, total that of the
// guess, both in guesses times weight.
//
// The best guess saves n, and gets 99. A guess that tells nothing saves nothing: it
// costs n, and then all is as before.
func skillOf(n, value, total float64) float64 {
	return min(max(top*(n+value-total)/n, 0), top)
}

// outcome is what one feedback leaves.
type outcome struct {
	weight float64 // of the words that get it
	found  bool    // the feedback is all green
	left   int     // how many words it leaves
}

// luckOf returns what share of the weight of all outcomes is in those that are worse
// than the one that came, from 0 to 99; those that are equal, itself among them,
// count half. An outcome is better the fewer words it leaves; all green is the best.
//
// So the mean over all words, each by its weight, is 49.5 whatever the guess.
func luckOf(all []outcome, came outcome) float64 {
	sum, worse := 0.0, 0.0
	for _, o := range all {
		sum += o.weight
		switch {
		case o.found == came.found && (o.found || o.left == came.left):
			worse += o.weight / 2
		case came.found || !o.found && o.left > came.left:
			worse += o.weight
		}
	}
	return top * worse / sum
}

// cutOf returns how many bits it tells that of before words after stay.
func cutOf(before, after int) float64 {
	return math.Log2(float64(before) / float64(after))
}
