package multi

import (
	"math"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// Two boards with a and b words need about 4 − 2·w(a)·w(b) guesses. The worth w was fitted to games of this solver's own. A
// guess splits the boards independently, so the product of the boards' mean worths is the mean over all pairs of classes.
func worth(n int) float64 { return max(0.02, 1-0.18*math.Pow(math.Log2(float64(n)), 0.72)) }

const (
	worthUnit   = 1 << 15           // whole numbers, so that every machine suggests the same
	foundWorth  = worthUnit * 3 / 2 // of a board that is found
	pairTries   = 24                // guesses that are looked two guesses ahead of
	pairReplies = 500               // guesses that may follow, apart from the words that are possible
	pairWork    = 40_000_000        // replies to pairs of classes in all
	pairLimit   = 5                 // guesses left, so that there is little danger to lose
)

func guessesOf(worths uint32) float64 { return 4 - 2*float64(worths)/(worthUnit*worthUnit) }

// pairOpener is the opener with the least estimate for two boards of the built-in lists, of those that look best one guess
// ahead: 4.735 guesses, the mean over all pairs of its classes.
var pairOpener = wordle.MustParse("carle")

// pairFirst puts it first.
func (q *problem) pairFirst(openers []candidate) {
	i := slices.IndexFunc(openers, func(c candidate) bool { return q.Guesses[c.guess] == pairOpener })
	builtIn, err := wordle.Embedded()
	if i > 0 && err == nil && builtIn.Checksum() == q.lists.Checksum() {
		best := openers[i]
		best.expected = openers[0].expected
		copy(openers[1:], openers[:i])
		openers[0] = best
	}
}

// pairClass is the words of a board that get the same feedback.
type pairClass struct {
	words int
	worth uint32
	after []uint32 // by reply, the mean worth after it; nil if the board is found
}

// pair looks two guesses ahead for two boards: each pair of classes has its best reply.
func (q *problem) pair(ranked []candidate) []candidate {
	tries := slices.Clone(ranked[:min(pairTries, len(ranked))])
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return c.guess == q.made }); i >= len(tries) {
		tries = slices.Insert(tries, 0, ranked[i])
	}
	replies := q.Numbers(q.words)
	for _, c := range slices.Concat(tries, ranked[:min(pairReplies, len(ranked))]) {
		replies = append(replies, c.guess)
	}
	slices.Sort(replies)
	replies = slices.Compact(replies)
	var table partition.Table
	table.Build(q.Lexicon, replies, q.words, q.stop)
	times := make([]uint32, len(q.words)+1) // x·w(x)
	for x := 1; x < len(times); x++ {
		times[x] = uint32(math.Round(worthUnit * float64(x) * worth(x)))
	}
	n, work := len(q.left[0]), pairWork
	for i := range tries {
		guess, _ := slices.BinarySearch(replies, tries[i].guess)
		first := pairClasses(&table, guess, len(replies), 0, n, times)
		second := pairClasses(&table, guess, len(replies), n, len(q.words), times)
		if work -= len(first) * len(second) * len(replies); i > 1 && work < 0 || q.stop.Load() {
			tries = tries[:i]
			break
		}
		total := 0.0
		for _, x := range first {
			for _, y := range second {
				total += float64(float64(x.words*y.words) * x.guessesWith(y))
			}
		}
		tries[i].expected = 1 + total/float64(n*(len(q.words)-n))
	}
	slices.SortFunc(tries, byExpected)
	return tries
}

// pairClasses returns the classes of the columns of a board under a guess, which is a row of the table like all replies.
func pairClasses(table *partition.Table, guess, replies, from, to int, times []uint32) (all []pairClass) {
	var by [wordle.Feedbacks][]int
	for i, f := range table.Row(int32(guess))[from:to] {
		by[f] = append(by[f], from+i)
	}
	var counts [wordle.Feedbacks]uint16
	for f, columns := range by {
		n := uint32(len(columns))
		switch {
		case n == 0:
			continue
		case f == int(wordle.AllGreen):
			all = append(all, pairClass{words: 1, worth: foundWorth})
			continue
		}
		after := make([]uint32, replies)
		for r := range after {
			row, sum := table.Row(int32(r)), uint32(0)
			for _, c := range columns {
				counts[row[c]]++
			}
			for _, c := range columns {
				if row[c] == byte(wordle.AllGreen) {
					sum += foundWorth
				} else {
					sum += times[counts[row[c]]]
				}
				counts[row[c]] = 0
			}
			after[r] = sum / n
		}
		all = append(all, pairClass{int(n), times[n] / n, after})
	}
	return all
}

// guessesWith returns how many guesses two classes need.
func (x pairClass) guessesWith(y pairClass) float64 {
	if x.after == nil || y.after == nil {
		return max(0, guessesOf(x.worth*y.worth))
	}
	best, other := uint32(0), y.after[:len(x.after)]
	for r, v := range x.after {
		if worths := v * other[r]; worths > best {
			best = worths
		}
	}
	return 1 + guessesOf(best)
}
