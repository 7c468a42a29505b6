package admission

import (
	"testing"
	"testing/synctest"
	"time"
)

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
		"one is from the future": {normal, {time.Second, way + 3*time.Second, 3 * time.Second}, {time.Second, -2 * leap, 0}, {time.Second, way + 3*time.Second, 3 * time.Second}},
		"they move the other way": {normal,
			{time.Second, time.Hour + way, time.Hour}, {6 * time.Minute, time.Hour + way, time.Hour}, {5 * time.Minute, time.Hour + way, 0},
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
						if off := now.Sub(made) - got; off < 0 && -off < leap || off > 4*time.Second { // a little for requests that are younger than any before
							t.Errorf("the clocks %v apart: after request %d, made %v ago, it is %v past the request", apart, i+1, r.want, now.Sub(made))
						}
					}
				})
			})
		}
	}
}
