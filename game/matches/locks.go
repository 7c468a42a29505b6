package matches

import (
	"context"
	"sync"
)

// keyedLock is one lock per key. Entries exist only while somebody holds or waits
// for them, so there is one for each key in use. The zero value is ready.
type keyedLock[K comparable] struct {
	mu      sync.Mutex // protects entries and their users
	entries map[K]*keyedEntry
}

type keyedEntry struct {
	token chan struct{} // holds one token while the key is locked
	users int           // holders and waiters
}

// Lock waits until the key is free and takes it. The caller must call unlock
// once. Waited reports whether others held the key or waited for it when Lock was called.
// When ctx ends first, its error is returned and nothing is held.
func (l *keyedLock[K]) Lock(ctx context.Context, key K) (unlock func(), waited bool, err error) {
	l.mu.Lock()
	e := l.entries[key]
	if e == nil {
		e = &keyedEntry{token: make(chan struct{}, 1)}
		if l.entries == nil {
			l.entries = map[K]*keyedEntry{}
		}
		l.entries[key] = e
	}
	e.users++
	if waited = e.users > 1; !waited {
		e.token <- struct{}{} // now, so that the next one does not get it first
	}
	l.mu.Unlock()

	if waited {
		select {
		case e.token <- struct{}{}:
		case <-ctx.Done():
			l.leave(key, e)
			return nil, waited, ctx.Err()
		}
	}
	return func() {
		<-e.token
		l.leave(key, e)
	}, waited, nil
}

func (l *keyedLock[K]) leave(key K, e *keyedEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.users--; e.users == 0 {
		delete(l.entries, key)
	}
}
