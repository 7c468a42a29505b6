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

// Skill returns how much a guess saves, as a share of the most that a guess can save, from 0 to 99. The words weigh n
// in all. A total sums guesses times weight over the words: total is that of the guess, best that of the best guess.
//
// The best guess saves n and gets 99. A guess that changes nothing costs n and saves nothing; it gets 0.
func Skill(n, best, total float64) float64 {
	return min(max(Max*(n+best-total)/n, 0), Max)
}

// Luck returns the share of answers whose feedback is worse than the one that came, from 0 to 99. Answers with
// equally good feedback count half. All green is the best feedback. Other feedback is better the less it leaves.
// answers has, by feedback, the number or weight of its answers. left is the number or weight that stayed possible.
//
// So every guess has a mean luck of [Mean] over all answers.
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

// Bits returns the information, in bits, of feedback that leaves after words of before.
func Bits(before, after int) float64 {
	return math.Log2(float64(before) / float64(after))
}
