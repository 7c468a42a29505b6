package main

import (
	"sync"
	"time"
)

// pulse notes when something happened, so that the longest time without it is known. It is safe for
// concurrent use.
type pulse struct {
	mu    sync.Mutex // protects times
	times []time.Time
}

func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times = append(p.times, time.Now())
}

// pause returns the longest time without a beat between two moments, and how many beats there were.
func (p *pulse) pause(from, to time.Time) (longest time.Duration, beats int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := from
	for _, t := range p.times {
		if t.Before(from) || t.After(to) {
			continue
		}
		beats++
		longest = max(longest, t.Sub(last))
		last = t
	}
	return max(longest, to.Sub(last)), beats
}
