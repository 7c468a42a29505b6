package matches

import (
	"context"
	"sync"

	"fivefold/game"
)

// slotLocks has a lock for each slot, taken in the order of the calls. The zero value is ready.
type slotLocks struct {
	mu   sync.Mutex                  // protects last
	last map[game.Slot]chan struct{} // for each slot in use, closed when the latest caller of Lock is done with the slot
}

// Lock waits until the slot is free and takes it. The caller must call unlock once. Waited reports whether others held the slot
// or waited for it when Lock was called. If ctx ends first, its error is returned and nothing is held.
func (l *slotLocks) Lock(ctx context.Context, s game.Slot) (unlock func(), waited bool, err error) {
	own := make(chan struct{})
	l.mu.Lock()
	before, waited := l.last[s]
	if l.last == nil {
		l.last = map[game.Slot]chan struct{}{}
	}
	l.last[s] = own
	l.mu.Unlock()
	done := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.last[s] == own {
			delete(l.last, s)
		}
		close(own)
	}
	if !waited {
		return done, false, nil
	}
	select {
	case <-before:
		return done, true, nil
	case <-ctx.Done():
		go func() { // the next caller still waits for the one before
			<-before
			done()
		}()
		return nil, true, ctx.Err()
	}
}
