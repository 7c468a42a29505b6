package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Commit implements [ordered.Map].
//
// A transaction whose connection was lost while it waited for a synchronous replica is visible, but gone once that replica is
// promoted. So if this change may have been stored by a lost try, and now conflicts, perhaps with itself, one more commit
// waits for the replicas: they then have everything that was visible before.
func (m *Map) Commit(ctx context.Context, c ordered.Change) error {
	began, end := time.Now(), m.end(ctx)
	p, err := planOf(c)
	if err != nil {
		return err
	}
	doubt, err := m.retry(ctx, game.Committing(ctx), end, p.run)
	conflict := errors.Is(err, game.ErrConflict)
	if conflict && doubt {
		m.probed.Store(true)
		if _, failed := m.retry(ctx, game.Origin{}, end, storing(m.probe, []byte{1}).run); failed != nil {
			err, conflict = failed, false
		}
	}
	switch {
	case err == nil:
		m.Observer.Committed(1, time.Since(began))
	case conflict || ctx.Err() != nil:
	case doubt:
		// %v, since an ErrExpired would mean that it was not.
		err = fmt.Errorf("could not learn whether it was saved: %w: %v", context.DeadlineExceeded, err)
	case errors.Is(err, game.ErrExpired):
	default:
		err = fmt.Errorf("%w: %w", game.ErrNotSaved, err)
		m.Observer.NotSaved(err)
	}
	return err
}

// plan has the statements of a change. They are one transaction, since one Sync follows them all. READ COMMITTED suffices, and
// so do stricter levels: each condition is compared by the statement that changes its row, or locks it first, or is a unique
// key.
type plan struct {
	statements []statement
	changesOne bool // the only statement changes one row, or none if there is a conflict
}

type statement struct {
	sql  string
	args []any
}

// sqlConflict is 1 if a condition holds, and otherwise divides by zero, which ends the transaction. No planner can compute it
// beforehand, since it depends on rows.
const sqlConflict = `SELECT 1 / (%s)::int FROM `

// planOf returns the plan of a change, or game.ErrConflict if its conditions contradict each other.
//
// Each kind of statement has all its keys, in their order, so that two changes wait for each other's rows in the same order.
// There are at most four statements for up to maxRows keys. Their texts differ by the number of keys. Conditions are filled up
// to a power of two, and few numbers of keys are written, so a connection prepares each text once. (An array of keys would need
// only one text, but PostgreSQL makes a new plan for each array, which takes longer than the search.)
func planOf(c ordered.Change) (p plan, err error) {
	conditions := map[string][]byte{} // except those of keys that are inserted
	for _, pair := range c.If {
		if other, twice := conditions[pair.Key]; twice && ((other == nil) != (pair.Value == nil) || !bytes.Equal(other, pair.Value)) {
			return p, game.ErrConflict
		}
		conditions[pair.Key] = pair.Value
	}
	var inserted, stored, removed []ordered.Pair
	for _, pair := range c.Set {
		old, named := conditions[pair.Key]
		switch {
		case pair.Value == nil:
			removed = append(removed, pair)
		case named && old == nil:
			inserted = append(inserted, pair)
			delete(conditions, pair.Key)
		default:
			stored = append(stored, pair)
		}
	}
	if len(stored) == 1 && len(inserted)+len(removed) == 0 {
		if s, ok := update(stored[0], conditions); ok {
			return plan{[]statement{s}, true}, nil
		}
	}
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(conditions)), maxRows) {
		p.statements = append(p.statements, compare(keys, conditions))
	}
	each := func(pairs []ordered.Pair, f func([]ordered.Pair) statement) {
		slices.SortFunc(pairs, func(a, b ordered.Pair) int { return strings.Compare(a.Key, b.Key) })
		for some := range slices.Chunk(pairs, maxRows) {
			p.statements = append(p.statements, f(some))
		}
	}
	each(inserted, func(pairs []ordered.Pair) statement { return insert(pairs, "") })
	each(stored, func(pairs []ordered.Pair) statement {
		return insert(pairs, " ON CONFLICT (key) DO UPDATE SET value = excluded.value")
	})
	each(removed, remove)
	return p, nil
}

