package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Commit implements [ordered.Map].
//
// A try that lost its connection may have stored the change, and then the next try conflicts with the change itself. The stored
// change is visible, but perhaps not yet on a synchronous replica: it disappears if the replica is promoted. So after such a
// conflict Commit stores a probe, and waits until the replicas have it, and with it everything that was visible before.
func (m *Map) Commit(ctx context.Context, c ordered.Change) error {
	began, end := time.Now(), m.end(ctx)
	doubt, err := m.retry(ctx, game.Committing(ctx), end, sending(c))
	conflict := errors.Is(err, game.ErrConflict)
	if conflict && doubt {
		m.probed.Store(true)
		if _, failed := m.retry(ctx, game.Origin{}, end, sending(ordered.Change{Set: []ordered.Pair{{Key: m.probe, Value: []byte{1}}}})); failed != nil {
			err, conflict = failed, false
		}
	}
	switch {
	case err == nil:
		m.Observer.Committed(1, time.Since(began))
	case conflict || ctx.Err() != nil:
	case doubt:
		// %v, not %w: a wrapped ErrExpired would mean that the change was not saved.
		err = fmt.Errorf("could not learn whether it was saved: %w: %v", context.DeadlineExceeded, err)
	case errors.Is(err, game.ErrExpired):
	default:
		err = fmt.Errorf("%w: %w", game.ErrNotSaved, err)
		m.Observer.NotSaved(err)
	}
	return err
}

// One Sync follows all statements of a change, so they are one transaction. READ COMMITTED suffices, and so do stricter levels:
// each condition locks the row that it compares, or is a unique key. Each kind of statement has all its keys, in their order,
// so that two changes lock rows in the same order.
const (
	// sqlCompare locks the rows of keys ($1). It divides by zero, which ends the transaction, unless $3 of the keys exist, each
	// with its value in $2. No planner can compute the division beforehand, since it depends on rows.
	sqlCompare = `SELECT 1 / (count(*) = $3::bigint AND count(*) FILTER (WHERE value = ($2::bytea[])[array_position($1::bytea[], key)]) = $3::bigint)::int
		FROM (SELECT key, value FROM records WHERE key = ANY ($1::bytea[]) ORDER BY key FOR UPDATE) AS locked`
	sqlInsert = `INSERT INTO records (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])`
	sqlStore  = sqlInsert + ` ON CONFLICT (key) DO UPDATE SET value = excluded.value`
	sqlRemove = `DELETE FROM records WHERE key = ANY ($1::bytea[])`
)

// sqlReplace is the only statement of a guess. It sets key $1 to value $2 if the key has value $3 and key $4 does not exist.
// The server takes a third of the time of sqlCompare and sqlStore, since it plans no arrays.
const sqlReplace = `UPDATE records SET value = $2 WHERE key = $1 AND value = $3 AND NOT EXISTS (SELECT 1 FROM records WHERE key = $4)`

// replacing returns the arguments of sqlReplace; ok means that this statement makes the whole change.
func replacing(c ordered.Change) (args []any, ok bool) {
	if len(c.If) != 2 || len(c.Set) != 1 {
		return nil, false
	}
	known, missing, set := c.If[0], c.If[1], c.Set[0]
	ok = known.Key == set.Key && known.Value != nil && set.Value != nil && missing.Key != set.Key && missing.Value == nil
	return []any{[]byte(set.Key), set.Value, known.Value, []byte(missing.Key)}, ok
}

// planOf returns the statements of a change, or game.ErrConflict if its conditions contradict each other.
func planOf(c ordered.Change) (b *pgx.Batch, err error) {
	b = &pgx.Batch{}
	conditions := map[string][]byte{} // without those of inserted keys, which sqlInsert checks
	for _, pair := range c.If {
		if other, twice := conditions[pair.Key]; twice && ((other == nil) != (pair.Value == nil) || !bytes.Equal(other, pair.Value)) {
			return nil, game.ErrConflict
		}
		conditions[pair.Key] = pair.Value
	}
	inserted, stored, removed := map[string][]byte{}, map[string][]byte{}, map[string][]byte{}
	for _, pair := range c.Set {
		old, named := conditions[pair.Key]
		switch {
		case pair.Value == nil:
			removed[pair.Key] = nil
		case named && old == nil:
			inserted[pair.Key] = pair.Value
			delete(conditions, pair.Key)
		default:
			stored[pair.Key] = pair.Value
		}
	}
	if keys, values, there := columns(conditions); len(keys) > 0 {
		b.Queue(sqlCompare, keys, values, there)
	}
	if keys, values, _ := columns(inserted); len(keys) > 0 {
		b.Queue(sqlInsert, keys, values)
	}
	if keys, values, _ := columns(stored); len(keys) > 0 {
		b.Queue(sqlStore, keys, values)
	}
	if keys, _, _ := columns(removed); len(keys) > 0 {
		b.Queue(sqlRemove, keys)
	}
	return b, nil
}

// columns returns the keys of pairs in order, their values, and how many values are not nil.
func columns(pairs map[string][]byte) (keys, values [][]byte, there int) {
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		keys, values = append(keys, []byte(key)), append(values, pairs[key])
		if pairs[key] != nil {
			there++
		}
	}
	return keys, values, there
}

// sending returns a function that carries out a change in one round trip. The function returns game.ErrConflict if a condition
// does not hold.
func sending(c ordered.Change) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		if args, ok := replacing(c); ok {
			done, err := conn.Exec(ctx, sqlReplace, args...)
			if err == nil && done.RowsAffected() == 0 {
				err = game.ErrConflict
			}
			return err
		}
		b, err := planOf(c)
		if err != nil || b.Len() == 0 {
			return err
		}
		err = conn.SendBatch(ctx, b).Close()
		switch codeOf(err) {
		case codeUnique, codeZero:
			return game.ErrConflict
		}
		return err
	}
}
