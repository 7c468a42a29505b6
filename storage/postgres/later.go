package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/ordered"
)

const (
	laterEvery = 200 * time.Millisecond
	// maxLater is how many changes may wait; more are dropped.
	maxLater = 4096
	// laterAtOnce is how many changes are one transaction at most.
	laterAtOnce = 64
)

// Later implements [ordered.Map].
func (m *Map) Later(c ordered.Change) {
	p, err := planOf(c)
	if err != nil || len(p.statements) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.ending:
	case len(m.later) == maxLater:
		m.log.limited(slog.LevelWarn, "could not store a change made in the background", fmt.Errorf("%d changes are waiting already", maxLater))
	default:
		m.later = append(m.later, p)
		if !m.storing {
			m.storing = true
			m.background.Go(m.storeLater)
		}
	}
}

// storeLater stores the waiting changes until there are none.
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
		for some := range slices.Chunk(all, laterAtOnce) {
			err := m.store(some)
			if err != nil && !errors.Is(err, errAway) { // one of them, which must not take the others with it
				err = nil
				for i := range some {
					if failed := m.store(some[i : i+1]); !errors.Is(failed, game.ErrConflict) {
						err = errors.Join(err, failed)
					}
				}
			}
			if err != nil {
				m.log.limited(slog.LevelWarn, "could not store a change made in the background", err)
			}
		}
	}
}

// store stores some changes in one transaction.
func (m *Map) store(some []plan) error {
	var all []statement
	for _, p := range some {
		all = append(all, p.statements...)
	}
	ctx := context.Background()
	_, err := m.retry(ctx, m.end(ctx), func(ctx context.Context, c *pgx.Conn) error {
		_, err := send(ctx, c, all) // one that changes no row conflicts, and so is dropped
		return err
	})
	return err
}
