package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// maxPrinted is how many findings of one kind are printed.
const maxPrinted = 5

// verdict is what was found and measured. It is safe for concurrent use.
type verdict struct {
	untimed bool // how long things took is only printed

	mu    sync.Mutex // protects parts
	parts []*partVerdict
}

type partVerdict struct {
	name     string
	figures  []string
	findings []*findings
	oldest   time.Duration // the greatest age at which a request was carried out
	happened []*happened
}

// happened is how often a disaster happened, and what players noticed of it.
type happened struct {
	name       string
	count      int
	lull       time.Duration // the longest without a saved guess
	unanswered int
}

// findings are those of one kind: things that must not be.
type findings struct {
	kind     string
	count    int
	examples []string
}

func (v *verdict) begin(part string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.parts = append(v.parts, &partVerdict{name: part})
}

func (v *verdict) lastLocked() *partVerdict { return v.parts[len(v.parts)-1] }

// figure notes something that was measured.
func (v *verdict) figure(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.lastLocked()
	p.figures = append(p.figures, fmt.Sprintf(format, args...))
}

// happened notes that a disaster happened, the longest time without a saved guess, and how many
// interactions were not answered.
func (v *verdict) happened(name string, lull time.Duration, unanswered int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.lastLocked()
	n := slices.IndexFunc(p.happened, func(h *happened) bool { return h.name == name })
	if n < 0 {
		n = len(p.happened)
		p.happened = append(p.happened, &happened{name: name})
	}
	h := p.happened[n]
	h.count, h.lull, h.unanswered = h.count+1, max(h.lull, lull), h.unanswered+unanswered
}

// age notes how old a request was when it was carried out.
func (v *verdict) age(d time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.lastLocked()
	p.oldest = max(p.oldest, d)
}

// finding notes something that must not be. Findings of a kind are counted, and the first ones
// printed.
func (v *verdict) finding(kind, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.lastLocked()
	n := slices.IndexFunc(p.findings, func(f *findings) bool { return f.kind == kind })
	if n < 0 {
		n = len(p.findings)
		p.findings = append(p.findings, &findings{kind: kind})
	}
	of := p.findings[n]
	of.count++
	if len(of.examples) < maxPrinted {
		of.examples = append(of.examples, fmt.Sprintf(format, args...))
	}
}

// slow notes something that must not be, but may happen on a machine that does other things too.
func (v *verdict) slow(kind, format string, args ...any) {
	if v.untimed {
		v.figure("not judged: "+kind+", "+format, args...)
		return
	}
	v.finding(kind, format, args...)
}

// print prints the latest part.
func (v *verdict) print(out io.Writer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.lastLocked()
	word := "ok  "
	if len(p.findings) > 0 {
		word = "FAIL"
	}
	fmt.Fprintf(out, "%s %s\n", word, p.name)
	for _, h := range p.happened {
		fmt.Fprintf(out, "     %-9s %d times: no guess saved for at most %v, %d interactions without an answer\n", h.name, h.count, h.lull.Round(time.Millisecond), h.unanswered)
	}
	for _, f := range p.figures {
		fmt.Fprintf(out, "     %s\n", f)
	}
	if p.oldest > 0 {
		fmt.Fprintf(out, "     carried out at most %v after it was asked for\n", p.oldest)
	}
	for _, f := range p.findings {
		fmt.Fprintf(out, "  !! %s: %d\n", f.kind, f.count)
		for _, e := range f.examples {
			fmt.Fprintf(out, "       %s\n", e)
		}
		if f.count > len(f.examples) {
			fmt.Fprintf(out, "       and %d more\n", f.count-len(f.examples))
		}
	}
}

// conclude prints the last line, and returns whether all was well.
func (v *verdict) conclude(out io.Writer, seed uint64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	count := map[string]int{}
	bad := 0
	for _, p := range v.parts {
		for _, f := range p.findings {
			count[f.kind] += f.count
			bad += f.count
		}
	}
	fmt.Fprintf(out, "lost %d, doubled %d, totals that differ from the log %d, late %d", count[lost], count[doubled], count[differs], count[late])
	if bad == 0 {
		fmt.Fprintf(out, "; all is well\n")
		return true
	}
	fmt.Fprintf(out, "; %d findings, seed %d\n", bad, seed)
	return false
}
