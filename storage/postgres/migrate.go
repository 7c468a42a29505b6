package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"

	"fivefold/game"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The tables of goose: the migrations that were applied, and the process that is applying some now.
const (
	versionTable = "fivefold_schema"
	lockTable    = "fivefold_schema_lock"
)

// ErrSchema means that the database has no tables of ours yet, or those of an earlier release.
var ErrSchema = errors.New("the tables of this release are missing")

// Migrate makes the tables of this release in the database at postgres://…, or brings those of an
// earlier release up to date, and returns how many steps it took. Several processes may call it
// at once: each step is taken by one of them. It uses only the password of the options. Errors wrap
// [ErrURL], [ErrUnreachable], or [game.ErrNewer] for the tables of a later release, or are the server's;
// none shows a password.
func Migrate(ctx context.Context, url string, o Options) (steps int, err error) {
	config, err := parse(url, o)
	if err != nil {
		return 0, err
	}
	db := stdlib.OpenDB(*config.ConnConfig)
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, err
	}
	versions, err := database.NewStore(database.DialectPostgres, versionTable)
	if err != nil {
		return 0, err
	}
	// The lock is a row with a lease, since some databases have no advisory locks. A process that
	// dies keeps it until the lease ends.
	locker, err := lock.NewPostgresTableLocker(
		lock.WithTableName(lockTable), lock.WithTableLeaseDuration(30*time.Second), lock.WithTableHeartbeatInterval(5*time.Second),
		lock.WithTableLockTimeout(250*time.Millisecond, 2400), lock.WithTableLogger(slog.New(slog.DiscardHandler)),
	)
	if err != nil {
		return 0, err
	}
	provider, err := goose.NewProvider(goose.DialectCustom, db, files,
		goose.WithStore(versions), goose.WithLocker(speakingLocker{locker, o.withDefaults().Log}), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return 0, err
	}
	for races := 0; ; races++ {
		if err := checkAlone(ctx, config.ConnConfig, o.patience()); err != nil && !errors.Is(err, ErrSchema) {
			return 0, err
		}
		done, err := provider.Up(ctx)
		if races < 10 && isRaceOfTables(err) {
			time.Sleep(50 * time.Millisecond) // the other process has nearly made it
			continue
		}
		return len(done), err
	}
}

// checkAlone is checkSchema on a connection of its own. Its errors are also those of explainConnect.
func checkAlone(ctx context.Context, config *pgx.ConnConfig, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return explainConnect(err)
	}
	err = checkSchema(ctx, conn)
	if ctx.Err() != nil {
		err = explainConnect(err)
	}
	return errors.Join(err, conn.Close(ctx))
}

// isRaceOfTables reports whether an error comes from two processes that made the same table of goose at
// once, which CREATE TABLE IF NOT EXISTS does not prevent.
func isRaceOfTables(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && (failed.Code == codeUnique || failed.Code == codeDuplicateTable || isConflict(failed.Code))
}

// newestSchema is the version of the tables of this release.
func newestSchema() (version int64, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	for _, f := range files {
		n, err := goose.NumericComponent(f)
		if err != nil {
			return 0, err
		}
		version = max(version, n)
	}
	return version, err
}

// checkSchema returns an error that wraps ErrSchema or game.ErrNewer unless the tables are those of this
// release.
func checkSchema(ctx context.Context, c queryer) error {
	newest, err := newestSchema()
	if err != nil {
		return err
	}
	var version int64
	err = c.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable).Scan(&version)
	var failed *pgconn.PgError
	if errors.As(err, &failed) && failed.Code == codeNoTable {
		version, err = 0, nil
	}
	switch {
	case err != nil:
		return err
	case version > newest:
		return fmt.Errorf("the tables have version %d, and this release knows %d: %w", version, newest, game.ErrNewer)
	case version < newest:
		return fmt.Errorf("the tables have version %d, and this release needs %d: %w", version, newest, ErrSchema)
	}
	return nil
}

// queryer is a connection, a pool or a transaction.
type queryer interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
