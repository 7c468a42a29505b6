package weighted

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver"
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

// openers has the best first guesses that are known so far, by strategy.
type openers struct {
	turn  chan struct{}      // holds a token while a caller ranks and uses the fields below
	known map[string][]int32 // the numbers of the guesses
	begun map[string]*ranker // the rankings that were not done when their context ended
}

func newOpeners() openers {
	return openers{known: map[string][]int32{}, turn: make(chan struct{}, 1), begun: map[string]*ranker{}}
}

// opener returns the k best first guesses, maxOpeners at most. They do not depend on
// the limit. The problem must have no turns. The error is ctx's. With long lists it may take
// longer than anyone waits, so the next call continues where ctx ended this one.
func (w *Solver) opener(ctx context.Context, q *problem, strategy string, k int) ([]Suggestion, error) {
	o := &w.openers
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m, name := measureOf(strategy), openersOf(strategy, q.hard)
	best, ok := o.known[name]
	if words := readOpeners(openersFile, w.sum())[name]; !ok && words != nil {
		best = q.Numbers(words)
	} else if !ok {
		r := o.begun[name]
		if r == nil {
			r = newSplitter(q).ranker(m, 1)
			o.begun[name] = r
		}
		if !r.run(ctx) {
			return nil, ctx.Err()
		}
		delete(o.begun, name)
		best = r.best(maxOpeners)
	}
	o.known[name] = best
	return newSplitter(q).suggestions(m, best[:min(k, len(best))]), nil
}

// openersOf returns the name of a line in the file. For strategies that look one guess
// ahead, hard mode makes no difference; in a search it does.
func openersOf(strategy string, hard bool) string {
	if strategy == solver.Optimal && hard {
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
