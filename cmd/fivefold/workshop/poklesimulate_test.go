package workshop

import (
	"context"
	"testing"
)

// TestDealsStopped: those that were played to the end count.
func TestDealsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	played, err := playDeals(ctx, 1, 1000, func(done, of int) {
		if done == 3 {
			cancel()
		}
	})
	if err != context.Canceled || len(played) < 3 || len(played) > 100 {
		t.Errorf("%d deals, %v", len(played), err)
	}
	for _, one := range played {
		if one.boards < 1 || one.guesses < 1 {
			t.Errorf("a deal that was not played: %+v", one)
		}
	}
}
