package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"fivefold/storage/ordered"
)

const (
	flushEvery = 200 * time.Millisecond
	// maxDeferred is how many values may wait; more are dropped.
	maxDeferred = 4096
)

// notStored is logged with the reason.
const notStored = "could not store a value in the background"

// Async implements [ordered.Map].
func (m *Map) Async(p ordered.Pair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.ending:
	case len(m.deferred) == maxDeferred:
		m.log.limited(slog.LevelWarn, notStored, fmt.Errorf("%d are waiting already", maxDeferred))
	default:
		m.deferred = append(m.deferred, p)
		if !m.storing {
			m.storing = true
			m.background.Go(m.flush)
		}
	}
}

// flush stores the waiting values until there are none.
func (m *Map) flush() {
	for {
		select {
		case <-time.After(flushEvery):
		case <-m.closing.Done():
		}
		m.mu.Lock()
		all := m.deferred
		m.deferred, m.storing = nil, len(all) > 0
		m.mu.Unlock()
		if len(all) == 0 {
			return
		}
		for some := range slices.Chunk(all, maxRows) {
			latest := map[string]ordered.Pair{}
			for _, p := range some {
				latest[p.Key] = p
			}
			if err := m.Commit(context.Background(), ordered.Change{Set: slices.Collect(maps.Values(latest))}); err != nil {
				m.log.limited(slog.LevelWarn, notStored, err)
			}
		}
	}
}
