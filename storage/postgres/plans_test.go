package postgres_test

import (
	"context"
	"testing"
	"time"

	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestPlans: no statement reads the whole table, not even one that was prepared and planned while the
// table had a few rows, for which that was quickest.
func TestPlans(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context() // a database of its own: others have statistics
	if _, err := postgres.Migrate(ctx, url, postgres.Options{Patience: time.Hour}); err != nil {
		t.Fatal(err)
	}
	c := mustConnect(t, url)
	do := func(sql string) {
		t.Helper()
		if _, err := c.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	do("ALTER TABLE records SET (autovacuum_enabled = off)")
	do("INSERT INTO records SELECT convert_to('k' || n, 'UTF8'), 'v' FROM generate_series(1, 3) AS n")
	do("VACUUM ANALYZE records")
	m := mustOpen(t, url+"&pool_max_conns=1&application_name=planned")
	for range 8 { // PostgreSQL makes a plan to keep at the sixth use
		doEverything(t, m)
	}
	do("INSERT INTO records SELECT convert_to('k' || n, 'UTF8'), 'v' FROM generate_series(4, 20000) AS n")
	scans := func() (whole, byIndex int) {
		t.Helper()
		if err := c.QueryRow(ctx, "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'records' AND schemaname = current_schema()").Scan(&whole, &byIndex); err != nil {
			t.Fatal(err)
		}
		return whole, byIndex
	}
	ended := func() { // a session's numbers are there when it has ended
		t.Helper()
		for n := 1; n > 0; {
			if err := c.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'planned'").Scan(&n); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole, byIndex := scans()
	doEverything(t, m)
	mustClose(t, m)
	ended()
	nowWhole, nowByIndex := scans()
	if nowWhole > whole || nowByIndex < byIndex+20 {
		t.Errorf("the table was read as a whole %d times, and by its index %d times", nowWhole-whole, nowByIndex-byIndex)
	}
}

// doEverything sends every kind of statement, for few and for many keys.
func doEverything(t *testing.T, m *postgres.Map) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{1, 2, 5, 64} {
		missing, there := many("new", "", n), many("there", "1", n)
		for i := range missing {
			missing[i].Value = nil
		}
		must(m.Commit(ctx, ordered.Change{Set: there}))
		must(m.Commit(ctx, ordered.Change{If: append(missing, there[0]), Set: many("there", "1", 1)})) // a guess
		must(m.Commit(ctx, ordered.Change{If: append(missing, there...), Set: append(many("new", "1", n), many("there", "2", n)...)}))
		var removed []ordered.Pair
		var keys []string
		for _, p := range append(many("new", "", n), many("there", "", n)...) {
			removed = append(removed, ordered.Pair{Key: p.Key})
			keys = append(keys, p.Key)
		}
		got, err := m.Get(ctx, keys...)
		if must(err); got[0].Value == nil {
			t.Fatal(got)
		}
		_, err = m.Read(ctx, ordered.Prefix("k1"), ordered.Query{From: "a", To: "z", Limit: n, Backward: true}, ordered.Query{From: "k", To: "z", Limit: n})
		must(err)
		_, err = ordered.Count(ctx, m, ordered.Prefix("k2"))
		must(err)
		must(m.Commit(ctx, ordered.Change{Set: removed}))
	}
}
