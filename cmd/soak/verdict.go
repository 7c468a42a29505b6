package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"fivefold/storage/postgres/postgrestest"
)

// The kinds of findings that the last line counts.
const (
	lost    = "lost"
	doubled = "doubled"
	differs = "differs from other records" // such as totals from the log
	late    = "carried out too late"
)

// verdict prints what was measured and what must not be. It is safe for concurrent use.
type verdict struct {
	mu    sync.Mutex // protects the fields below
	out   io.Writer
	found map[string]int // findings of each kind
}

// figure prints something that was measured.
func (v *verdict) figure(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	fmt.Fprintf(v.out, "     "+format+"\n", args...)
}

// finding counts something that must not be, and prints the first five of each kind.
func (v *verdict) finding(kind, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.found[kind]++; v.found[kind] <= 5 {
		fmt.Fprintf(v.out, "  !! %s: %s\n", kind, fmt.Sprintf(format, args...))
	}
}

// brokenOff notes an error that kept a part from its end, unless the command was interrupted or there is no PostgreSQL.
func (v *verdict) brokenOff(err error) {
	switch {
	case errors.Is(err, postgrestest.ErrAbsent):
		v.figure("skipped: %v", err)
	case err != nil && !errors.Is(err, context.Canceled):
		v.finding("broken off", "%v", err)
	}
}

// conclude prints the last line, and returns whether all was well.
func (v *verdict) conclude(seed uint64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	fmt.Fprintf(v.out, "lost %d, doubled %d, records that differ %d, late %d", v.found[lost], v.found[doubled], v.found[differs], v.found[late])
	if len(v.found) == 0 {
		fmt.Fprintln(v.out, "; all is well")
		return true
	}
	fmt.Fprintf(v.out, "; findings %v, seed %d\n", v.found, seed)
	return false
}
