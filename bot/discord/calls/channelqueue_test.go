package calls

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestChannelQueues makes many calls at once in two channels that take five in five seconds each:
// none is refused, and the channels do not wait for each other.
func TestChannelQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			l       channelQueues
			mu      sync.Mutex // protects the fields below
			used    = map[string]int{}
			resets  = map[string]time.Time{}
			refused int
			calls   sync.WaitGroup
		)
		began := time.Now()
		for n := range 40 {
			calls.Go(func() {
				key := fmt.Sprint("PATCH ", n%2)
				bucket, leave, err := l.enter(t.Context(), key)
				must(t, err)
				defer leave()
				time.Sleep(100 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				if !time.Now().Before(resets[key]) {
					used[key], resets[key] = 0, time.Now().Add(5*time.Second)
				}
				if used[key]++; used[key] > 5 {
					refused++
				}
				must(t, bucket.Release(http.Header{
					"X-Ratelimit-Remaining":   {strconv.Itoa(max(0, 5-used[key]))},
					"X-Ratelimit-Reset-After": {fmt.Sprintf("%.3f", time.Until(resets[key]).Seconds())},
				}))
			})
		}
		time.Sleep(time.Second) // each channel has taken five
		synctest.Wait()
		if now, other := l.wait("PATCH 0"), l.wait("POST 0"); now <= 0 || other != 0 {
			t.Errorf("a call waits for %v, and one of another kind for %v", now, other)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := l.enter(ctx, "PATCH 0"); err == nil {
			t.Error("a call does not wait for its turn")
		}
		calls.Wait()
		if took := time.Since(began); refused > 0 || took > 20*time.Second {
			t.Errorf("%d calls refused, in %v", refused, took)
		}
		time.Sleep(5 * time.Second)
		if now := l.wait("PATCH 0"); now != 0 {
			t.Errorf("a call waits for %v where none was made for long", now)
		}
		for n := range 2 * maxQueues {
			bucket, leave, err := l.enter(t.Context(), fmt.Sprint("POST ", n))
			must(t, err)
			must(t, bucket.Release(nil))
			leave()
		}
		if len(l.all) > maxQueues {
			t.Errorf("%d queues are remembered, at most %d", len(l.all), maxQueues)
		}
	})
}

// TestWait: a channelQueue is free for a call while none is made and Discord takes more.
func TestWait(t *testing.T) {
	var l channelQueues
	for left := 2; left >= 0; left-- {
		bucket, leave, err := l.enter(t.Context(), "PATCH 1")
		must(t, err)
		if got := l.wait("PATCH 1"); got != queueInUse {
			t.Errorf("while a call is made: got %v, want %v", got, queueInUse)
		}
		must(t, bucket.Release(http.Header{"X-Ratelimit-Remaining": {strconv.Itoa(left)}, "X-Ratelimit-Reset-After": {"1000"}}))
		leave()
		if got := l.wait("PATCH 1") == 0; got != (left > 0) {
			t.Errorf("%d are left; a call may be made: %t", left, got)
		}
	}
}
