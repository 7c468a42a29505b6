package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// OpenWith opens a map after a function has changed the configuration of its connections.
func OpenWith(ctx context.Context, url string, o Options, change func(*pgxpool.Config)) (*Map, error) {
	o = o.WithDefaults()
	config, err := parse(url, o)
	if err != nil {
		return nil, err
	}
	change(config)
	return open(ctx, config, o)
}

// Places returns how many connections of a map's pool are in use or idle.
func (m *Map) Places() int32 { return m.pool.Stat().AcquiredConns() + m.pool.Stat().IdleConns() }

// Connect makes n connections, which are idle after that.
func (m *Map) Connect(ctx context.Context, n int) error {
	var all []*pgxpool.Conn
	defer func() {
		for _, c := range all {
			c.Release()
		}
	}()
	for range n {
		c, err := m.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	return nil
}
