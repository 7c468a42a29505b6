package weighted

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/trees"
)

// A search for the best first guess takes minutes. So openers.txt has the best ones for the built-in lists. It begins
// with a checksum of the lists and weights. Then each mode has a line, best first. TestOpenersFile writes the file
// with -update.
//
//go:embed openers.txt
var openersFile string

// Proving a second guess takes seconds. So secondguesses.txt has the best ones after common openers, where more than
// [shippedWords] words are possible. TestSecondGuesses adds to the file with -prove.
//
//go:embed secondguesses.txt
var secondGuesses string

// shippedWords is the most words for which a proof takes no time.
const shippedWords = 30

// knowledge is what is known of the words before a game. It never changes.
type knowledge struct {
	*lexicon.Lexicon
	likely, others []weightedWord           // see byWeight
	openers        map[string][]wordle.Word // the best first guesses, by the mode's name
	second         trees.SecondGuesses
}

// knowledgeOf returns what is known of words with these weights; weights[i] is that of guess i.
func knowledgeOf(lists *wordle.Lists, x *lexicon.Lexicon, weights []int32) *knowledge {
	k := &knowledge{Lexicon: x, openers: map[string][]wordle.Word{}}
	k.likely, k.others = byWeight(x, weights)
	sum := checksum(lists, weights)
	k.second = trees.ReadSecondGuesses(secondGuesses, sum)
	if head, lines, _ := strings.Cut(openersFile, "\n"); head == sum {
		for line := range strings.Lines(lines) {
			fields := strings.Fields(line)
			for _, text := range fields[1:] {
				k.openers[fields[0]] = append(k.openers[fields[0]], wordle.MustParse(text))
			}
		}
	}
	return k
}

// checksum returns a checksum of the lists and weights.
func checksum(lists *wordle.Lists, weights []int32) string {
	sum := lists.Checksum()
	b := sum[:]
	for _, weight := range weights {
		b = binary.LittleEndian.AppendUint32(b, uint32(weight))
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b))
}

// opener returns up to k of the best first guesses, whatever the limit. The problem must have no turns.
func (q *problem) opener(ctx context.Context, strategy string, k int) []Suggestion {
	if best := q.Numbers(q.openers[q.hard.String()]); strategy == optimal.Optimal && len(best) > 0 {
		return newSplitter(q).suggestions(likeliest, best[:min(k, len(best))])
	}
	return q.rank(ctx, measureOf(strategy), k)
}
