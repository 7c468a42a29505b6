package main

import (
	"sync"
	"time"
)

// pulse notes the times at which something happens, to find the longest time without it. It is safe
// for concurrent use.
type pulse struct {
	mu    sync.Mutex // protects times
	times []time.Time
}

// beat notes that it happens now.
func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times = append(p.times, time.Now())
}

// pause returns the longest time without a beat between from and to, and how many beats there
// were.
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
