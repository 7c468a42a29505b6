package boards

import (
	"math"

	"fivefold/game/pokle"
)

// top is the best skill, and the limit of luck.
const top = 99

// skillByGuesses returns how much of what a guess can save it does save, from 0 to 99. Of
// n boards value is the least total of guesses, total that with the guess first.
//
// The best guess saves n, and gets 99. A guess that tells nothing saves nothing: it
// costs n, and then all is as before.
func skillByGuesses(n, value, total int) float64 {
	return min(max(top*float64(n+value-total)/float64(n), 0), top)
}

// skillByBits returns how much a guess tells of what the best one does, from 0 to 99.
func skillByBits(bits, best float64) float64 {
	if bits >= best {
		return top
	}
	return top * bits / best
}

// luckOf returns what share of all boards is in classes that are worse than the one
// that came, from 0 to 99; those that are equal, itself among them, count half. All
// green is the best; of two others that which leaves fewer boards.
//
// So the mean over all boards is 49.5 whatever the guess.
func luckOf(all classes, came pokle.Feedback) float64 {
	n, worse := 0, 0.0
	for f, x := range all {
		n += x
		found := pokle.Feedback(f) == pokle.AllGreen
		switch {
		case pokle.Feedback(f) == came, !found && came != pokle.AllGreen && x == all[came]:
			worse += float64(x) / 2
		case came == pokle.AllGreen, !found && x > all[came]:
			worse += float64(x)
		}
	}
	return top * worse / float64(n)
}

// cutOf returns how many bits it tells that of before boards after stay.
func cutOf(before, after int) float64 {
	return math.Log2(float64(before) / float64(after))
}
