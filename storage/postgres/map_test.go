package postgres_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// mustOpen opens the map in a database on a machine that may be slow.
func mustOpen(tb testing.TB, url string) *postgres.Map {
	tb.Helper()
	m, err := postgres.Open(tb.Context(), url, postgres.Options{Patience: time.Hour})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func mustClose(tb testing.TB, m *postgres.Map) {
	tb.Helper()
	if err := m.Close(); err != nil {
		tb.Error(err)
	}
}

func mustConnect(tb testing.TB, url string) *pgx.Conn {
	tb.Helper()
	c, err := pgx.Connect(tb.Context(), url)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close(tb.Context()) })
	return c
}

func pair(key, value string) ordered.Pair { return ordered.Pair{Key: key, Value: []byte(value)} }

// many returns pairs of numbered keys.
func many(prefix, value string, n int) (pairs []ordered.Pair) {
	for i := range n {
		pairs = append(pairs, pair(fmt.Sprintf("%s%04d", prefix, n-1-i), value))
	}
	return pairs
}

// TestRefused: what a server refuses is certainly not saved, and the error says so.
func TestRefused(t *testing.T) {
	m, ctx := mustOpen(t, postgrestest.Database(t)), t.Context()
	long := ordered.Change{Set: many("a", "1", 2)}
	for i := range 20_000 { // too long for an index, even compressed
		long.Set[1].Key += fmt.Sprint(i * i)
	}
	if err := m.Commit(ctx, long); !errors.Is(err, game.ErrNotSaved) {
		t.Errorf("a key that is too long: %v", err)
	}
	if n, err := ordered.Count(ctx, m, ordered.Prefix("a")); n != 0 || err != nil {
		t.Errorf("half of the change is there: %d, %v", n, err)
	}
	mustClose(t, m)
	if err := m.Commit(ctx, ordered.Change{Set: many("a", "1", 1)}); !errors.Is(err, game.ErrNotSaved) {
		t.Errorf("a change after Close: %v", err)
	}
}

// TestInTheWay: a transaction that others were in the way of is tried again, whatever the server calls that.
func TestInTheWay(t *testing.T) {
	url := postgrestest.Database(t)
	m, c := mustOpen(t, url), mustConnect(t, url)
	defer mustClose(t, m)
	if _, err := c.Exec(t.Context(), `CREATE SEQUENCE tries;
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		DECLARE code text := ('{40001,40P01,25P02,55P03}'::text[])[nextval('tries')::int];
		BEGIN
			IF code IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = code; END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER refuse BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION refuse()`); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{pair("a", "1")}}); err != nil {
		t.Error(err)
	}
}
