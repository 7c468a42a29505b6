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
	laterEvery = 200 * time.Millisecond
	// maxLater is how many values may wait; more are dropped.
	maxLater = 4096
)

// notLater is logged with the reason.
const notLater = "could not store a value in the background"

// Later implements [ordered.Map].
func (m *Map) Later(p ordered.Pair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.ending:
	case len(m.later) == maxLater:
		m.log.limited(slog.LevelWarn, notLater, fmt.Errorf("%d are waiting already", maxLater))
	default:
		m.later = append(m.later, p)
		if !m.storing {
			m.storing = true
			m.background.Go(m.storeLater)
		}
	}
}

// storeLater stores the waiting values until there are none.
func (m *Map) storeLater() {
	for {
		select {
		case <-time.After(laterEvery):
		case <-m.closing.Done():
		}
		m.mu.Lock()
		all := m.later
		m.later, m.storing = nil, len(all) > 0
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
				m.log.limited(slog.LevelWarn, notLater, err)
			}
		}
	}
}
