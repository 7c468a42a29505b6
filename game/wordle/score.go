package wordle

// Score returns the feedback that guess gets when hidden is the hidden word:
//
//  1. every letter at its own place is green and uses up that letter;
//  2. then, from left to right, every other letter is yellow where the hidden
//     word still has an unused copy of it, and uses that copy up;
//  3. everything else is black.
//
// It allocates nothing and costs a few nanoseconds; both words must be valid.
//
// The code counts instead of using letters up. A letter that is not green is yellow when the hidden word has more copies of it
// outside the green places than the guess has there to the left of that letter. All five letters are counted at once, each in its
// lane of a [Word].
func Score(guess, hidden Word) Feedback {
	g, h := guess&letterBits, hidden&letterBits
	green := (laneOnes<<laneTop - differ(g, h)) >> laneTop
	blank := green * blankLetter
	h |= blank
	// others has (4 − n) << laneTop in each lane: n counts the guess's letter in the other places of the hidden word that are not
	// green. (A copy in its own place would be green.) Turning the word brings each of the others into the letter's lane.
	others := differ(g, turn(h, 1)) + differ(g, turn(h, 2)) + differ(g, turn(h, 3)) + differ(g, turn(h, 4))
	// before has the same for the copies to the left in the guess. Most guesses have none.
	before := laneOnes * (Length - 1) << laneTop
	if guess&repeatsBit != 0 {
		left := g | blank
		before = differ(g, left>>(1*laneBits)) + differ(g, left>>(2*laneBits)) +
			differ(g, left>>(3*laneBits)) + differ(g, left>>(4*laneBits))
	}
	// before − others is the difference of the two counts in each lane, times 1<<laneTop. Where the difference is 1 or more,
	// adding 7 sets the bit of 8.
	yellow := (before + laneOnes*7<<laneTop - others) >> (laneTop + 3) & laneOnes &^ green
	return Feedback((yellow + 2*green) * weights >> (laneBits * (Length - 1)))
}

const (
	laneOnes    Word = 1 | 1<<laneBits | 1<<(2*laneBits) | 1<<(3*laneBits) | 1<<(4*laneBits)
	laneTop          = 5  // the bit above a letter in its lane
	blankLetter      = 31 // laid over a green lane: the result equals no letter

	// Multiplying by weights sums five lanes into the top one: the first letter's lane times 1, the last one's times 81. No lower
	// lane outgrows its bits meanwhile.
	weights Word = 1 | 3<<laneBits | 9<<(2*laneBits) | 27<<(3*laneBits) | 81<<(4*laneBits)
)

// differ returns the bit laneTop of every lane in which the letters of a and b differ. The bit is set before 1 is subtracted from
// the lane. It survives unless the letters are equal, and no lane borrows from the next.
func differ(a, b Word) Word {
	return ((a ^ b | laneOnes<<laneTop) - laneOnes) & (laneOnes << laneTop)
}

// turn moves every letter n places to the right, round the end.
func turn(w Word, n int) Word {
	return (w>>(n*laneBits) | w<<((Length-n)*laneBits)) & letterBits
}