// update returns the statement for the most frequent change: one value is replaced, on condition that it has not changed and
// some other keys are missing.
func update(pair ordered.Pair, conditions map[string][]byte) (s statement, ok bool) {
	old := conditions[pair.Key]
	var missing []string
	for key, value := range conditions {
		if value == nil {
			missing = append(missing, key)
		} else if key != pair.Key {
			return s, false
		}
	}
	if old == nil {
		return s, false
	}
	s = statement{`UPDATE records SET value = $1 WHERE key = $2 AND value = $3`, []any{pair.Value, []byte(pair.Key), old}}
	if len(missing) > 0 {
		args := padded(missing)
		s.sql += ` AND NOT EXISTS (SELECT 1 FROM records WHERE key IN (` + parameters(4, len(args), 1) + `))`
		s.args = append(s.args, args...)
	}
	return s, true
}

// compare returns the statement that locks some keys, in their order, and fails unless each has its value or is missing.
func compare(keys []string, conditions map[string][]byte) statement {
	there := 0
	for _, key := range keys {
		if conditions[key] != nil {
			there++
		}
	}
	args := []any{there}
	var cases strings.Builder
	all := padded(keys)
	for i, key := range all {
		args = append(args, key, conditions[string(key.([]byte))])
		fmt.Fprintf(&cases, " WHEN $%d THEN $%d::bytea", 2*i+2, 2*i+3)
	}
	return statement{fmt.Sprintf(sqlConflict, `count(*) = $1::bigint AND count(*) FILTER (WHERE value = CASE key`+cases.String()+` END) = $1::bigint`) +
		`(SELECT key, value FROM records WHERE key IN (` + parameters(2, len(all), 2) + `) ORDER BY key FOR UPDATE) AS locked`, args}
}

// insert returns the statement that adds rows, with a clause for existing keys.
func insert(pairs []ordered.Pair, there string) statement {
	var args []any
	var rows []string
	for _, p := range pairs {
		args = append(args, []byte(p.Key), p.Value)
		rows = append(rows, "("+parameters(len(args)-1, 2, 1)+")")
	}
	return statement{`INSERT INTO records (key, value) VALUES ` + strings.Join(rows, ", ") + there, args}
}

func remove(pairs []ordered.Pair) statement {
	args := padded(game.Each(pairs, func(p ordered.Pair) string { return p.Key }))
	return statement{`DELETE FROM records WHERE key IN (` + parameters(1, len(args), 1) + `)`, args}
}

// storing is the plan that stores a value, or removes a key for nil, without conditions.
func storing(key string, value []byte) plan {
	p, _ := planOf(ordered.Change{Set: []ordered.Pair{{Key: key, Value: value}}}) // only conditions can conflict
	return p
}

// padded returns keys as arguments, the last one repeated up to a power of two.
func padded(keys []string) (args []any) {
	n := 1
	for n < len(keys) {
		n *= 2
	}
	for i := range n {
		args = append(args, []byte(keys[min(i, len(keys)-1)]))
	}
	return args
}

// parameters returns a list of n parameters: "$1, $3, $5" for the first 1 and the step 2.
func parameters(first, n, step int) string {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(append(b, '$'), int64(first+i*step), 10)
	}
	return string(b)
}

// run runs the statements in one round trip. It returns game.ErrConflict if a condition does not hold.
func (p plan) run(ctx context.Context, c *pgx.Conn) error {
	if len(p.statements) == 0 {
		return nil
	}
	changed, err := send(ctx, c, p.statements)
	if err == nil && p.changesOne && changed == 0 {
		return game.ErrConflict
	}
	return err
}

// send runs statements as one transaction, in one round trip. It returns how many rows the first one
// changed, or game.ErrConflict if one of them has failed because of a condition.
func send(ctx context.Context, c *pgx.Conn, statements []statement) (changed int64, err error) {
	var b pgx.Batch
	for _, s := range statements {
		b.Queue(s.sql, s.args...)
	}
	results := c.SendBatch(ctx, &b)
	tag, err := results.Exec()
	err = errors.Join(err, results.Close())
	switch codeOf(err) {
	case codeUnique, codeZero:
		return 0, game.ErrConflict
	}
	return tag.RowsAffected(), err
}
