package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/record"
)

// History implements [game.HistoryStore]. It reads what the filter's viewer may see: the public matches of
// a community, or of a player in it, and those that the viewer played alone there. Each part reads
// one index in the order of the numbers.
func (s *Store) History(ctx context.Context, f game.Filter) (entries []game.Entry, err error) {
	sql, args := historyQuery(f)
	if sql == "" || f.Limit <= 0 {
		return nil, ctx.Err()
	}
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		rows, err := c.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		entries = nil
		var number, log int64
		var data []byte
		_, err = pgx.ForEachRow(rows, []any{&number, &log, &data}, func() error {
			r, err := s.decodeResult(log, data)
			entries = append(entries, game.Entry{Number: uint64(number), Result: r})
			return err
		})
		return err
	})
	if f.From > 0 {
		slices.Reverse(entries)
	}
	return entries, err
}

// historyQuery returns the statement for a filter and its arguments. It is empty if no match can pass.
func historyQuery(f game.Filter) (sql string, args []any) {
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	before := int64(math.MaxInt64)
	if f.Before > 0 && f.Before < math.MaxInt64 {
		before = int64(f.Before)
	}
	number, order := "number", "DESC"
	if f.From > 0 {
		order = "ASC"
	}
	limit := arg(f.Limit)
	var passes strings.Builder
	also := func(format string, v any) { passes.WriteString(" AND " + fmt.Sprintf(format, arg(v))) }
	if f.Kind != "" {
		also("kind = %s", key(f.Kind))
	}
	if f.Status != "" {
		also("status = %s", key(f.Status))
	}
	if f.PlayedOut {
		also("status <> %s", key(game.Stopped))
	}
	if f.Answer != "" {
		also("answer = %s", key(f.Answer))
	}
	var parts []string
	part := func(table, of string, public bool) {
		where := of + fmt.Sprintf(" AND %s < %s", number, arg(before))
		if f.From > 0 {
			where += fmt.Sprintf(" AND %s >= %s", number, arg(int64(min(f.From, math.MaxInt64))))
		}
		if public && len(f.Without) > 0 {
			var without [][]byte
			for _, c := range f.Without {
				without = append(without, key(c))
			}
			where += fmt.Sprintf(" AND channel <> ALL(%s)", arg(without))
		}
		parts = append(parts, fmt.Sprintf("(SELECT %s AS number, match FROM %s WHERE %s%s ORDER BY %s %s LIMIT %s)",
			number, table, where, passes.String(), number, order, limit))
	}
	own := f.Viewer != "" && (f.Player == "" || f.Player == f.Viewer)
	switch {
	case f.Community == "":
		if own {
			number = "log"
			part("named", "player = "+arg(key(f.Viewer)), false)
		}
		own = false
	case f.Player == "":
		part("results", "community = "+arg(key(f.Community))+" AND public = true", true)
	default:
		part("named", "player = "+arg(key(f.Player))+" AND community = "+arg(key(f.Community))+" AND public = true", true)
	}
	if own {
		part("named", "player = "+arg(key(f.Viewer))+" AND community = "+arg(key(f.Community))+" AND public = false", false)
	}
	if parts == nil {
		return "", nil
	}
	return fmt.Sprintf("SELECT p.number, r.log, r.record FROM (SELECT number, match FROM (%s) AS both_lists ORDER BY number %s LIMIT %s) AS p JOIN results r ON r.match = p.match ORDER BY p.number %s",
		strings.Join(parts, " UNION ALL "), order, limit, order), args
}

func (s *Store) Finished(ctx context.Context, match game.MatchID) (f game.Finished, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		var version, number int64
		err := c.QueryRow(ctx, sqlFinished, key(match)).Scan(&version, &number, &data)
		if errors.Is(err, pgx.ErrNoRows) {
			return game.ErrNotInHistory
		}
		if err == nil {
			f.Number = uint64(number)
			f.Match, err = s.decodeMatch(key(match), version, data)
		}
		return err
	})
	return f, err
}

const sqlFinished = `SELECT version, number, record FROM matches WHERE id = $1 AND number IS NOT NULL`

func (s *Store) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	return s.write(ctx, func(ctx context.Context, t *try) error {
		var data []byte
		var version, number, log int64
		found := false
		b := &pgx.Batch{}
		beginIn(b)
		b.Queue(`SELECT version, number, log, record FROM matches WHERE id = $1 AND number IS NOT NULL FOR UPDATE`, key(match)).
			QueryRow(optional(&found, &version, &number, &log, &data))
		if err := t.send(ctx, b); err != nil {
			return err
		}
		if !found {
			return game.ErrNotInHistory
		}
		m, err := s.decodeMatch(key(match), version, data)
		if err != nil {
			return err
		}
		b = &pgx.Batch{}
		if !m.Result().Public() {
			named := m.Named()
			m.Shared = channel
			if err := s.rewrite(b, m, false); err != nil {
				return err
			}
			r := m.Result()
			b.Queue(`UPDATE results SET public = true, channel = $2 WHERE match = $1`, key(match), key(r.Channel()))
			for _, p := range named {
				b.Queue(`UPDATE named SET public = true, channel = $3 WHERE player = $1 AND log = $2`, key(p), log, key(r.Channel()))
			}
		}
		return t.commit(ctx, b)
	})
}

// rewrite stores a finished match and its result again. If unlisted is true, it also takes them out of the
// history of their community.
func (s *Store) rewrite(b *pgx.Batch, m game.Match, unlisted bool) error {
	match, err := s.codecs.EncodeMatch(m)
	if err != nil {
		return err
	}
	result, err := record.EncodeResult(m.Result())
	if err != nil {
		return err
	}
	// The key of a slot may name a player who is no longer in the match.
	b.Queue(`UPDATE matches SET record = $2, slot = $3, number = CASE WHEN NOT $4 THEN number END WHERE id = $1`,
		key(m.ID), match, key(m.Slot().Key()), unlisted)
	b.Queue(sqlRewriteResult, key(m.ID), result, unlisted)
	return nil
}

const sqlRewriteResult = `UPDATE results SET record = $2, number = CASE WHEN NOT $3 THEN number END WHERE match = $1`

func (s *Store) Review(ctx context.Context, match game.Match) (r game.Review, ok bool, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		err := c.QueryRow(ctx, sqlReview, key(match.ID)).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if r, err = s.codecs.DecodeReview(match.Kind, data); err != nil {
			return fmt.Errorf("match %s: %w", match.ID, err)
		}
		ok = true
		return nil
	})
	if errors.Is(err, game.ErrDamaged) { // it can be made again
		s.damaged(err)
		s.behind.add("damaged review "+string(match.ID), true, `DELETE FROM reviews WHERE match = $1`, key(match.ID))
		return nil, false, nil
	}
	return r, ok, err
}

const sqlReview = `SELECT record FROM reviews WHERE match = $1`

func (s *Store) SaveReview(ctx context.Context, match game.Match, r game.Review) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.codecs.EncodeReview(match.Kind, r)
	if err != nil {
		return fmt.Errorf("review of match %s: %w", match.ID, err)
	}
	// The lock keeps a clearing from removing the match from its history before the review is there.
	s.behind.add(fmt.Sprint("review ", match.Version, " ", match.ID), true, `INSERT INTO reviews (match, record)
		SELECT id, $2 FROM matches WHERE id = $1 AND version = $3 AND number IS NOT NULL FOR UPDATE
		ON CONFLICT (match) DO NOTHING`, key(match.ID), data, int64(match.Version))
	return nil
}
