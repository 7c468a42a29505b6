// Package grade turns what is known of a guess into its skill and its luck.
package grade

import (
	"math"

	"fivefold/game/marks"
)

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

// Luck returns the share of all answers that are in outcomes worse than the feedback that came,
// from 0 to 99; those in equal outcomes, that one among them, count half. All green is the best
// outcome; of two others, the one that leaves less. The answers with each feedback are given by
// their number or weight, and left is what stayed possible.
//
// So the mean over all answers is [Mean] for every guess.
func Luck(answers []int, came marks.Feedback, left int) float64 {
	sum, worse := 0, 0.0
	won := came == marks.AllGreen
	for f, n := range answers {
		sum += n
		wins := marks.Feedback(f) == marks.AllGreen
		switch {
		case wins == won && (won || n == left):
			worse += float64(n) / 2
		case won || !wins && n > left:
			worse += float64(n)
		}
	}
	return Max * worse / float64(sum)
}

// Bits returns the information, in bits, in going from before words to after.
func Bits(before, after int) float64 {
	return math.Log2(float64(before) / float64(after))
}
