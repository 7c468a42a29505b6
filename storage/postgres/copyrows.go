package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/record"
)

// copyBatch writes rows of another store in a transaction. ctx is the transaction's.
type copyBatch struct {
	ctx    context.Context
	tx     pgx.Tx
	codecs record.Codecs
}

// write adds rows of one table.
func (w *copyBatch) write(rows []record.Row) error {
	switch rows[0].Table {
	case record.TableMeta:
		return w.meta(rows)
	case record.TableDamaged:
		return w.insert("meta", rows, []string{"name", "value"}, func(r record.Row) ([]any, error) { return []any{damagedName(r.Key), r.Value}, nil })
	case record.TableCommunities:
		return w.insert("communities", rows, []string{"community", "number", "forgotten"}, func(r record.Row) ([]any, error) {
			n, err := numberOf(r.Value)
			return []any{r.Key, n, int64(0)}, err
		})
	case record.TableForgotten:
		return w.each(rows, `INSERT INTO communities (community, number, forgotten) VALUES ($1, 0, $2)
			ON CONFLICT (community) DO UPDATE SET forgotten = excluded.forgotten`, keyNumber)
	case record.TableResults:
		return w.results(rows)
	case record.TableMatches:
		return w.matches(rows)
	case record.TableSlots:
		return w.insert("slots", rows, []string{"key", "match", "player"}, func(r record.Row) ([]any, error) {
			var player []byte
			if rest, own := strings.CutPrefix(string(r.Key), "\x00"); own { // see game.PlayerKeyPrefix
				name, _, _ := strings.Cut(rest, "\x00")
				player = []byte(name)
			}
			return []any{r.Key, r.Value, player}, nil
		})
	case record.TableReceipts:
		return w.insert("receipts", rows, []string{"request", "match", "version", "made"}, func(r record.Row) ([]any, error) {
			receipt, err := record.DecodeReceipt(r.Value)
			var match []byte
			if receipt.Match != "" {
				match = key(receipt.Match)
			}
			return []any{r.Key, match, int64(receipt.Version), receipt.At.UnixMilli()}, err
		})
	case record.TableRecent:
		return w.insert("recent", rows, []string{"list", "answers"}, keyValue)
	case record.TablePuzzles:
		return w.insert("puzzles", rows, []string{"kind", "puzzle", "record"}, func(r record.Row) ([]any, error) {
			return append(parts(r.Key, 2), r.Value), nil
		})
	case record.TableArchive:
		return w.insert("archive", rows, []string{"player", "kind", "guild", "record"}, func(r record.Row) ([]any, error) {
			return append(parts(r.Key, 3), r.Value), nil
		})
	case record.TableClearing:
		return w.insert("clearing", rows, []string{"player", "log"}, keyNumber)
	case record.TableReviews:
		return w.insert("reviews", rows, []string{"match", "record"}, keyValue)
	case record.TableSessions:
		return w.insert("sessions", rows, []string{"player", "version", "record"}, func(r record.Row) ([]any, error) {
			s, err := record.DecodeSession(r.Value)
			return []any{r.Key, int64(s.Version), r.Value}, err
		})
	case record.TableLooks:
		return w.insert("looks", rows, []string{"player", "record"}, keyValue)
	case record.TableServers:
		return w.insert("servers", rows, []string{"guild", "record"}, keyValue)
	case record.TableBoards:
		return w.insert("board_messages", rows, []string{"slot", "match", "message"}, func(r record.Row) ([]any, error) {
			return append([]any{r.Key}, parts(r.Value, 2)...), nil
		})
	case record.TableTotals:
		return w.insert("totals", rows, []string{"player", "kind", "guild", "rank", "record"}, func(r record.Row) ([]any, error) {
			_, scope, err := record.ParseTotalsKey(r.Key)
			if err != nil {
				return nil, err
			}
			t, err := record.DecodeTotals(r.Value)
			return append(parts(r.Key, 3), rankOf(scope, t), r.Value), err
		})
	}
	return fmt.Errorf("there is no table %q", rows[0].Table)
}

// insert adds the values of each row to a table, by COPY.
func (w *copyBatch) insert(table string, rows []record.Row, columns []string, values func(record.Row) ([]any, error)) error {
	all := make([][]any, len(rows))
	for i, r := range rows {
		var err error
		if all[i], err = values(r); err != nil {
			return fmt.Errorf("%q: %w", r.Key, err)
		}
	}
	return w.copy(table, columns, all)
}

