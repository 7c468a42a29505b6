package postgres_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// BenchmarkGrowth measures what players and the operator notice of a database that grows: its
// size, in all and for each game, the start of a process, and what [storagetest.Growth.Measure] does.
// It fails if a statement that was sent meanwhile reads a whole table of more than fewRows rows.
//
//	go test ./storage/postgres -run - -bench Growth/100k -benchtime 1000x
//
// The server waits for the disk and has 64 MB of shared buffers: see postgrestest.Start.
func BenchmarkGrowth(b *testing.B) { storagetest.BenchGrowth(b, benchGrowth) }

func benchGrowth(b *testing.B, results int) {
	url := postgrestest.Start(b).Database(b)
	growth := storagetest.NewGrowth(b, results, 1000*24*time.Hour)
	began := time.Now()
	fillGrowth(b, url, growth)
	c := mustConnect(b, url)
	b.Cleanup(func() { // with so many rows, the DELETEs of postgrestest take minutes
		if _, err := c.Exec(context.Background(), "TRUNCATE matches, results, named, totals"); err != nil {
			b.Error(err)
		}
	})
	// If a database grows slowly, autovacuum does this in time.
	if _, err := c.Exec(b.Context(), "VACUUM (ANALYZE)"); err != nil {
		b.Fatal(err)
	}
	filled := time.Since(began)
	size := logSizes(b, c, results)

	traced := &statements{all: map[string][]any{}}
	began = time.Now()
	s, err := postgres.Open(b.Context(), url, testCodecs, postgres.Traced(traced))
	if err != nil {
		b.Fatal(err)
	}
	start := time.Since(began)
	defer s.Close()
	growth.Measure(b, s)
	b.ReportMetric(float64(size)/(1<<20), "MB")
	b.ReportMetric(float64(size)/float64(results), "B/game")
	b.ReportMetric(float64(start.Milliseconds()), "ms/start")
	b.ReportMetric(float64(checkPlans(b, c, traced)), "plans")
	b.ReportMetric(filled.Seconds(), "s/fill")
	logSizes(b, c, results)
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		b.Logf("load average: %s", load)
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

// logSizes logs the sizes of tables and indexes, and returns that of the database.
func logSizes(b *testing.B, c *pgx.Conn, results int) (size int64) {
	b.Helper()
	if err := c.QueryRow(b.Context(), `SELECT pg_database_size(current_database())`).Scan(&size); err != nil {
		b.Fatal(err)
	}
	rows, err := c.Query(b.Context(), `SELECT format('%s %s MB, %s dead rows', c.relname, pg_table_size(c.oid) >> 20,
			coalesce((SELECT n_dead_tup::text FROM pg_stat_user_tables s WHERE s.relid = c.oid), '-'))
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i') AND pg_table_size(c.oid) > 1 << 20 ORDER BY pg_table_size(c.oid) DESC`)
	if err != nil {
		b.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d results, %d MB: %s", results, size>>20, strings.Join(all, "; "))
	return size
}

// fewRows is how many rows a table may have that is read as a whole. In a large benchmark, the tables that
// grow with players or games have more.
const fewRows = 20_000

// checkPlans fails the test if a statement reads a whole large table, by its plan for the arguments of its
// first use or by its generic plan. It returns how many plans there are.
func checkPlans(tb testing.TB, c *pgx.Conn, traced *statements) (n int) {
	tb.Helper()
	ctx := tb.Context()
	large := map[string]bool{}
	rows, err := c.Query(ctx, `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND reltuples > $1`, fewRows)
	if err != nil {
		tb.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range names {
		large[name] = true
	}
	check := func(sql, explain string, args ...any) {
		tb.Helper()
		n++
		plan, err := explained(ctx, c, explain, args...)
		if err != nil {
			tb.Fatalf("%s: %v", sql, err)
		}
		for _, table := range wholeTables(plan) {
			if large[table] {
				tb.Errorf("%s\nreads all of %s:\n%s", sql, table, plan)
			}
		}
	}
	if _, err := c.Exec(ctx, "SET plan_cache_mode = force_generic_plan"); err != nil {
		tb.Fatal(err)
	}
	for _, sql := range traced.planned() {
		args := traced.all[sql]
		check(sql, "EXPLAIN "+sql, args...)
		if len(args) == 0 {
			continue
		}
		// A statement that is sent often has a generic plan, for all arguments.
		if _, err := c.Exec(ctx, "PREPARE planned AS "+sql); err != nil {
			tb.Fatalf("%s: %v", sql, err)
		}
		check(sql, "EXPLAIN EXECUTE planned ("+strings.TrimSuffix(strings.Repeat("NULL, ", len(args)), ", ")+")")
		if _, err := c.Exec(ctx, "DEALLOCATE planned"); err != nil {
			tb.Fatal(err)
		}
	}
	return n
}

// fillGrowth writes into a database the rows that the matches of a growth would have left there if they
// had been played: see TestFillGrowth.
func fillGrowth(tb testing.TB, url string, growth *storagetest.Growth) {
	tb.Helper()
	_, _, last := growth.Match(growth.Results - 1) // when the last request was made
	var all sync.WaitGroup
	fill := func(table string, columns []string, rows func(add func(values ...any))) {
		all.Go(func() {
			if err := copyRows(tb, url, table, columns, rows); err != nil {
				tb.Errorf("%s: %v", table, err)
			}
		})
	}
	must := func(data []byte, err error) []byte {
		if err != nil {
			tb.Error(err)
		}
		return data
	}
	fill("matches", []string{"id", "slot", "version", "requests", "playing", "began", "log", "number", "record"}, func(add func(...any)) {
		for i := range growth.Results {
			m, requests, _ := growth.Match(i)
			var made [][]byte
			for _, r := range requests {
				made = append(made, []byte(r))
			}
			add([]byte(m.ID), []byte(m.Slot().Key()), int64(m.Version), made, false, m.Unfinished("").Began.UnixMilli(),
				int64(i+1), int64(growth.Number(i)), must(testCodecs.EncodeMatch(m)))
		}
	})
	fill("results", []string{"match", "log", "community", "number", "public", "status", "kind", "channel", "answer", "record"}, func(add func(...any)) {
		for i := range growth.Results {
			m, _, _ := growth.Match(i)
			r := m.Result()
			add([]byte(r.Match), int64(i+1), []byte(r.Location.Community()), int64(growth.Number(i)), r.Public(), []byte(r.Status), []byte(r.Kind),
				[]byte(r.Channel()), []byte(r.Answer), must(record.EncodeResult(r)))
		}
	})
	fill("named", []string{"player", "log", "match", "community", "number", "public", "status", "kind", "channel", "answer"}, func(add func(...any)) {
		growth.PlayedBy(func(player game.PlayerID, i int) {
			m, _, _ := growth.Match(i)
			r := m.Result()
			add([]byte(player), int64(i+1), []byte(r.Match), []byte(r.Location.Community()), int64(growth.Number(i)), r.Public(), []byte(r.Status), []byte(r.Kind),
				[]byte(r.Channel()), []byte(r.Answer))
		})
	})
	fill("totals", []string{"player", "kind", "guild", "rank", "record"}, func(add func(...any)) {
		totals := map[game.Scope]game.Totals{} // of one player
		flush := func() {
			for scope, t := range totals {
				add([]byte(t.Player), []byte(scope.Kind), []byte(scope.Guild), postgres.RankOf(scope, t), must(record.EncodeTotals(t)))
			}
			clear(totals)
		}
		var of game.PlayerID
		growth.PlayedBy(func(player game.PlayerID, i int) {
			if player != of {
				flush()
				of = player
			}
			m, _, _ := growth.Match(i)
			r := m.Result()
			r.Number = uint64(i + 1)
			for _, scope := range r.Scopes() {
				t := totals[scope]
				t.Player = player
				totals[scope] = t.Add(r, r.Participants[0])
			}
		})
		flush()
	})
	fill("receipts", []string{"request", "match", "version", "made"}, func(add func(...any)) {
		for i := growth.Results - 1; i >= 0; i-- {
			m, requests, ended := growth.Match(i)
			if last.Sub(ended) > 25*time.Hour {
				break
			}
			for n, r := range requests {
				if made, _ := r.Made(); last.Sub(made) <= 24*time.Hour {
					add([]byte(r), []byte(m.ID), int64(n+1), made.UnixMilli())
				}
			}
		}
	})
	fill("slots", []string{"key", "match"}, func(add func(...any)) {
		growth.Latest(func(i int) {
			m, _, _ := growth.Match(i)
			add([]byte(m.Slot().Key()), []byte(m.ID))
		})
	})
	fill("communities", []string{"community", "number", "forgotten"}, func(add func(...any)) {
		for guild, number := range growth.Given() {
			add([]byte(game.Location{Guild: guild}.Community()), int64(number), int64(0))
		}
	})
	all.Wait()
	c := mustConnect(tb, url)
	if _, err := c.Exec(tb.Context(), postgres.SQLCutRanks, postgres.MaxChunk/2); err != nil {
		tb.Fatal(err)
	}
	if _, err := c.Exec(tb.Context(), `SELECT setval('result_numbers', $1)`, growth.Results); err != nil {
		tb.Fatal(err)
	}
}

// copyRows writes rows by COPY while they are made.
func copyRows(tb testing.TB, url, table string, columns []string, rows func(add func(values ...any))) error {
	c, err := pgx.Connect(tb.Context(), url)
	if err != nil {
		return err
	}
	defer c.Close(tb.Context())
	made, stop := make(chan [][]any, 4), make(chan struct{})
	go func() {
		defer close(made)
		var batch [][]any
		send := func() {
			select {
			case made <- batch:
			case <-stop:
			}
			batch = nil
		}
		rows(func(values ...any) {
			if batch = append(batch, values); len(batch) == 1000 {
				send()
			}
		})
		send()
	}()
	defer close(stop)
	var batch [][]any
	_, err = c.CopyFrom(tb.Context(), pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		for len(batch) == 0 {
			var ok bool
			if batch, ok = <-made; !ok {
				return nil, nil
			}
		}
		row := batch[0]
		batch = batch[1:]
		return row, nil
	}))
	return err
}

// TestFillGrowth: fillGrowth writes the same rows that the store itself writes when the same matches are
// played.
func TestFillGrowth(t *testing.T) {
	growth := storagetest.NewGrowth(t, 1600/4, 400*time.Hour)
	filled, played := postgrestest.Database(t), postgrestest.Database(t)
	fillGrowth(t, filled, growth)
	s := mustOpenWith(t, played, postgres.Options{}.Quiet())
	for i := range growth.Results {
		m, requests, ended := growth.Match(i)
		for n, r := range requests {
			if err := s.Commit(t.Context(), game.Change{Match: m.Rewind(uint64(n + 1)), Request: r, At: ended}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Remove(t.Context(), 0); err != nil { // receipts
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, want := dump(t, filled), dump(t, played)
	compareLines(t, got, want)
	checkChunks(t, filled)
	for _, table := range []string{"matches", "results", "named", "totals", "receipts", "slots", "communities"} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, table+" ") }) {
			t.Errorf("there is nothing in %s", table)
		}
	}
}

// TestRemovalsReadOnce: rows that were removed are read a few times at most, not again by each later batch.
// They are still in the index because a backup under way can see them.
func TestRemovalsReadOnce(t *testing.T) {
	const results = 800
	for _, c := range []struct {
		index, table string
		remove       func(s *postgres.Store) error
	}{
		{"named_pkey", "named", func(s *postgres.Store) error {
			return s.Clear(t.Context(), game.ClearRequest{Player: storagetest.HeavyPlayer, Request: "clear", At: storagetest.Epoch})
		}},
		{"results_log", "results", func(s *postgres.Store) error {
			_, err := s.Forget(t.Context(), storagetest.Epoch)
			return err
		}},
		{"receipts_made", "receipts", func(s *postgres.Store) error { return s.Remove(t.Context(), 0) }},
	} {
		t.Run(c.index, func(t *testing.T) {
			url := postgrestest.Database(t)
			noAutovacuum(t, url)
			fillGrowth(t, url, storagetest.NewGrowth(t, results, results*time.Hour))
			admin := mustConnect(t, url)
			// The others are more than a day older.
			if _, err := admin.Exec(t.Context(), `INSERT INTO receipts (request, version, made) SELECT 'latest', 0, max(made) + 2 * 86400000 FROM receipts; ANALYZE`); err != nil {
				t.Fatal(err)
			}
			before, rows := indexReads(t, admin, c.index, c.table)
			backup := mustConnect(t, url)
			if _, err := backup.Exec(t.Context(), `BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM matches LIMIT 1`); err != nil {
				t.Fatal(err)
			}
			s := mustOpenWith(t, url+"&application_name=removals", postgres.Options{}.WithSizes(3).Quiet())
			if err := c.remove(s); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			after, left := indexReads(t, admin, c.index, c.table)
			if removed := rows - left; removed < 20 || after-before > 5*removed {
				t.Errorf("to remove %d of %d rows, %d were read", removed, rows, after-before)
			}
		})
	}
}

// indexReads returns how many entries of an index have been read, and how many rows its table has. It waits
// until the connections that have read them are closed, since the server counts their reads then.
func indexReads(t *testing.T, c *pgx.Conn, index, table string) (reads, rows int) {
	t.Helper()
	for others := 1; others > 0; {
		if err := c.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'removals'`).Scan(&others); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.QueryRow(t.Context(), `SELECT (SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = $1), (SELECT count(*) FROM `+table+`)`, index).Scan(&reads, &rows); err != nil {
		t.Fatal(err)
	}
	return reads, rows
}
