package postgres

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/record"
)

// playerTotals are the totals of a participant in a match that ends, in one scope.
type playerTotals struct {
	game.Scope
	game.Participant
	old game.Totals // without the match; set by lockTotals
}

// totalsOf returns the totals that a result changes, in the order in which they are locked.
func totalsOf(r game.Result) []*playerTotals {
	var all []*playerTotals
	for _, scope := range r.Scopes() {
		for _, p := range r.Participants {
			if p.Player != "" {
				all = append(all, &playerTotals{Scope: scope, Participant: p})
			}
		}
	}
	slices.SortFunc(all, func(a, b *playerTotals) int {
		return cmp.Or(cmp.Compare(a.Player, b.Player), cmp.Compare(a.Guild, b.Guild))
	})
	return all
}

// lockTotals locks the rows of totals and reads them. It first makes the missing ones, with an empty record,
// so that there is something to lock. All must be of one kind, have each player in each scope, and be in
// the order of totalsOf.
func lockTotals(b *pgx.Batch, k game.Kind, all []*playerTotals) {
	if len(all) == 0 {
		return
	}
	var players, guilds [][]byte
	for _, p := range all {
		players, guilds = append(players, key(p.Player)), append(guilds, key(p.Guild))
	}
	slices.SortFunc(guilds, bytes.Compare)
	players, guilds = slices.CompactFunc(players, bytes.Equal), slices.CompactFunc(guilds, bytes.Equal)
	b.Queue(sqlMakeAllTotals, players, key(k), guilds)
	b.Queue(sqlLockTotals, players, key(k), guilds).Query(func(rows pgx.Rows) error {
		n := 0
		var player, guild, data []byte
		_, err := pgx.ForEachRow(rows, []any{&player, &guild, &data}, func() (err error) {
			p := all[min(n, len(all)-1)]
			if n++; string(player) != string(p.Player) || string(guild) != string(p.Guild) {
				return errAgain // Clear has just removed one
			}
			p.old, err = decodeTotals(p.Player, data)
			return err
		})
		if err == nil && n != len(all) {
			err = errAgain
		}
		return err
	})
}

const (
	sqlMakeTotals    = `INSERT INTO totals (player, kind, guild, record) VALUES ($1, $2, $3, '') ON CONFLICT DO NOTHING`
	sqlMakeAllTotals = `INSERT INTO totals (player, kind, guild, record)
		SELECT p, $2, g, '' FROM unnest($1::bytea[]) AS p, unnest($3::bytea[]) AS g ORDER BY p, g ON CONFLICT DO NOTHING`
	sqlLockTotals = `SELECT player, guild, record FROM totals WHERE player = ANY($1) AND kind = $2 AND guild = ANY($3) ORDER BY player, guild FOR UPDATE`
)

func decodeTotals(player game.PlayerID, data []byte) (game.Totals, error) {
	if len(data) == 0 {
		return game.Totals{Player: player}, nil
	}
	return record.DecodeTotals(data)
}

// count adds a result to totals that are locked, and moves the player in the leaderboard. It calls grown
// with the player's new rank and with how many players its chunk has then.
func (p *playerTotals) count(b *pgx.Batch, r game.Result, grown func(s game.Scope, rank []byte, players int)) error {
	now := p.old.Add(r, p.Participant)
	data, err := record.EncodeTotals(now)
	if err != nil {
		return err
	}
	b.Queue(`UPDATE totals SET record = $4, rank = $5 WHERE player = $1 AND kind = $2 AND guild = $3`,
		key(p.Player), key(p.Kind), key(p.Guild), data, rankOf(p.Scope, now))
	if was, is := rankOf(p.Scope, p.old), rankOf(p.Scope, now); is != nil && !bytes.Equal(was, is) {
		if was != nil {
			leaveRank(b, p.Scope, was)
		}
		enterRank(b, p.Scope, is, func(players int) { grown(p.Scope, is, players) })
	}
	return nil
}

