package matches

import (
	"context"
	"sync"
)

// keyedLock is one lock per key, for those who ask in turn. The zero value is ready.
type keyedLock[K comparable] struct {
	mu   sync.Mutex          // protects last
	last map[K]chan struct{} // of each key in use, closed when the one who asked last is done with it
}

// Lock waits until the key is free and takes it. The caller must call unlock once. Waited reports whether others held the
// key or waited for it when Lock was called. If ctx ends first, its error is returned and nothing is held.
func (l *keyedLock[K]) Lock(ctx context.Context, key K) (unlock func(), waited bool, err error) {
	own := make(chan struct{})
	l.mu.Lock()
	before, waited := l.last[key]
	if l.last == nil {
		l.last = map[K]chan struct{}{}
	}
	l.last[key] = own
	l.mu.Unlock()
	done := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.last[key] == own {
			delete(l.last, key)
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
		go func() { // the next one still waits for the one before
			<-before
			done()
		}()
		return nil, true, ctx.Err()
	}
}
