package gateway

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// identifies are the IDENTIFYs that a gateway got.
type identifies struct {
	mu  sync.Mutex
	all []identified
}

type identified struct {
	shard [2]int
	at    time.Duration
}

// begin is [testLine.begin], and notes an IDENTIFY.
func (i *identifies) begin(l *testLine, began time.Time) (op int) {
	l.say(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	op, data := l.hear()
	if op != opIdentify {
		return op
	}
	var d struct {
		Shard [2]int `json:"shard"`
	}
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		return -2
	}
	i.mu.Lock()
	i.all = append(i.all, identified{d.Shard, time.Since(began)})
	i.mu.Unlock()
	l.say(`{"op":0,"s":1,"t":"READY","d":{"session_id":"s","user":{"id":"1"}}}`)
	return op
}

func (i *identifies) count() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.all)
}

// invalidateAfter calls the session invalid after a time, unless the line has ended.
func (l *testLine) invalidateAfter(d time.Duration) {
	select {
	case <-time.After(d):
		l.say(`{"op":9,"d":false}`)
	case <-l.closed:
	}
}

// TestNoStartLeft starts a bot when Discord allows no more sessions for three hours.
func TestNoStartLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var got identifies
		g := newTestGateway(t, func(_ int, l *testLine) { got.begin(l, began); l.listen() })
		g.limits = func() limits {
			if left := 3*time.Hour - time.Since(began); left > 0 {
				return startLimits(1000, 0, left, 1)
			}
			return startLimits(1000, 1000, 24*time.Hour, 1)
		}
		must(t, g.runFor(t, 5*time.Hour))
		if len(got.all) != 1 || got.all[0].at < 3*time.Hour || got.all[0].at > 3*time.Hour+2*time.Minute {
			t.Errorf("identified %v, want once after 3 h", got.all)
		}
	})
}

// TestSessionsThatDoNotLast makes every session invalid half a second after READY, for
// two days. No day uses up what Discord allows, and something is left for restarts.
func TestSessionsThatDoNotLast(t *testing.T) {
	for name, shards := range map[string]int{"one shard": 1, "eight shards": 8} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var got identifies
				const total = 1000
				const day = 24 * time.Hour
				var mu sync.Mutex // protects the fields below
				last, before := 0, 0
				least := total
				g := newTestGateway(t, func(_ int, l *testLine) {
					if got.begin(l, began) == opIdentify {
						go l.invalidateAfter(500 * time.Millisecond)
					}
					l.listen()
				})
				remaining := func() int {
					mu.Lock()
					defer mu.Unlock()
					count := got.count()
					if today := int(time.Since(began) / day); today != last {
						last, before = today, count
					}
					left := total - (count - before)
					least = min(least, left)
					return left
				}
				g.limits = func() limits {
					return startLimits(total, remaining(), day-time.Since(began)%day, shards)
				}
				must(t, g.runFor(t, 2*day))
				remaining()
				t.Logf("%d sessions in two days, at least %d left each day", len(got.all), least)
				if least < total/20 {
					t.Errorf("only %d sessions were left on a day", least)
				}
				if len(got.all) < 500 {
					t.Errorf("only %d sessions begun in two days", len(got.all))
				}
			})
		})
	}
}

// TestStartGaps makes a few sessions invalid half a second after READY: each comes later than the one before. A
// session that lasts ends that.
func TestStartGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var got identifies
		g := newTestGateway(t, func(n int, l *testLine) {
			got.begin(l, began)
			go l.listen()
			lasts := 500 * time.Millisecond
			if n == 7 {
				lasts = time.Hour
			}
			l.invalidateAfter(lasts)
		})
		must(t, g.runFor(t, 2*time.Hour))
		var gaps []string
		for n, s := range got.all[1:10] {
			gaps = append(gaps, (s.at - got.all[n].at).Round(time.Second).String())
		}
		if got, want := strings.Join(gaps, " "), "6s 10s 20s 40s 1m20s 2m0s 2m0s 1h0m0s 6s"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestRestartWithFewStartsLeft starts a bot when few sessions are left for the day.
func TestRestartWithFewStartsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var got identifies
		g := newTestGateway(t, func(_ int, l *testLine) { got.begin(l, began); l.listen() })
		g.limits = func() limits { return startLimits(1000, 3-got.count(), 12*time.Hour, 1) }
		must(t, g.runFor(t, time.Minute))
		if len(got.all) != 1 || got.all[0].at != 0 {
			t.Errorf("identified %v, want once and at once", got.all)
		}
	})
}

// TestStartsOfShards begins the sessions of several shards: one in five seconds.
func TestStartsOfShards(t *testing.T) {
	for _, test := range []struct {
		shards      Shards
		recommended int
		want        string // shard@second
	}{
		{Shards{}, 1, "0/1@0"},
		{Shards{}, 0, "0/1@0"},
		{Shards{}, 3, "0/3@0 1/3@5 2/3@11"},
		{Shards{Count: 2}, 7, "0/2@0 1/2@5"},
		{Shards{Count: 8, IDs: []int{5, 7}}, 8, "5/8@0 7/8@5"},
	} {
		t.Run(fmt.Sprintf("%v of %d", test.shards, test.recommended), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var got identifies
				g := newTestGateway(t, func(_ int, l *testLine) { got.begin(l, began); l.listen() })
				g.Shards = test.shards
				g.limits = func() limits { return startLimits(1000, 1000, time.Hour, test.recommended) }
				must(t, g.runFor(t, 30*time.Second))
				// Any shard may be the first.
				var times, ids []string
				for _, s := range got.all {
					times = append(times, fmt.Sprint(int(s.at.Seconds())))
					ids = append(ids, fmt.Sprintf("%d/%d", s.shard[0], s.shard[1]))
				}
				slices.Sort(ids)
				var wantTimes, wantIDs []string
				for _, s := range strings.Fields(test.want) {
					id, at, _ := strings.Cut(s, "@")
					wantTimes, wantIDs = append(wantTimes, at), append(wantIDs, id)
				}
				slices.SortFunc(wantTimes, func(a, b string) int { return len(a) - len(b) })
				if !slices.Equal(times, wantTimes) || !slices.Equal(ids, wantIDs) {
					t.Errorf("got %v at %v, want %v at %v", ids, times, wantIDs, wantTimes)
				}
			})
		})
	}
}
