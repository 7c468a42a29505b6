package postgres_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestMigrate: processes that migrate at once make the tables once, and a map opens only
// with the tables of its release.
func TestMigrate(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context()
	patient := postgres.Options{Patience: time.Hour}
	if _, err := postgres.Open(ctx, url, patient); !errors.Is(err, postgres.ErrSchema) {
		t.Errorf("opening a database without tables: %v", err)
	}
	var wg sync.WaitGroup
	steps, errs := make([]int, 8), make([]error, 8)
	for i := range steps {
		wg.Go(func() { steps[i], errs[i] = postgres.Migrate(ctx, url, patient) })
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
	if again, err := postgres.Migrate(ctx, url, patient); again != 0 || err != nil {
		t.Errorf("migrating again: %d steps, %v", again, err)
	}
	mustClose(t, mustOpen(t, url))
	if _, err := mustConnect(t, url).Exec(ctx, `UPDATE fivefold_schema SET version = 99`); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(ctx, url, patient); !errors.Is(err, game.ErrNewer) {
		t.Errorf("opening the tables of a later release: %v", err)
	}
	if _, err := postgres.Migrate(ctx, url, patient); !errors.Is(err, game.ErrNewer) {
		t.Errorf("migrating the tables of a later release: %v", err)
	}
}

// TestMigrateInTheWay: the error says what is in the way of the tables: another session that has locked
// them, or other tables of the same name, which stay as they are.
func TestMigrateInTheWay(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context()
	c := mustConnect(t, url)
	do := func(sql string) {
		t.Helper()
		if _, err := c.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	do("BEGIN; CREATE TABLE records ()")
	err := postgres.ErrUnreachable
	for patience := time.Second; errors.Is(err, postgres.ErrUnreachable); patience *= 2 { // a slow machine needs more
		_, err = postgres.Migrate(ctx, url, postgres.Options{Patience: patience})
	}
	if err == nil || !strings.Contains(err.Error(), "another session has locked the tables") {
		t.Errorf("while another session makes a table: %v", err)
	}
	do("COMMIT")
	if _, err = postgres.Migrate(ctx, url, postgres.Options{Patience: time.Hour}); err == nil || !strings.Contains(err.Error(), `column "key" does not exist`) {
		t.Errorf("beside another table of the same name: %v", err)
	}
}
