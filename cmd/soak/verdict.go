package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxPrinted is how many findings of one kind are printed of a part.
const maxPrinted = 5

// verdict is what was found and measured. It is safe for concurrent use.
type verdict struct {
	untimed bool // how long things took is only printed

	mu    sync.Mutex     // protects the fields below
	found map[string]int // findings of each kind: things that must not be
	halts []halt         // of this process, which makes requests and waits for answers

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

// halt is a time in which this process did not run, though it wanted to.
type halt struct {
	from  time.Time
	lasts time.Duration
}

// watch notes when this process does not run, until ctx ends.
func (v *verdict) watch(ctx context.Context) {
	const tick = 20 * time.Millisecond
	for ctx.Err() == nil {
		from := time.Now()
		time.Sleep(tick)
		if lasts := time.Since(from) - tick; lasts > tick {
			v.mu.Lock()
			v.halts = append(v.halts, halt{from, lasts})
			v.mu.Unlock()
		}
	}
}

// halted returns how long this process did not run between two times, in all.
func (v *verdict) halted(from, to time.Time) (all time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, h := range v.halts {
		if h.from.Before(to) && h.from.Add(h.lasts).After(from) {
			all += h.lasts
		}
	}
	return all
}

// slow notes something that must not be, but may happen while the machine does other things too. It does not count if
// between the two times this process did not run for more than slack.
func (v *verdict) slow(from, to time.Time, kind, format string, args ...any) {
	if v.untimed || v.halted(from, to) > slack {
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
