package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fivefold/game"
)

// schema is the version of the tables of this release.
const schema = 1

// sqlTables makes the tables, in one transaction where a database supports that. Its SELECT fails if another program's table
// has the name. Keys and values are bytea, so that they are ordered by their bytes, whatever the collation. Pages are left a
// third empty, so that the next version of a value finds room in the same page and the index stays as it is.
var sqlTables = fmt.Sprintf(`
	CREATE TABLE IF NOT EXISTS records (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70);
	SELECT key, value FROM records LIMIT 0;
	CREATE TABLE IF NOT EXISTS fivefold_schema (version bigint PRIMARY KEY);
	INSERT INTO fivefold_schema (version) VALUES (%d) ON CONFLICT (version) DO NOTHING`, schema)

// ErrSchema means that the database does not have our tables yet.
var ErrSchema = errors.New("the tables of this release are missing")

// Migrate makes the tables of this release in the database at postgres://…. It returns 1, or 0 if the tables are there. Several
// processes may call it at once: one of them makes the tables. Errors wrap [ErrURL], [ErrUnreachable], or [game.ErrNewer] for
// the tables of a later release, or are the server's. They never show a password.
func Migrate(ctx context.Context, url string, o Options) (steps int, err error) {
	o = o.WithDefaults()
	config, err := parse(url, o)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Patience+step(o)) // longer than a statement waits for a lock
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return 0, explainConnect(err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if err := checkSchema(ctx, conn, o.Patience); !errors.Is(err, ErrSchema) {
		return 0, err
	}
	all, err := together(ctx, conn, o.Patience, sqlTables)
	switch codeOf(err) {
	case codeUnique, codeDuplicateTable, codeDuplicateType: // IF NOT EXISTS does not see what another process makes at this moment
		return 0, checkSchema(ctx, conn, o.Patience)
	}
	if err != nil {
		return 0, err
	}
	return int(all[len(all)-1].CommandTag.RowsAffected()), nil
}

// checkSchema returns an error that wraps ErrSchema or game.ErrNewer unless the tables are those of this
// release.
func checkSchema(ctx context.Context, conn *pgx.Conn, patience time.Duration) error {
	version := int64(0)
	all, err := together(ctx, conn, patience, "SELECT coalesce(max(version), 0) FROM fivefold_schema")
	if codeOf(err) == codeNoTable {
		err = nil
	} else if err == nil {
		version, err = strconv.ParseInt(string(all[len(all)-1].Rows[0][0]), 10, 64)
	}
	switch {
	case err != nil:
		return err
	case version > schema:
		return fmt.Errorf("the tables have version %d, and this release knows %d: %w", version, schema, game.ErrNewer)
	case version < schema:
		return fmt.Errorf("the tables have version %d, and this release needs %d: %w", version, schema, ErrSchema)
	}
	return nil
}

// together runs statements as one transaction, which waits for locks of other sessions no longer than patience.
func together(ctx context.Context, conn *pgx.Conn, patience time.Duration, sql string) ([]*pgconn.Result, error) {
	all, err := conn.PgConn().Exec(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d; ", patience.Milliseconds())+sql).ReadAll()
	switch {
	case codeOf(err) == codeLocked:
		err = fmt.Errorf("another session has locked the tables: %w", err)
	case err != nil && codeOf(err) == "": // the connection was lost, or ctx has ended
		err = explainConnect(err)
	}
	return all, err
}
