package matches

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
)

// TestSlotLocks: those who wait for a slot get it in their order, but for one that gives up. Another slot is free, and nothing is
// left.
func TestSlotLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l slotLocks
		lock := func(channel game.ChannelID, want bool) (unlock func()) {
			unlock, waited, err := l.Lock(t.Context(), game.Slot{Channel: channel})
			if err != nil || waited != want {
				t.Errorf("%s: waited %t, %v, want %t", channel, waited, err, want)
			}
			return unlock
		}
		unlock := lock("a", false)
		var order, want []int
		var wg sync.WaitGroup
		for i := range 20 {
			want = append(want, i)
			wg.Go(func() {
				defer lock("a", true)()
				order = append(order, i)
			})
			synctest.Wait() // until it queues
			if i == 10 {
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if _, _, err := l.Lock(ctx, game.Slot{Channel: "a"}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			}
		}
		lock("b", false)()
		unlock()
		wg.Wait()
		lock("a", false)()
		if !slices.Equal(order, want) || len(l.last) != 0 {
			t.Errorf("served in the order %v; %d entries are left", order, len(l.last))
		}
	})
}
