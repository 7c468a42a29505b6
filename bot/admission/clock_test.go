package admission

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestClockAtFirst: requests that have waited for a process that has just started are as old as they look, and those after
// them too, unless our clock turns out to be wrong.
func TestClockAtFirst(t *testing.T) {
	for name, c := range map[string]struct {
		apart            time.Duration // how far our clock is ahead
		first, second    time.Duration // how old they seem when they have waited for 5 s and 4 s
		young, in, later time.Duration // how old a new one seems then, half a minute later, and one that comes then after 3 s
	}{
		"right":       {0, 5 * time.Second, 4 * time.Second, 0, 0, 3 * time.Second},
		"ahead":       {time.Second, 6 * time.Second, 5 * time.Second, time.Second, 0, 3 * time.Second},
		"far ahead":   {8 * time.Second, 0, 0, 0, 0, 3 * time.Second},
		"behind":      {-time.Second, 4 * time.Second, 3 * time.Second, 0, 0, 3 * time.Second},
		"much behind": {-time.Minute, 0, 0, 0, 0, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var clock Clock
				of := func(way time.Duration) time.Duration { return clock.Age(time.Now().Add(-way - c.apart)) }
				got := []time.Duration{of(5 * time.Second), of(4 * time.Second), of(0)}
				time.Sleep(30 * time.Second)
				got = append(got, of(0), of(3*time.Second))
				if want := []time.Duration{c.first, c.second, c.young, c.in, c.later}; !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
			})
		})
	}
}

// TestClock: how old requests seem, by how far the clocks are apart.
func TestClock(t *testing.T) {
	type request struct {
		after time.Duration // since the request before
		way   time.Duration // how long ago it was made
		want  time.Duration // how old it seems
	}
	const way = 100 * time.Millisecond // of most requests, which seems to be none
	normal := request{time.Second, way, 0}
	for name, requests := range map[string][]request{
		"one after another": {normal, {time.Second, way + 40*time.Millisecond, 40 * time.Millisecond}, normal},
		"one is late":       {normal, {time.Second, 3 * time.Second, 3*time.Second - way}, normal},
		"many are late, together": {normal,
			{time.Minute, time.Minute, time.Minute - way}, {0, 40 * time.Second, 40*time.Second - way}, {0, 3 * time.Second, 3*time.Second - way}, normal},
		"the first is late":      {{0, 10 * time.Second, 0}, normal, normal, {0, 5 * time.Second, 5*time.Second - way}},
		"a late one after hours": {normal, {5 * time.Hour, 10 * time.Second, 10*time.Second - way}, {time.Hour, way, 0}, {0, 3 * time.Second, 3*time.Second - way}},
		"the clocks move":        {normal, {time.Second, way - time.Hour, 0}, {time.Second, way - time.Hour, 0}, {time.Second, 3*time.Second - time.Hour, 3*time.Second - way}},
		"they move the other way": {normal,
			{time.Second, time.Hour + way, time.Hour}, {5 * time.Second, time.Hour + way, time.Hour}, {5 * time.Second, time.Hour + way, 0}, {time.Second, time.Hour + way, 0},
			{time.Second, time.Hour + 3*time.Second, 3*time.Second - way}},
		"they drift": {normal, {time.Hour, way + time.Second, time.Second}, {time.Hour, way + 2*time.Second, time.Second}, {time.Hour, way + 3*time.Second, time.Second}},
	} {
		for _, apart := range []time.Duration{time.Minute, 3 * 365 * 24 * time.Hour, -3 * 365 * 24 * time.Hour} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var clock Clock
					for i, r := range requests {
						time.Sleep(r.after)
						made := time.Now().Add(-r.way + apart)
						got, now := clock.Age(made), clock.Now()
						if got != r.want {
							t.Errorf("the clocks %v apart: request %d seems to be %v old, want %v", apart, i+1, got, r.want)
						}
						if off := now.Sub(made) - got; off < 0 || off > 4*time.Second { // a little for requests that are younger than any before
							t.Errorf("the clocks %v apart: after request %d, made %v ago, it is %v past the request", apart, i+1, r.want, now.Sub(made))
						}
					}
				})
			})
		}
	}
}
