package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/record"
)

// metaCopy is the name of a record.Mark in the table meta, which is there while records are copied into
// the database.
const metaCopy = "copy"

// metaDamaged is the prefix of names in the table meta for records that another store could not read.
// The place of the record in that store follows, in hexadecimal digits.
const metaDamaged = "damaged "

// ErrUnfinished means that a copy into a database has begun and is not complete.
var ErrUnfinished = errors.New("a copy into it was not finished")

// movedTable says how the rows of a table move to another store.
type movedTable struct {
	table record.Table
	// sql selects the rows after a key, in the order of the keys.
	sql string
	// after turns that key into the arguments of sql: one for each of its parts.
	after func(key []byte) []any
	// row makes a row from the values that sql selects.
	row func(values []any) record.Row
}

// movedTables has an entry for each table of package record except TableMeta, which metaRows reads.
var movedTables = []movedTable{
	{record.TableDamaged, `SELECT name, value FROM meta WHERE name LIKE '` + metaDamaged + `%' AND name > $1 ORDER BY name`,
		func(key []byte) []any {
			if key == nil {
				return []any{""}
			}
			return []any{damagedName(key)}
		},
		func(v []any) record.Row {
			key, _ := hex.DecodeString(strings.TrimPrefix(v[0].(string), metaDamaged)) // we wrote it
			return record.Row{Key: key, Value: v[1].([]byte)}
		}},
	{record.TableCommunities, `SELECT community, number FROM communities WHERE community > $1 AND number > 0 ORDER BY community`, oneKey, keyAndNumber},
	{record.TableForgotten, `SELECT community, forgotten FROM communities WHERE community > $1 AND forgotten > 0 ORDER BY community`, oneKey, keyAndNumber},
	{record.TableResults, `SELECT log, coalesce(number, 0), record FROM results WHERE log > $1 ORDER BY log`,
		func(key []byte) []any {
			if len(key) != 8 {
				return []any{int64(0)}
			}
			return []any{int64(binary.BigEndian.Uint64(key))}
		},
		func(v []any) record.Row {
			return record.Row{Key: bigEndian(v[0]), Value: append(bigEndian(v[1]), v[2].([]byte)...)}
		}},
	{record.TableMatches, `SELECT id, requests, record FROM matches WHERE id > $1 ORDER BY id`, oneKey,
		func(v []any) record.Row {
			var requests [][]byte
			for _, r := range v[1].([]any) {
				request, _ := r.([]byte)
				requests = append(requests, request)
			}
			return record.Row{Key: v[0].([]byte), Value: record.EncodeEntry(requests, v[2].([]byte))}
		}},
	{record.TableSlots, `SELECT key, match FROM slots WHERE key > $1 ORDER BY key`, oneKey, keyAndValue},
	{record.TableReceipts, `SELECT request, coalesce(match, ''), version, made FROM receipts WHERE request > $1 ORDER BY request`, oneKey,
		func(v []any) record.Row {
			r := record.Receipt{Version: uint64(v[2].(int64)), At: time.UnixMilli(v[3].(int64)), Match: game.MatchID(v[1].([]byte))}
			return record.Row{Key: v[0].([]byte), Value: r.Encode()}
		}},
	{record.TableRecent, `SELECT list, answers FROM recent WHERE list > $1 ORDER BY list`, oneKey, keyAndValue},
	{record.TablePuzzles, `SELECT kind, puzzle, record FROM puzzles WHERE (kind, puzzle) > ($1, $2) ORDER BY kind, puzzle`,
		func(key []byte) []any { return parts(key, 2) },
		func(v []any) record.Row { return record.Row{Key: join(v[:2]), Value: v[2].([]byte)} }},
	{record.TableArchive, `SELECT player, kind, guild, record FROM archive WHERE (player, kind, guild) > ($1, $2, $3) ORDER BY player, kind, guild`, threeKeys, threeKeysAndValue},
	{record.TableClearing, `SELECT player, log FROM clearing WHERE player > $1 ORDER BY player`, oneKey, keyAndNumber},
	{record.TableReviews, `SELECT match, record FROM reviews WHERE match > $1 ORDER BY match`, oneKey, keyAndValue},
	{record.TableSessions, `SELECT player, record FROM sessions WHERE player > $1 ORDER BY player`, oneKey, keyAndValue},
	{record.TableLooks, `SELECT player, record FROM looks WHERE player > $1 ORDER BY player`, oneKey, keyAndValue},
	{record.TableServers, `SELECT guild, record FROM servers WHERE guild > $1 ORDER BY guild`, oneKey, keyAndValue},
	{record.TableBoards, `SELECT slot, match, message FROM board_messages WHERE slot > $1 ORDER BY slot`, oneKey,
		func(v []any) record.Row { return record.Row{Key: v[0].([]byte), Value: join(v[1:])} }},
	{record.TableTotals, `SELECT player, kind, guild, record FROM totals WHERE (player, kind, guild) > ($1, $2, $3) AND length(record) > 0 ORDER BY player, kind, guild`,
		threeKeys, threeKeysAndValue},
}

