package admission

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAges: how old requests seem, by how far the clocks are apart.
func TestAges(t *testing.T) {
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
		"one from the future":    {normal, {time.Second, -time.Hour, 0}, normal, {time.Second, 3 * time.Second, 3*time.Second - way}},
		"some from the future":   {normal, {time.Second, -time.Hour, 0}, {time.Second, -2 * time.Hour, 0}, normal, {time.Second, -time.Hour, 0}, normal},
		"the clocks move":        {normal, {time.Second, way - time.Hour, 0}, {time.Second, way - time.Hour, 0}, {time.Second, 3*time.Second - time.Hour, 3*time.Second - way}},
		"they move the other way": {normal,
			{time.Second, time.Hour + way, time.Hour}, {5 * time.Second, time.Hour + way, time.Hour}, {5 * time.Second, time.Hour + way, 0}, {time.Second, time.Hour + way, 0},
			{time.Second, time.Hour + 3*time.Second, 3*time.Second - way}},
		"they drift": {normal, {time.Hour, way + time.Second, time.Second}, {time.Hour, way + 2*time.Second, time.Second}, {time.Hour, way + 3*time.Second, time.Second}},
	} {
		for _, apart := range []time.Duration{0, 3 * 365 * 24 * time.Hour, -3 * 365 * 24 * time.Hour} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var a Ages
					for i, r := range requests {
						time.Sleep(r.after)
						if got := a.Of(time.Now().Add(-r.way + apart)); got != r.want {
							t.Errorf("the clocks %v apart: request %d seems to be %v old, want %v", apart, i+1, got, r.want)
						}
					}
				})
			})
		}
	}
}

// TestAgesAfterStart: by the date of a response, a first request that has waited for the start
// is known to be old, to a second; without one, it seems to be new.
func TestAgesAfterStart(t *testing.T) {
	for _, apart := range []time.Duration{0, 3 * 365 * 24 * time.Hour, -3 * 365 * 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var a Ages
			other := func() time.Time { return time.Now().Add(apart) }
			time.Sleep(900 * time.Millisecond) // the most that whole seconds leave out
			a.Clock(other().Truncate(time.Second))
			time.Sleep(10 * time.Second)
			if got := a.Of(other().Add(-6 * time.Second)); got != 5100*time.Millisecond {
				t.Errorf("the clocks %v apart: a first request seems to be %v old", apart, got)
			}
			a.Clock(other().Add(time.Hour)) // requests say more
			if got := a.Of(other().Add(-100 * time.Millisecond)); got != 0 {
				t.Errorf("the clocks %v apart: a request in time seems to be %v old", apart, got)
			}
			if got := a.Of(other().Add(-3 * time.Second)); got != 2900*time.Millisecond {
				t.Errorf("the clocks %v apart: a late one seems to be %v old", apart, got)
			}
		})
	}
}