// rankOf returns a key that orders the players of a guild as [game.Totals.Compare] does, and players who
// compare equal by their identifiers. It is nil for totals without a place in a leaderboard.
func rankOf(s game.Scope, t game.Totals) []byte {
	if s.Guild == "" || t.Played == 0 {
		return nil
	}
	return append(rankBefore(t), t.Player...)
}

// rankBefore is rankOf without the player: it is less than the ranks of all players who compare equal.
func rankBefore(t game.Totals) []byte {
	b := binary.BigEndian.AppendUint32(nil, ^uint32(t.LowerBound()))
	b = binary.BigEndian.AppendUint64(b, ^uint64(t.WonCredit))
	b = binary.BigEndian.AppendUint64(b, uint64(t.Attempts))
	return binary.BigEndian.AppendUint32(b, ^uint32(t.Helped))
}

func (s *Store) Totals(ctx context.Context, scope game.Scope, player game.PlayerID) (t game.Totals, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		err := c.QueryRow(ctx, sqlTotals, key(player), key(scope.Kind), key(scope.Guild)).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			err = nil
		}
		if err == nil {
			t, err = decodeTotals(player, data)
		}
		return err
	})
	return t, err
}

const sqlTotals = `SELECT record FROM totals WHERE player = $1 AND kind = $2 AND guild = $3`

func (s *Store) Leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID, top int) (board game.Leaderboard, err error) {
	kind, guild := key(scope.Kind), key(scope.Guild)
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		board = game.Leaderboard{}
		tx, err := c.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx) // once ctx has ended, this closes the connection instead
		var own []byte
		b := &pgx.Batch{}
		b.Queue(sqlTop, guild, kind, top).Query(func(rows pgx.Rows) error {
			var data []byte
			_, err := pgx.ForEachRow(rows, []any{&data}, func() error {
				t, err := record.DecodeTotals(data)
				if err != nil {
					return err
				}
				place := len(board.Top) + 1
				if place > 1 && t.Compare(board.Top[place-2].Totals) == 0 {
					place = board.Top[place-2].Place
				}
				board.Top = append(board.Top, game.Row{Place: place, Totals: t})
				return nil
			})
			return err
		})
		b.Queue(sqlTotals, key(player), kind, guild).QueryRow(optional(nil, &own))
		b.Queue(sqlPlayers, guild, kind).QueryRow(func(row pgx.Row) error { return row.Scan(&board.Players) })
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		t, err := decodeTotals(player, own)
		if err != nil || t.Played == 0 {
			return err
		}
		var better int
		if err := tx.QueryRow(ctx, sqlBetter, guild, kind, rankBefore(t)).Scan(&better); errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("leaderboard: no chunk has a player's rank: %w", game.ErrDamaged)
		} else if err != nil {
			return err
		}
		board.Own = game.Row{Place: better + 1, Totals: t}
		return nil
	})
	return board, err
}

const sqlTop = `SELECT record FROM totals WHERE guild = $1 AND kind = $2 AND rank IS NOT NULL ORDER BY rank LIMIT $3`

func (s *Store) Results(ctx context.Context, after uint64, limit int) (results []game.Result, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		rows, err := c.Query(ctx, sqlResults, int64(after), limit)
		if err != nil {
			return err
		}
		results = nil
		var log int64
		var data []byte
		_, err = pgx.ForEachRow(rows, []any{&log, &data}, func() error {
			r, err := s.decodeResult(log, data)
			results = append(results, r)
			return err
		})
		return err
	})
	return results, err
}

const sqlResults = `SELECT log, record FROM results WHERE log > $1 ORDER BY log LIMIT $2`

func (s *Store) decodeResult(log int64, data []byte) (game.Result, error) {
	r, err := s.codecs.DecodeResult(data)
	if err != nil {
		return game.Result{}, fmt.Errorf("number %d: %w", log, err)
	}
	r.Number = uint64(log)
	return r, nil
}
