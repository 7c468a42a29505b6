package main

import (
	"testing"
	"time"
)

func TestPulse(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	for name, c := range map[string]struct {
		beats    []int
		from, to int
		longest  time.Duration
		inside   int
	}{
		"none":           {nil, 10, 20, 10 * time.Second, 0},
		"in the middle":  {[]int{5, 12, 13, 19, 30}, 10, 20, 6 * time.Second, 3},
		"at the start":   {[]int{5, 14, 15, 16}, 10, 17, 4 * time.Second, 3},
		"at the end":     {[]int{11, 12, 30}, 10, 20, 8 * time.Second, 2},
		"only elsewhere": {[]int{5, 30}, 10, 20, 10 * time.Second, 0},
	} {
		var p pulse
		for _, b := range c.beats {
			p.times = append(p.times, at(b))
		}
		if longest, inside := p.pause(at(c.from), at(c.to)); longest != c.longest || inside != c.inside {
			t.Errorf("%s: %v, %d; want %v, %d", name, longest, inside, c.longest, c.inside)
		}
	}
}
