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

// Ranking all guesses for every word takes some tenths of a second, and searching for
// the best one minutes. So a file has the best openers for the built-in lists: a
// checksum of the lists, then a line for each strategy, and two for the optimal one.
// TestOpenersFile writes it with -update.
//
//go:embed openers.txt
var openersFile string

// maxOpeners is how many openers of a strategy are kept.
const maxOpeners = 25

// openerScores is about how many scores rank the first guesses: all of them on the built-in
// lists, in some tenths of a second. On longer lists fewer guesses are looked at.
const openerScores = 1 << 28

// opener returns the k best first guesses, maxOpeners at most. They do not depend on
// the limit. The problem must have no turns.
func (w *Solver) opener(ctx context.Context, q *problem, strategy string, k int) []Suggestion {
	m, x := measureOf(strategy), newSplitter(q)
	best := q.Numbers(w.openers()[openersOf(strategy, q.hard)])
	if len(best) == 0 {
		best = x.best(ctx, m, q.openerStep(), maxOpeners)
	}
	return x.suggestions(m, best[:min(k, len(best))])
}

// openerStep returns the step of [problem.rank] with which ranking first guesses takes not much
// more than openerScores.
func (q *problem) openerStep() int { return 1 + len(q.words)*q.choices/openerScores }

// openersOf returns the name of a line in the file. For strategies that look one guess
// ahead, hard mode makes no difference; in a search it does.
func openersOf(strategy string, hard bool) string {
	if strategy == optimal.Optimal && hard {
		return "optimal-hard"
	}
	return strategy
}

// sum returns a checksum of the lists and weights.
func (w *Solver) sum() string {
	sum := w.lists.Checksum()
	b := sum[:]
	for _, weight := range w.weights() {
		b = binary.LittleEndian.AppendUint32(b, uint32(weight))
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b))
}

// readOpeners returns the openers of a file by strategy, or none if the file is for
// other lists.
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
