package postgres_test

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3/lock"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestMigrate: processes that migrate at once make each table once, and a store opens only
// with the tables of its release.
func TestMigrate(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context()
	if _, err := postgres.Open(ctx, url, testCodecs, postgres.Options{}); !errors.Is(err, postgres.ErrSchema) {
		t.Errorf("opening a database without tables: %v", err)
	}
	var wg sync.WaitGroup
	steps, errs := make([]int, 4), make([]error, 4)
	for i := range steps {
		wg.Go(func() { steps[i], errs[i] = postgres.Migrate(ctx, url, postgres.Options{}) })
	}
	wg.Wait()
	done := 0
	for i, n := range steps {
		done += n
		if errs[i] != nil {
			t.Errorf("one of several at once: %v", errs[i])
		}
	}
	if done != 1 {
		t.Errorf("%d steps were taken, want 1", done)
	}
	if again, err := postgres.Migrate(ctx, url, postgres.Options{}); again != 0 || err != nil {
		t.Errorf("migrating again: %d steps, %v", again, err)
	}
	if err := mustOpen(t, url).Close(); err != nil {
		t.Error(err)
	}
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, `INSERT INTO fivefold_schema (version_id, is_applied) VALUES (99, true)`); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(ctx, url, testCodecs, postgres.Options{}); !errors.Is(err, game.ErrNewer) {
		t.Errorf("opening the tables of a later release: %v", err)
	}
	if _, err := postgres.Migrate(ctx, url, postgres.Options{}); !errors.Is(err, game.ErrNewer) {
		t.Errorf("migrating the tables of a later release: %v", err)
	}
}

// TestMigrateSaysWhomItWaitsFor: while another process makes the tables, its name is in the log.
func TestMigrateSaysWhomItWaitsFor(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, `CREATE TABLE fivefold_schema_lock (lock_id bigint PRIMARY KEY, locked boolean, locked_at timestamptz,
		locked_by text, lease_expires_at timestamptz, updated_at timestamptz)`); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(ctx, `INSERT INTO fivefold_schema_lock VALUES ($1, true, now(), 'db-host-4711', now() + interval '1 hour', now())`, lock.DefaultLockID); err != nil {
		t.Fatal(err)
	}
	out, log := io.Pipe()
	migrated := make(chan error, 1)
	go func() {
		_, err := postgres.Migrate(ctx, url, postgres.Options{Log: slog.New(slog.NewTextHandler(log, nil))})
		migrated <- errors.Join(err, log.Close())
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "process=db-host-4711") {
		t.Errorf("it says %q, %v", line, err)
	}
	if _, err := c.Exec(ctx, "UPDATE fivefold_schema_lock SET locked = false"); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Error(err)
	}
}
