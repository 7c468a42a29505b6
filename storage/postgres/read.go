package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/ordered"
)

const (
	sqlGet      = `SELECT key, value FROM records WHERE key = ANY ($1::bytea[])`
	sqlRange    = `SELECT key, value FROM records WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3 OFFSET $4`
	sqlBackward = `SELECT key, value FROM records WHERE key >= $1 AND key < $2 ORDER BY key DESC LIMIT $3 OFFSET $4`
	sqlCount    = `SELECT count(*) FROM records WHERE key >= $1 AND key < $2`
)

// Get implements [ordered.Map].
func (m *Map) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	if len(keys) == 0 {
		return nil, ctx.Err()
	}
	found := map[string][]byte{}
	err := m.read(ctx, func(ctx context.Context, c *pgx.Conn) error {
		var b pgx.Batch
		clear(found) // drops the rows of an earlier try
		b.Queue(sqlGet, game.Each(keys, func(key string) []byte { return []byte(key) })).Query(eachPair(func(p ordered.Pair) { found[p.Key] = p.Value }))
		return c.SendBatch(ctx, &b).Close()
	})
	pairs := make([]ordered.Pair, len(keys))
	for i, key := range keys {
		pairs[i] = ordered.Pair{Key: key, Value: bytes.Clone(found[key])} // a key may be asked for twice
	}
	return pairs, err
}

// Read implements [ordered.Map].
func (m *Map) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	if len(queries) == 0 {
		return nil, ctx.Err()
	}
	answers := make([][]ordered.Pair, len(queries))
	err := m.read(ctx, func(ctx context.Context, c *pgx.Conn) error {
		var b pgx.Batch
		for i, q := range queries {
			answers[i] = nil // drops the rows of an earlier try
			sql, limit := sqlRange, q.Limit
			if q.Backward {
				sql = sqlBackward
			}
			if limit == 0 {
				limit = math.MaxInt
			}
			b.Queue(sql, []byte(q.From), []byte(q.To), limit, q.Skip).Query(eachPair(func(p ordered.Pair) { answers[i] = append(answers[i], p) }))
		}
		return c.SendBatch(ctx, &b).Close()
	})
	return answers, err
}

// eachPair returns a function that calls f for each row.
func eachPair(f func(p ordered.Pair)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var key, value []byte
		_, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
			f(ordered.Pair{Key: string(key), Value: value}) // a value is scanned into bytes of its own
			return nil
		})
		return err
	}
}

// Count implements [ordered.Map]. It reads the index only, apart from pages that changed since they were vacuumed.
func (m *Map) Count(ctx context.Context, queries ...ordered.Query) ([]int, error) {
	counts := make([]int, len(queries))
	err := m.read(ctx, func(ctx context.Context, c *pgx.Conn) error {
		var b pgx.Batch
		for i, q := range queries {
			b.Queue(sqlCount, []byte(q.From), []byte(q.To)).QueryRow(func(row pgx.Row) error { return row.Scan(&counts[i]) })
		}
		return c.SendBatch(ctx, &b).Close()
	})
	return counts, err
}

// read runs f, which changes nothing in the database. If the connection is lost, f runs again, and must overwrite the results
// of its earlier run.
func (m *Map) read(ctx context.Context, f func(context.Context, *pgx.Conn) error) error {
	_, err := m.retry(ctx, game.Origin{}, m.end(ctx), f)
	if errors.Is(err, errAway) {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return err
}
