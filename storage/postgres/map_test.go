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

// many returns pairs of numbered keys, most of which need several statements.
func many(prefix, value string, n int) (pairs []ordered.Pair) {
	for i := range n {
		pairs = append(pairs, pair(fmt.Sprintf("%s%04d", prefix, n-1-i), value))
	}
	return pairs
}

// TestLarge: changes and reads of more keys than a statement has are whole, and conflict as a whole.
func TestLarge(t *testing.T) {
	m, ctx := mustOpen(t, postgrestest.Database(t)), t.Context()
	defer mustClose(t, m)
	const n = 333
	missing := many("a", "", n)
	for i := range missing {
		missing[i].Value = nil
	}
	steps := []struct {
		c    ordered.Change
		fail error
	}{
		{ordered.Change{If: missing, Set: many("a", "1", n)}, nil},
		{ordered.Change{If: missing, Set: many("a", "2", n)}, game.ErrConflict},
		{ordered.Change{If: append(many("a", "1", n), pair("b", "1")), Set: many("a", "2", n)}, game.ErrConflict},
		{ordered.Change{If: append(many("a", "1", n), ordered.Pair{Key: "b"}), Set: append(many("a", "2", n), many("c", "1", n)...)}, nil},
		{ordered.Change{If: many("c", "1", n), Set: missing}, nil},
	}
	for i, s := range steps {
		if err := m.Commit(ctx, s.c); !errors.Is(err, s.fail) || s.fail == nil && err != nil {
			t.Fatalf("change %d: %v, want %v", i, err, s.fail)
		}
		var keys []string
		for _, p := range many("a", "", n) {
			keys = append(keys, p.Key)
		}
		all, err := m.Get(ctx, keys...)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"1", "1", "1", "2", ""}[i]
		for k, p := range all {
			if p.Key != keys[k] || string(p.Value) != want || (p.Value == nil) != (want == "") {
				t.Fatalf("after change %d, %s has %v, want %q", i, keys[k], p, want)
			}
		}
	}
	if n, err := ordered.Count(ctx, m, ordered.Query{From: "a", To: "d"}); n != 333 || err != nil {
		t.Errorf("%d keys, %v", n, err)
	}
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
