package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// invalidateAfter calls the session invalid after a time, unless the line has ended.
func (l *testLine) invalidateAfter(d time.Duration) {
	select {
	case <-time.After(d):
		l.say(`{"op":9,"d":false}`)
	case <-l.closed:
	}
}

// TestFirstStart starts a bot when Discord allows no more sessions for three hours, or only a few for the day.
func TestFirstStart(t *testing.T) {
	for left, want := range map[int]time.Duration{0: 3 * time.Hour, 3: 0} {
		synctest.Test(t, func(t *testing.T) {
			g := newTestGateway(t, func(_ int, l *testLine) { l.begin(); l.listen() })
			g.limits = func() limits {
				if reset := 3*time.Hour - time.Since(g.began); reset > 0 {
					return startLimits(1000, left-len(g.identified), reset, 1)
				}
				return startLimits(1000, 1000, 24*time.Hour, 1)
			}
			must(t, g.runFor(t, 5*time.Hour))
			if len(g.identified) != 1 || g.identified[0].at < want || g.identified[0].at > want+2*time.Minute {
				t.Errorf("with %d left: identified %v, want once after %v", left, g.identified, want)
			}
		})
	}
}

// TestSessionsThatDoNotLast makes every session invalid half a second after READY, for
// two days. No day uses up what Discord allows, and something is left for restarts.
func TestSessionsThatDoNotLast(t *testing.T) {
	for name, shards := range map[string]int{"one shard": 1, "eight shards": 8} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const total = 1000
				const day = 24 * time.Hour
				last, before := 0, 0
				least := total
				g := newTestGateway(t, func(_ int, l *testLine) {
					if l.begin() == opIdentify {
						go l.invalidateAfter(500 * time.Millisecond)
					}
					l.listen()
				})
				remaining := func() int {
					count := len(g.identified)
					if today := int(time.Since(g.began) / day); today != last {
						last, before = today, count
					}
					left := total - (count - before)
					least = min(least, left)
					return left
				}
				g.limits = func() limits {
					return startLimits(total, remaining(), day-time.Since(g.began)%day, shards)
				}
				must(t, g.runFor(t, 2*day))
				remaining()
				t.Logf("%d sessions in two days, at least %d left each day", len(g.identified), least)
				if least < total/20 {
					t.Errorf("only %d sessions were left on a day", least)
				}
				if len(g.identified) < 500 {
					t.Errorf("only %d sessions begun in two days", len(g.identified))
				}
			})
		})
	}
}

// TestStartGaps makes a few sessions invalid half a second after READY: each comes later than the one before. A
// session that lasts ends that.
func TestStartGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGateway(t, func(n int, l *testLine) {
			l.begin()
			go l.listen()
			lasts := 500 * time.Millisecond
			if n == 7 {
				lasts = time.Hour
			}
			l.invalidateAfter(lasts)
		})
		must(t, g.runFor(t, 2*time.Hour))
		var gaps []string
		for n, s := range g.identified[1:10] {
			gaps = append(gaps, (s.at - g.identified[n].at).Round(time.Second).String())
		}
		if got, want := strings.Join(gaps, " "), "6s 11s 21s 41s 1m21s 2m1s 2m1s 1h0m0s 6s"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestStartsOfShards begins the sessions of several shards: one in five seconds.
func TestStartsOfShards(t *testing.T) {
	for _, test := range []struct {
		shards      Shards
		recommended int
		want        string // shards, and seconds
	}{
		{Shards{}, 1, "[0] of 1 at [0]"},
		{Shards{}, 0, "[0] of 1 at [0]"},
		{Shards{}, 3, "[0 1 2] of 3 at [0 5 11]"},
		{Shards{Count: 2}, 7, "[0 1] of 2 at [0 5]"},
		{Shards{Count: 8, IDs: []int{5, 7}}, 8, "[5 7] of 8 at [0 5]"},
	} {
		t.Run(fmt.Sprintf("%v of %d", test.shards, test.recommended), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newTestGateway(t, func(_ int, l *testLine) { l.begin(); l.listen() })
				g.Shards = test.shards
				g.limits = func() limits { return startLimits(1000, 1000, time.Hour, test.recommended) }
				must(t, g.runFor(t, 30*time.Second))
				var times, ids []int // any shard may be the first
				for _, s := range g.identified {
					times, ids = append(times, int(s.at.Seconds())), append(ids, s.shard)
				}
				slices.Sort(ids)
				if got := fmt.Sprint(ids, " of ", g.count, " at ", times); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}
