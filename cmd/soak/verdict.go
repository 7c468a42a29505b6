package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// maxPrinted is how many findings of one kind are printed of a part.
const maxPrinted = 5

// verdict is what was found and measured. It is safe for concurrent use.
type verdict struct {
	untimed bool         // how long things took is only printed
	halted  atomic.Int64 // how long, in all, this process did not run: it makes the requests and waits for answers

	mu    sync.Mutex     // protects the fields below
	found map[string]int // findings of each kind: things that must not be

	// Of the present part:
	name     string
	lines    []string
	before   map[string]int // what was found before it
	oldest   time.Duration  // the greatest age at which a request was carried out
	happened map[string]*happened
	last     time.Time     // when a guess was saved last
	lull     time.Duration // the longest time without, since the disaster began
}

// happened is how often a disaster happened, and what players noticed of it.
type happened struct {
	count      int
	lull       time.Duration // the longest without a saved guess
	unanswered int
}

func (v *verdict) begin(part string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.name, v.lines, v.oldest, v.happened, v.before = part, nil, 0, map[string]*happened{}, maps.Clone(v.found)
	if v.found == nil {
		v.found = map[string]int{}
	}
}

// figure notes something that was measured.
func (v *verdict) figure(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lines = append(v.lines, "     "+fmt.Sprintf(format, args...))
}

// calm notes that a disaster begins.
func (v *verdict) calm() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last, v.lull = time.Now(), 0
}

// saved notes that a guess was saved.
func (v *verdict) saved() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lull = max(v.lull, time.Since(v.last))
	v.last = time.Now()
}

// suffered notes that a disaster has happened, and how many interactions were not answered.
func (v *verdict) suffered(name string, unanswered int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.happened[name]
	if h == nil {
		h = &happened{}
		v.happened[name] = h
	}
	h.count, h.lull, h.unanswered = h.count+1, max(h.lull, v.lull, time.Since(v.last)), h.unanswered+unanswered
}

// age notes how old a request was when it was carried out.
func (v *verdict) age(d time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.oldest = max(v.oldest, d)
}

// finding notes something that must not be. Findings of a kind are counted, and the first ones
// printed.
func (v *verdict) finding(kind, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.found[kind]++
	if v.found[kind]-v.before[kind] <= maxPrinted {
		v.lines = append(v.lines, fmt.Sprintf("  !! %s: ", kind)+fmt.Sprintf(format, args...))
	}
}

// watch counts, until ctx ends, how long this process does not run though it wants to.
func (v *verdict) watch(ctx context.Context) {
	const tick, much = 20 * time.Millisecond, 100 * time.Millisecond // less is usual during a flood
	for ctx.Err() == nil {
		began := time.Now()
		time.Sleep(tick)
		if late := time.Since(began) - tick; late > much {
			v.halted.Add(int64(late))
		}
	}
}

// slow notes something that must not be, but may happen while the machine does other things too. It does not count if
// this process did not run for more than slack since halted was what is given.
func (v *verdict) slow(halted int64, kind, format string, args ...any) {
	if v.untimed || v.halted.Load()-halted > int64(slack) {
		v.figure("not judged: "+kind+", "+format, args...)
		return
	}
	v.finding(kind, format, args...)
}

// print prints the present part.
func (v *verdict) print(out io.Writer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	word := "ok  "
	if !maps.Equal(v.found, v.before) {
		word = "FAIL"
	}
	fmt.Fprintf(out, "%s %s\n", word, v.name)
	for _, name := range slices.Sorted(maps.Keys(v.happened)) {
		h := v.happened[name]
		fmt.Fprintf(out, "     %-9s %d times: no guess saved for at most %v, %d interactions without an answer\n", name, h.count, h.lull.Round(time.Millisecond), h.unanswered)
	}
	for _, line := range v.lines {
		fmt.Fprintln(out, line)
	}
	if v.oldest > 0 {
		fmt.Fprintf(out, "     carried out at most %v after it was asked for\n", v.oldest)
	}
}

// conclude prints the last line, and returns whether all was well.
func (v *verdict) conclude(out io.Writer, seed uint64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	fmt.Fprintf(out, "lost %d, doubled %d, totals that differ from the log %d, late %d", v.found[lost], v.found[doubled], v.found[differs], v.found[late])
	if len(v.found) == 0 {
		fmt.Fprintf(out, "; all is well\n")
		return true
	}
	fmt.Fprintf(out, "; findings %v, seed %d\n", v.found, seed)
	return false
}
