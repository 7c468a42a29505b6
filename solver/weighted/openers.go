package weighted

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// Ranking all guesses for every word takes some tenths of a second, and a search minutes. So
// a file has the best openers for the built-in lists: a checksum of the lists, then a line
// for each strategy, and two for the optimal one. TestOpenersFile writes it with -update.
//
//go:embed openers.txt
var openersFile string

// maxOpeners is the number of openers of a strategy.
const maxOpeners = 25

// openerScores is about the number of scores for ranking first guesses, in some tenths of a
// second: all guesses of the built-in lists, and fewer of longer ones.
const openerScores = 1 << 28

// opener returns up to k and maxOpeners of the best first guesses, whatever the limit. The problem
// must have no turns.
func (w *Solver) opener(ctx context.Context, q *problem, strategy string, k int) []Suggestion {
	m, x := measureOf(strategy), newSplitter(q)
	best := q.Numbers(w.openers()[openersKey(strategy, q.hard)])
	if len(best) == 0 {
		best = x.best(ctx, m, q.openerStep(), maxOpeners)
	}
	return x.suggestions(m, best[:min(k, len(best))])
}

// openerStep returns the step of [problem.rank] that takes about openerScores.
func (q *problem) openerStep() int { return 1 + len(q.words)*q.choices/openerScores }

// openersKey returns the name of a line in the file. Hard mode makes a difference to searches only.
func openersKey(strategy string, hard bool) string {
	if strategy == optimal.Optimal && hard {
		return "optimal-hard"
	}
	return strategy
}

// checksum returns a checksum of the lists and weights.
func (w *Solver) checksum() string {
	sum := w.lists.Checksum()
	b := sum[:]
	for _, weight := range w.weights() {
		b = binary.LittleEndian.AppendUint32(b, uint32(weight))
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b))
}

// readOpeners returns the openers of a file by strategy, or nil if the file is for other lists.
func readOpeners(text, sum string) map[string][]wordle.Word {
	all := map[string][]wordle.Word{}
	head, lines, _ := strings.Cut(text, "\n")
	if head != sum {
		return nil
	}
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		for _, text := range fields[1:] {
			all[fields[0]] = append(all[fields[0]], wordle.MustParse(text))
		}
	}
	return all
}
