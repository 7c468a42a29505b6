package weighted

import (
	_ "embed"
	"strconv"
	"strings"

	"fivefold/game/wordle"
)

// To prove a second guess best takes seconds. So a file has what was proven for common
// openers and more than [shippedWords] possible words: a checksum of the lists, then lines of
// mode, opener, its feedback, the best guess and what that costs. TestProofsFile adds to it
// with -prove.
//
//go:embed proofs.txt
var proofsFile string

// shippedWords is up to how many words a proof takes no time.
const shippedWords = 30

// proof is a best guess with its cost; the zero value stands for a missing one.
type proof struct {
	guess wordle.Word
	cost  int64
}

// readProofs returns the proofs of a file, or none if the file is for other lists.
func readProofs(text, sum string) map[firstKey]proof {
	all := map[firstKey]proof{}
	head, lines, _ := strings.Cut(text, "\n")
	if head != sum {
		return all
	}
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		feedback, _ := wordle.ParseFeedback(fields[2]) // a test reads the file
		cost, _ := strconv.ParseInt(fields[4], 10, 64)
		turn := wordle.Turn{Guess: wordle.MustParse(fields[1]), Feedback: feedback}
		all[secondKey(turn, fields[0] == "hard")] = proof{wordle.MustParse(fields[3]), cost}
	}
	return all
}

// secondKey is the key that keyOf returns for the position after the turn, the first of a
// whole game, for no strategy.
func secondKey(turn wordle.Turn, hard bool) firstKey {
	return firstKey{turns: 2, turn: turn, hard: hard, left: wordle.Attempts - 1}
}