func damagedName(place []byte) string { return metaDamaged + hex.EncodeToString(place) }

// oneKey turns nil into an empty key: no row is after NULL.
func oneKey(key []byte) []any { return []any{append([]byte{}, key...)} }

func threeKeys(key []byte) []any { return parts(key, 3) }

// parts cuts a key at NUL into n parts; missing ones are empty.
func parts(key []byte, n int) []any {
	all := bytes.SplitN(key, []byte{0}, n)
	values := make([]any, n)
	for i := range values {
		values[i] = []byte{}
		if i < len(all) {
			values[i] = append([]byte{}, all[i]...)
		}
	}
	return values
}

// join is the inverse of parts.
func join(values []any) []byte {
	var all [][]byte
	for _, v := range values {
		all = append(all, v.([]byte))
	}
	return bytes.Join(all, []byte{0})
}

func bigEndian(v any) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v.(int64))) }

func keyAndValue(v []any) record.Row {
	return record.Row{Key: v[0].([]byte), Value: v[1].([]byte)}
}

func keyAndNumber(v []any) record.Row {
	return record.Row{Key: v[0].([]byte), Value: bigEndian(v[1])}
}

func threeKeysAndValue(v []any) record.Row {
	return record.Row{Key: join(v[:3]), Value: v[3].([]byte)}
}

// Copying is a database from which or into which records are copied. It uses one connection, which it
// does not open again if it is lost: then the copy must be started again, and goes on where it
// ended. It is not safe for concurrent use.
type Copying struct {
	conn   *pgx.Conn
	codecs record.Codecs
	mark   []byte // as it is stored
	chunk  int    // players in a chunk of a leaderboard
}

// OpenCopySource opens a database to copy its records elsewhere. The caller closes it. Errors wrap those
// of [Open].
func OpenCopySource(ctx context.Context, url string, codecs record.Codecs, o Options) (*Copying, error) {
	c, err := openCopying(ctx, url, codecs, o)
	if err != nil {
		return nil, err
	}
	if err := unfinished(ctx, c.conn); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// OpenCopyTarget opens a database to copy records into it: one without records, or one with an unfinished
// copy. The caller closes it. Errors wrap those of [Open], and [record.ErrNotEmpty] if the database has
// other records.
func OpenCopyTarget(ctx context.Context, url string, codecs record.Codecs, o Options) (*Copying, error) {
	c, err := openCopying(ctx, url, codecs, o)
	if err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func openCopying(ctx context.Context, url string, codecs record.Codecs, o Options) (*Copying, error) {
	config, err := parse(url, o)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, explainConnect(err)
	}
	c := &Copying{conn: conn, codecs: codecs, chunk: maxChunk / 2}
	if err := checkSchema(ctx, conn); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// unfinished returns ErrUnfinished if a copy into the database is not complete.
func unfinished(ctx context.Context, q queryer) error {
	var found bool
	err := q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM meta WHERE name = $1)`, metaCopy).Scan(&found)
	if err == nil && found {
		err = ErrUnfinished
	}
	return err
}

// Close closes the connection.
func (c *Copying) Close() error { return c.conn.Close(context.Background()) }

// begin reads the mark of an unfinished copy, or makes the mark of a new one in a database without records.
func (c *Copying) begin(ctx context.Context) error {
	err := c.conn.QueryRow(ctx, `SELECT value FROM meta WHERE name = $1`, metaCopy).Scan(&c.mark)
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	filled := []string{`SELECT 1 FROM meta WHERE name <> 'probe'`}
	for _, table := range slices.Concat(recordTables, derivedTables) {
		filled = append(filled, `SELECT 1 FROM `+table)
	}
	for _, sql := range filled {
		var found bool
		if err := c.conn.QueryRow(ctx, `SELECT EXISTS (`+sql+`)`).Scan(&found); err != nil {
			return err
		}
		if found {
			return record.ErrNotEmpty
		}
	}
	if c.mark, err = json.Marshal(record.Mark{}); err != nil {
		return err
	}
	_, err = c.conn.Exec(ctx, `INSERT INTO meta (name, value) VALUES ($1, $2)`, metaCopy, c.mark)
	return err
}

// derivedTables are the tables that are made from records.
var derivedTables = []string{"named", "rank_chunks"}

// recordTables are the tables that have records, apart from meta.
var recordTables = []string{
	"communities", "results", "matches", "slots", "receipts", "recent", "puzzles", "archive", "clearing", "reviews", "sessions", "looks", "servers",
	"board_messages", "totals",
}

// Fingerprint returns a text that differs after nearly every change of the records, by any process. It
// reads whole tables.
func (c *Copying) Fingerprint(ctx context.Context) (string, error) {
	var secret []byte
	var given, results, newest, matches, versions, receipts, made, sessions, sessionVersions, reviews int64
	err := c.conn.QueryRow(ctx, sqlFingerprint).
		Scan(&secret, &given, &results, &newest, &matches, &versions, &receipts, &made, &sessions, &sessionVersions, &reviews)
	return fmt.Sprintf("database %x results %d %d %d matches %d %d receipts %d %d sessions %d %d reviews %d", sha256.Sum256(secret),
		given, results, newest, matches, versions, receipts, made, sessions, sessionVersions, reviews), err
}

const (
	sqlGiven       = `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM result_numbers`
	sqlFingerprint = `SELECT coalesce((SELECT value FROM meta WHERE name = 'secret'), ''), (` + sqlGiven + `),
	(SELECT count(*) FROM results), (SELECT coalesce(max(log), 0) FROM results),
	(SELECT count(*) FROM matches), (SELECT coalesce(sum(version), 0)::bigint FROM matches),
	(SELECT count(*) FROM receipts), (SELECT coalesce(max(made), 0) FROM receipts),
	(SELECT count(*) FROM sessions), (SELECT coalesce(sum(version), 0)::bigint FROM sessions),
	(SELECT count(*) FROM reviews)`
)

// Count returns about how many rows there are. It reads whole tables.
func (c *Copying) Count(ctx context.Context) (n int, err error) {
	for _, table := range recordTables {
		var rows int
		if err := c.conn.QueryRow(ctx, `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
			return 0, err
		}
		n += rows
	}
	return n, nil
}

