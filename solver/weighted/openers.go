package weighted

import (
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

// To look at each guess for every word takes some tenths of a second, and to search
// for the best one minutes. So the best openers for the built-in lists stand in a
// file: first a sum of the lists, then a line for each strategy, two for the optimal
// one. TestOpenersFile makes it anew with -update.
//
//go:embed openers.txt
var openersFile string

// maxOpeners is how many openers of a strategy are known.
const maxOpeners = 25

// weightedOpeners are the best first guesses that are known so far, by strategy.
type openers struct {
	mu    sync.Mutex // protects known
	known map[string][]Advice
}

// opener returns the k best first guesses, of maxOpeners at most. Which they are
// does not depend on a limit. The question has no turns.
func (w *Solver) opener(q *problem, strategy string, k int) []Advice {
	w.openers.mu.Lock()
	defer w.openers.mu.Unlock()
	name := openersOf(strategy, q.hard)
	best, ok := w.openers.known[name]
	if !ok {
		if words, ok := readOpeners(openersFile, w.sum())[name]; ok {
			best = newSplitter(q).advise(q.Numbers(words))
		} else {
			best = q.rank(measureOf(strategy), maxOpeners)
		}
		if w.openers.known == nil {
			w.openers.known = map[string][]Advice{}
		}
		w.openers.known[name] = best
	}
	return slices.Clone(best[:min(k, len(best))])
}

// openersOf returns the name of a line of the file. A look one guess ahead sees no
// difference between the modes; a search does.
func openersOf(strategy string, hard bool) string {
	if strategy == solver.Optimal && hard {
		return "optimal-hard"
	}
	return strategy
}

// sum tells lists and weights from others.
func (w *Solver) sum() string {
	sum := w.lists.Checksum()
	b := sum[:]
	for _, weight := range w.weights() {
		b = binary.LittleEndian.AppendUint32(b, uint32(weight))
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b))
}

// readWeightedOpeners returns the openers of a file by strategy, none if it is for others
// than these lists.
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
