package postgres

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/record"
)

// forgetBatch is how many matches are removed in one transaction.
const forgetBatch = 25

// Forget implements [game.HistoryStore]. It removes results from the beginning of the log, batch by
// batch. Each batch is added to the archive in the same transaction, so that archive + log = totals at
// every moment; totals and leaderboards do not change. As in finishClear, a batch begins where the
// previous one ended.
func (s *Store) Forget(ctx context.Context, before time.Time) (removed int, err error) {
	pass := 0 // removed since it was at the beginning of the log
	for after := int64(0); ; {
		began := time.Now()
		var batch int
		var next int64
		if err := s.write(ctx, func(ctx context.Context, t *try) (err error) {
			batch, next, err = s.forgetSome(ctx, t, before, after)
			return err
		}); err != nil {
			return removed, err
		}
		after = next
		removed += batch
		pass += batch
		if after == 0 {
			if pass == 0 {
				return removed, nil
			}
			pass = 0 // once more from the beginning, as in finishClear
		}
		s.rest(ctx, time.Since(began))
	}
}

// forgetSome removes the next matches after a number in the log, up to the first one that did not end
// before a time. It returns how many there were, and the number after which there may be more, or 0
// if there are none.
func (s *Store) forgetSome(ctx context.Context, t *try, before time.Time, after int64) (removed int, next int64, err error) {
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(lockHistories)
	var ids [][]byte
	var last int64
	b.Queue(sqlOldest, after, s.forgetBatch).Query(collectUpTo(&ids, &last))
	if err := t.send(ctx, b); err != nil {
		return 0, 0, err
	}
	all, err := s.lockFinished(ctx, t, ids)
	if err != nil {
		return 0, 0, err
	}
	b = &pgx.Batch{}
	archived := archived{}
	for _, f := range all {
		if !f.ended().Before(before) {
			break
		}
		removed++
		if err := s.forget(ctx, t, b, f, archived); err != nil {
			return 0, 0, err
		}
	}
	if err := archived.store(b); err != nil {
		return 0, 0, err
	}
	if removed == len(all) && len(ids) == s.forgetBatch {
		next = last
	}
	return removed, next, t.commit(ctx, b)
}

const sqlOldest = `SELECT match, log FROM results WHERE log > $1 ORDER BY log LIMIT $2`

// archived are the totals in the archive that a transaction changes.
type archived map[archiveKey]game.Totals

type archiveKey struct {
	game.Scope
	player game.PlayerID
}

// forget removes a match with all that belongs to it, and adds its result to sums.
func (s *Store) forget(ctx context.Context, t *try, b *pgx.Batch, f finished, sums archived) error {
	r := f.Result()
	for _, p := range r.Participants {
		if p.Player == "" {
			continue
		}
		var upTo int64
		err := t.QueryRow(ctx, `SELECT log FROM clearing WHERE player = $1`, key(p.Player)).Scan(&upTo)
		switch {
		case err == nil && f.log <= upTo:
			continue // it no longer counts for a player who is being made anonymous
		case err != nil && !errors.Is(err, pgx.ErrNoRows):
			return err
		}
		for _, scope := range r.Scopes() {
			k := archiveKey{scope, p.Player}
			old, known := sums[k]
			if !known {
				var data []byte
				if err := t.QueryRow(ctx, `SELECT record FROM archive WHERE player = $1 AND kind = $2 AND guild = $3`,
					key(p.Player), key(scope.Kind), key(scope.Guild)).Scan(&data); err != nil && !errors.Is(err, pgx.ErrNoRows) {
					return err
				}
				if old, err = decodeTotals(p.Player, data); err != nil {
					return err
				}
			}
			sums[k] = old.Add(r, p)
		}
	}
	id := key(f.ID)
	if f.number > 0 { // otherwise its players have had it cleared, and it is in no history
		b.Queue(`UPDATE communities SET forgotten = $2 WHERE community = $1 AND forgotten < $2`, key(f.Location.Community()), f.number)
		for _, p := range f.Named() {
			b.Queue(`DELETE FROM named WHERE player = $1 AND log = $2`, key(p), f.log)
		}
	}
	b.Queue(`DELETE FROM receipts WHERE match = $1 AND request = ANY(ARRAY(SELECT unnest(requests) FROM matches WHERE id = $1))`, id)
	b.Queue(`DELETE FROM slots WHERE key = (SELECT slot FROM matches WHERE id = $1) AND match = $1`, id)
	b.Queue(`DELETE FROM reviews WHERE match = $1`, id)
	b.Queue(`DELETE FROM results WHERE match = $1`, id)
	b.Queue(`DELETE FROM matches WHERE id = $1`, id)
	return nil
}

// store writes the totals to the archive.
func (all archived) store(b *pgx.Batch) error {
	for k, totals := range all {
		data, err := record.EncodeTotals(totals)
		if err != nil {
			return err
		}
		b.Queue(`INSERT INTO archive (player, kind, guild, record) VALUES ($1, $2, $3, $4)
			ON CONFLICT (player, kind, guild) DO UPDATE SET record = excluded.record`, key(k.player), key(k.Kind), key(k.Guild), data)
	}
	return nil
}

func (s *Store) Forgotten(ctx context.Context, community string) (n uint64, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var forgotten int64
		err := c.QueryRow(ctx, sqlForgotten, key(community)).Scan(&forgotten)
		if errors.Is(err, pgx.ErrNoRows) {
			err = nil
		}
		n = uint64(forgotten)
		return err
	})
	return n, err
}

const sqlForgotten = `SELECT forgotten FROM communities WHERE community = $1`

const (
	// receiptsKept is how long a receipt is kept, as [game.Change] promises.
	receiptsKept = 24 * time.Hour
	// receiptBatch is how many receipts are removed in one transaction.
	receiptBatch = 500
)

// removeReceipts removes old receipts, batch by batch. Their age is counted from now or from the
// latest receipt, whichever is earlier, since our clock or Discord's may be wrong.
func (s *Store) removeReceipts(ctx context.Context) error {
	var latest int64
	err := s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		return c.QueryRow(ctx, sqlLatestReceipt).Scan(&latest)
	})
	if err != nil {
		return err
	}
	before := min(latest, time.Now().UnixMilli()) - receiptsKept.Milliseconds()
	for from := int64(math.MinInt64); ; { // a batch begins where the previous one ended, as in Forget
		began := time.Now()
		var removed int
		var next int64
		if err := s.write(ctx, func(ctx context.Context, t *try) error {
			rows, err := t.Query(ctx, sqlRemoveReceipts, from, before, s.receiptBatch)
			if err != nil {
				return err
			}
			removed, next = 0, from
			var made int64
			_, err = pgx.ForEachRow(rows, []any{&made}, func() error {
				removed++
				next = max(next, made)
				return nil
			})
			return err
		}); err != nil {
			return err
		}
		if removed < s.receiptBatch {
			return nil
		}
		from = next
		s.rest(ctx, time.Since(began))
	}
}

const (
	sqlLatestReceipt  = `SELECT coalesce(max(made), 0) FROM receipts`
	sqlRemoveReceipts = `DELETE FROM receipts WHERE request = ANY(ARRAY(SELECT request FROM receipts WHERE made >= $1 AND made < $2 ORDER BY made LIMIT $3)) RETURNING made`
)
