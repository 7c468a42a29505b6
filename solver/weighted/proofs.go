package weighted

import (
	_ "embed"
	"strconv"
	"strings"

	"fivefold/game/wordle"
)

// Proving a second guess takes seconds. So a file has proofs for common openers and more than
// [shippedWords] possible words: a checksum of the lists, then lines of mode, opener,
// feedback, best guess and its cost. TestProofsFile adds to it with -prove.
//
//go:embed proofs.txt
var proofsFile string

// shippedWords is the most words for which a proof takes no time.
const shippedWords = 30

// proof is a best guess with its cost, or zero.
type proof struct {
	guess wordle.Word
	cost  int64
}

// readProofs returns the proofs of a file, and none if the file is for other lists.
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

// secondKey is the key of a proof: keyOf for the position after the first turn of a game.
func secondKey(turn wordle.Turn, hard bool) firstKey {
	return firstKey{turns: 2, turn: turn, hard: hard, left: wordle.Attempts - 1}
}