func (w *copyBatch) copy(table string, columns []string, rows [][]any) error {
	_, err := w.tx.CopyFrom(w.ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return err
}

// each runs a statement for each row.
func (w *copyBatch) each(rows []record.Row, sql string, values func(record.Row) ([]any, error)) error {
	b := &pgx.Batch{}
	for _, r := range rows {
		all, err := values(r)
		if err != nil {
			return fmt.Errorf("%q: %w", r.Key, err)
		}
		b.Queue(sql, all...)
	}
	return w.tx.SendBatch(w.ctx, b).Close()
}

func keyValue(r record.Row) ([]any, error) { return []any{r.Key, r.Value}, nil }

func keyNumber(r record.Row) ([]any, error) {
	n, err := numberOf(r.Value)
	return []any{r.Key, n}, err
}

func numberOf(b []byte) (int64, error) {
	if len(b) != 8 {
		return 0, fmt.Errorf("not a number: %w", game.ErrDamaged)
	}
	return int64(binary.BigEndian.Uint64(b)), nil
}

func (w *copyBatch) meta(rows []record.Row) error {
	for _, r := range rows {
		name := string(r.Key)
		switch name {
		case record.MetaGiven:
			n, err := numberOf(r.Value)
			if err != nil {
				return err
			}
			if _, err := w.tx.Exec(w.ctx, `SELECT setval('result_numbers', $1)`, n); err != nil {
				return err
			}
		case record.MetaGuilds, record.MetaForgotten, record.MetaSecret:
			if _, err := w.tx.Exec(w.ctx, `INSERT INTO meta (name, value) VALUES ($1, $2)`, name, r.Value); err != nil {
				return err
			}
		default:
			return fmt.Errorf("nobody knows what %q is", name)
		}
	}
	return nil
}

func (w *copyBatch) results(rows []record.Row) error {
	return w.insert("results", rows, []string{"match", "log", "community", "number", "public", "status", "kind", "channel", "answer", "record"},
		func(row record.Row) ([]any, error) {
			log, err := numberOf(row.Key)
			if err != nil {
				return nil, err
			}
			number, err := numberOf(row.Value[:min(8, len(row.Value))])
			if err != nil {
				return nil, err
			}
			data := row.Value[8:]
			r, err := w.codecs.DecodeResult(data)
			return []any{key(r.Match), log, key(r.Location.Community()), orNull(number), r.Public(), key(r.Status), key(r.Kind), key(r.Channel()), key(r.Answer), data}, err
		})
}

// orNull returns n, or nil if it is 0.
func orNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// numbers are those of a match in the log and in the history of its community, 0 if it is not there.
type numbers struct{ log, community int64 }

// matches adds matches. Those in a community's history are also added to the histories of the players whom
// they name. It needs their results, which move before them: see record.Tables.
func (w *copyBatch) matches(rows []record.Row) error {
	ids := make([][]byte, len(rows))
	for i, r := range rows {
		ids[i] = r.Key
	}
	given := map[string]numbers{}
	found, err := w.tx.Query(w.ctx, `SELECT match, log, coalesce(number, 0) FROM results WHERE match = ANY($1)`, ids)
	if err != nil {
		return err
	}
	var id []byte
	var n numbers
	if _, err := pgx.ForEachRow(found, []any{&id, &n.log, &n.community}, func() error {
		given[string(id)] = n
		return nil
	}); err != nil {
		return err
	}
	var named [][]any
	err = w.insert("matches", rows, []string{"id", "slot", "version", "requests", "playing", "began", "log", "number", "record"}, func(row record.Row) ([]any, error) {
		m, requests, err := w.codecs.DecodeMatchRow(row)
		if err != nil {
			return nil, err
		}
		_, data, err := record.DecodeEntry(row.Value)
		if err != nil {
			return nil, err
		}
		made := make([][]byte, len(requests))
		for i, r := range requests {
			made[i] = key(r)
		}
		n := given[string(row.Key)]
		if n.community > 0 {
			named = append(named, namedRows(m.Result(), m.Named(), n)...)
		}
		return []any{row.Key, key(m.Slot().Key()), int64(m.Version), made, m.Status() == game.Playing, m.Unfinished("").Began.UnixMilli(),
			orNull(n.log), orNull(n.community), data}, nil
	})
	if err != nil {
		return err
	}
	return w.names(named)
}

func (w *copyBatch) names(rows [][]any) error {
	return w.copy("named", []string{"player", "log", "match", "community", "number", "public", "status", "kind", "channel", "answer"}, rows)
}

// namedRows returns the rows of the table named for a match.
func namedRows(r game.Result, named []game.PlayerID, n numbers) (rows [][]any) {
	for _, p := range named {
		rows = append(rows, []any{key(p), n.log, key(r.Match), key(r.Location.Community()), n.community, r.Public(),
			key(r.Status), key(r.Kind), key(r.Channel()), key(r.Answer)})
	}
	return rows
}

// nameLost adds results whose matches were lost to the histories of the players who took part: the results
// still name these.
func (w *copyBatch) nameLost() error {
	for after := int64(0); ; {
		rows, err := w.tx.Query(w.ctx, `SELECT r.log, r.number, r.record FROM results r WHERE r.log > $1 AND r.number IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.id = r.match) ORDER BY r.log LIMIT 1000`, after)
		if err != nil {
			return err
		}
		var n numbers
		var data []byte
		var named [][]any
		found := 0
		_, err = pgx.ForEachRow(rows, []any{&n.log, &n.community, &data}, func() error {
			found++
			after = n.log
			r, err := w.codecs.DecodeResult(data)
			if err != nil {
				return err
			}
			var players []game.PlayerID
			for _, p := range r.Participants {
				if p.Player != "" && !slices.Contains(players, p.Player) {
					players = append(players, p.Player)
				}
			}
			named = append(named, namedRows(r, players, n)...)
			return nil
		})
		if err != nil || found == 0 {
			return err
		}
		if err := w.names(named); err != nil {
			return err
		}
	}
}