// Rows calls f with the rows of a table that follow the key after, or with all rows if after is nil,
// in an order that is always the same. It does not decode records, and returns the first error of f.
// F must not use c.
func (c *Copying) Rows(ctx context.Context, t record.Table, after []byte, f func(record.Row) error) error {
	if t == record.TableMeta {
		return c.metaRows(ctx, after, f)
	}
	m, err := movedAs(t)
	if err != nil {
		return err
	}
	rows, err := c.conn.Query(ctx, m.sql, m.after(after)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		r := m.row(values)
		r.Table = t
		if err := f(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

func movedAs(t record.Table) (movedTable, error) {
	for _, m := range movedTables {
		if m.table == t {
			return m, nil
		}
	}
	return movedTable{}, fmt.Errorf("no table has the rows of %q", t)
}

func (c *Copying) metaRows(ctx context.Context, after []byte, f func(record.Row) error) error {
	for _, name := range []string{record.MetaGuilds, record.MetaForgotten, record.MetaGiven, record.MetaSecret} {
		var value []byte
		var err error
		if name == record.MetaGiven {
			var given int64
			if err = c.conn.QueryRow(ctx, sqlGiven).Scan(&given); given > 0 {
				value = bigEndian(given)
			}
		} else {
			err = c.conn.QueryRow(ctx, `SELECT value FROM meta WHERE name = $1`, name).Scan(&value)
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if len(value) == 0 || after != nil && name <= string(after) {
			continue
		}
		if err := f(record.Row{Table: record.TableMeta, Key: []byte(name), Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// Mark returns how far a copy into the database has come; it is zero before the first row.
func (c *Copying) Mark(context.Context) (m record.Mark, err error) {
	err = json.Unmarshal(c.mark, &m)
	return m, err
}

// errOther means that two copies into one database run at once.
var errOther = errors.New("another process copies into it too")

// Write adds rows of one table and sets the mark, in one transaction. An error that wraps
// [game.ErrDamaged] names the row that cannot be read.
func (c *Copying) Write(ctx context.Context, rows []record.Row, mark record.Mark) error {
	next, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, c.conn, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, `UPDATE meta SET value = $2 WHERE name = $1 AND value = $3`, metaCopy, next, c.mark)
		switch {
		case err != nil:
			return err
		case done.RowsAffected() != 1:
			return errOther
		case len(rows) == 0:
			return nil
		}
		w := &copyBatch{ctx: ctx, tx: tx, codecs: c.codecs}
		if err := w.write(rows); err != nil {
			return fmt.Errorf("%s: %w", rows[0].Table, err)
		}
		return nil
	})
	if err == nil {
		c.mark = next
	}
	return err
}

// sqlCutRanks cuts all leaderboards into chunks of $1 players: see ranks.go.
const sqlCutRanks = `INSERT INTO rank_chunks (guild, kind, bound, players)
	SELECT guild, kind, CASE WHEN n = 0 THEN ''::bytea ELSE rank END, least($1::bigint, players - n) FROM (
		SELECT guild, kind, rank, row_number() OVER (PARTITION BY guild, kind ORDER BY rank) - 1 AS n, count(*) OVER (PARTITION BY guild, kind) AS players
		FROM totals WHERE rank IS NOT NULL) AS r
	WHERE n % $1::bigint = 0`

// Finish makes the derived tables and removes the mark, so that [Open] opens the database. Afterwards only
// Close may be called.
func (c *Copying) Finish(ctx context.Context) error {
	return pgx.BeginFunc(ctx, c.conn, func(tx pgx.Tx) error {
		w := &copyBatch{ctx: ctx, tx: tx, codecs: c.codecs}
		if err := w.nameLost(); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sqlCutRanks, c.chunk); err != nil {
			return err
		}
		done, err := tx.Exec(ctx, `DELETE FROM meta WHERE name = $1 AND value = $2`, metaCopy, c.mark)
		if err == nil && done.RowsAffected() != 1 {
			err = errOther
		}
		return err
	})
}
