package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// The kinds of findings that the last line counts.
const (
	lost    = "lost"
	doubled = "doubled"
	differs = "totals that differ from the log"
	late    = "carried out too late"
)

// maxPrinted is how many findings of one kind are printed of a part.
const maxPrinted = 5

// verdict is what was found and measured. It is safe for concurrent use.
type verdict struct {
	mu    sync.Mutex     // protects the fields below
	found map[string]int // findings of each kind: things that must not be

	// Of the present part:
	name     string
	lines    []string
	before   map[string]int // what was found before it
	oldest   time.Duration  // the greatest age at which a request was carried out
	happened map[string]int // how often each disaster happened
}

func (v *verdict) begin(part string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.name, v.lines, v.oldest, v.happened, v.before = part, nil, 0, map[string]int{}, maps.Clone(v.found)
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

// suffered notes that a disaster has happened.
func (v *verdict) suffered(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.happened[name]++
}

// age notes how old a request was when it was carried out.
func (v *verdict) age(d time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.oldest = max(v.oldest, d)
}

// finding notes something that must not be. Findings of a kind are counted, and the first ones printed.
func (v *verdict) finding(kind, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.found[kind]++
	if v.found[kind]-v.before[kind] <= maxPrinted {
		v.lines = append(v.lines, fmt.Sprintf("  !! %s: ", kind)+fmt.Sprintf(format, args...))
	}
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
		fmt.Fprintf(out, "     %-9s %d times\n", name, v.happened[name])
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
