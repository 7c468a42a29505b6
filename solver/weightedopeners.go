package solver

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"

	"fivefold/game/wordle"
)

// To look at each guess for every word takes some tenths of a second. So the best
// openers for the built-in lists stand in a file: first a sum of the lists, then a
// line for each strategy. TestOpenersFile makes it anew with -update.
//
//go:embed trees/openers.txt
var weightedOpenersFile string

// maxOpeners is how many openers of a strategy are known.
const maxOpeners = 25

// weightedOpeners are the best first guesses that are known so far, by strategy.
type weightedOpeners struct {
	mu    sync.Mutex // protects known
	known map[string][]Advice
}

// opener returns the k best first guesses, of maxOpeners at most. Which they are
// depends neither on the mode nor on a limit. The question has no turns.
func (w *Weighted) opener(q *weightedQuestion, strategy string, k int) []Advice {
	w.openers.mu.Lock()
	defer w.openers.mu.Unlock()
	best, ok := w.openers.known[strategy]
	if !ok {
		best = w.findOpeners(q, strategy)
		if w.openers.known == nil {
			w.openers.known = map[string][]Advice{}
		}
		w.openers.known[strategy] = best
	}
	return slices.Clone(best[:min(k, len(best))])
}

func (w *Weighted) findOpeners(q *weightedQuestion, strategy string) []Advice {
	m := weighingOf(strategy)
	if openers, ok := readWeightedOpeners(weightedOpenersFile, w.sum())[m.name]; ok {
		x := newWeigher(q)
		return x.advise(q.numbers(openers))
	}
	return q.rank(m, maxOpeners)
}

// sum tells lists and weights from others.
func (w *Weighted) sum() string {
	sum := w.lists.Checksum()
	b := sum[:]
	for _, weight := range w.weights() {
		b = binary.LittleEndian.AppendUint32(b, uint32(weight))
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b))
}

// readWeightedOpeners returns the openers of a file by strategy, none if it is for others
// than these lists.
func readWeightedOpeners(text, sum string) map[string][]wordle.Word {
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
