package weighted

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"

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
	mu    sync.Mutex // protects known
	known map[string][]Suggestion
}

// recall returns the k best first guesses if they are known.
func (o *openers) recall(strategy string, hard bool, k int) ([]Suggestion, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	best, ok := o.known[openersOf(strategy, hard)]
	return slices.Clone(best[:min(k, len(best))]), ok
}

// opener returns the k best first guesses, maxOpeners at most. They do not depend on
// the limit. The problem must have no turns.
func (w *Solver) opener(q *problem, strategy string, k int) []Suggestion {
	w.openers.mu.Lock()
	defer w.openers.mu.Unlock()
	name := openersOf(strategy, q.hard)
	best, ok := w.openers.known[name]
	if !ok {
		if words, ok := readOpeners(openersFile, w.sum())[name]; ok {
			best = newSplitter(q).suggestions(measureOf(strategy), q.Numbers(words))
		} else {
			// To the end, whoever waits for it: it is done once.
			best = q.rank(context.Background(), measureOf(strategy), 1, maxOpeners)
		}
		if w.openers.known == nil {
			w.openers.known = map[string][]Suggestion{}
		}
		w.openers.known[name] = best
	}
	return slices.Clone(best[:min(k, len(best))])
}

// openersOf returns the name of a line in the file. Looking one guess ahead, hard mode
// makes no difference; in a search it does.
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
