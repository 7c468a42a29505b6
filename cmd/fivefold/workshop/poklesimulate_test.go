package workshop

import (
	"context"
	"testing"
)

// TestDealsStopped: those that were played to the end count.
func TestDealsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := dealRun{wanted: 1000, seed: 1}
	err := d.play(ctx, func(done, of int) {
		if of != 1000 {
			t.Errorf("%d of %d deals", done, of)
		}
		if done == 3 {
			cancel()
		}
	})
	if err != context.Canceled || len(d.played) < 3 || len(d.played) > 100 {
		t.Errorf("%d deals, %v", len(d.played), err)
	}
	for _, one := range d.played {
		if one.boards < 1 || one.guesses < 1 {
			t.Errorf("a deal that was not played: %+v", one)
		}
	}
}
