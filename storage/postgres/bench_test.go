package postgres_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// benchPlayers is how many players play at once in benchmarks, and how many connections there are.
const benchPlayers = 16

// inParallel calls f for each number below n, benchPlayers at once.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range benchPlayers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// poolSize is added to the URL of a database; only pools accept it.
var poolSize = fmt.Sprintf("&pool_max_conns=%d", benchPlayers)

func benchURL(b *testing.B) string { return postgrestest.Start(b).Database(b) + poolSize }

// countLog returns a function that reports how many bytes of the write-ahead log an operation has written
// since the call of countLog.
func countLog(b *testing.B, url string) (report func()) {
	b.Helper()
	c := mustConnect(b, strings.TrimSuffix(url, poolSize))
	written := func() (n int64) {
		if err := c.QueryRow(b.Context(), `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint`).Scan(&n); err != nil {
			b.Fatal(err)
		}
		return n
	}
	before := written()
	return func() { b.ReportMetric(float64(written()-before)/float64(b.N), "B-log/op") }
}

// BenchmarkGuess measures a guess that does not end its match, a whole game of a start and five guesses
// and, for comparison, a bare UPDATE that compares a version, on a server that waits for the disk.
// The write-ahead log has whole pages after each checkpoint, so it is longer for few operations.
func BenchmarkGuess(b *testing.B) {
	g := storagetest.Wordle
	match := func(i int) game.Match {
		return g.Match(fmt.Sprint("m", i), game.Location{Guild: game.GuildID(fmt.Sprint("g", i%1000)), Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", g.Answers[6])
	}
	play := func(s *postgres.Store, m game.Match, answers ...string) game.Match {
		for _, a := range answers {
			m = g.Guess(b, m, game.PlayerID("p"+m.ID), a)
			storagetest.MustCommit(b, s, m)
		}
		return m
	}
	b.Run("guess", func(b *testing.B) {
		url := benchURL(b)
		s := mustOpenWith(b, url, postgres.Options{})
		defer s.Close()
		inParallel(b.N/4+1, func(i int) { storagetest.MustCommit(b, s, match(i)) })
		defer countLog(b, url)()
		b.ResetTimer()
		inParallel(b.N/4+1, func(i int) { play(s, match(i), g.Answers[:4]...) })
	})
	b.Run("game", func(b *testing.B) {
		url := benchURL(b)
		s := mustOpenWith(b, url, postgres.Options{})
		defer s.Close()
		defer countLog(b, url)()
		b.ResetTimer()
		inParallel(b.N/6+1, func(i int) {
			m := match(i)
			storagetest.MustCommit(b, s, m)
			play(s, m, append(g.Answers[:4:4], g.Answers[6])...)
		})
	})
	b.Run("update", func(b *testing.B) {
		url := benchURL(b)
		pool, err := pgxpool.New(b.Context(), url)
		if err != nil {
			b.Fatal(err)
		}
		defer pool.Close()
		if _, err := pool.Exec(b.Context(), `CREATE TABLE bare (id bigint PRIMARY KEY, version bigint, record bytea)`); err != nil {
			b.Fatal(err)
		}
		record := make([]byte, 700)
		inParallel(b.N/4+1, func(i int) {
			if _, err := pool.Exec(b.Context(), `INSERT INTO bare VALUES ($1, 0, $2)`, i, record); err != nil {
				b.Error(err)
			}
		})
		defer countLog(b, url)()
		b.ResetTimer()
		inParallel(b.N/4+1, func(i int) {
			for v := range 4 {
				if _, err := pool.Exec(b.Context(), `UPDATE bare SET version = version + 1, record = $3 WHERE id = $1 AND version = $2`, i, v, record); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// BenchmarkPlace measures a leaderboard for one of 100 000 players and, for comparison, finding the
// place alone by counting in the index.
func BenchmarkPlace(b *testing.B) {
	url, ctx := benchURL(b), b.Context()
	s := mustOpenWith(b, url, postgres.Options{})
	defer s.Close()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	const players = 100_000
	rows := make([][]any, players)
	for i := range rows {
		t := game.Totals{Player: game.PlayerID(fmt.Sprint("p", i)), Played: 1 + i, Won: i, Credit: 1000 * (1 + i), WonCredit: 1000 * i}
		data, err := record.EncodeTotals(t)
		if err != nil {
			b.Fatal(err)
		}
		rows[i] = []any{[]byte(t.Player), []byte(game.Wordle), []byte("g"), postgres.RankOf(game.Scope{Kind: game.Wordle, Guild: "g"}, t), data}
	}
	slices.SortFunc(rows, func(a, b []any) int { return bytes.Compare(a[3].([]byte), b[3].([]byte)) })
	var chunks [][]any
	for i := 0; i < players; i += 400 {
		chunks = append(chunks, []any{[]byte("g"), []byte(game.Wordle), rows[i][3], min(400, players-i)})
	}
	chunks[0][2] = []byte{}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"totals"}, []string{"player", "kind", "guild", "rank", "record"}, pgx.CopyFromRows(rows)); err != nil {
		b.Fatal(err)
	}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"rank_chunks"}, []string{"guild", "kind", "bound", "players"}, pgx.CopyFromRows(chunks)); err != nil {
		b.Fatal(err)
	}
	if _, err := pool.Exec(ctx, "ANALYZE"); err != nil {
		b.Fatal(err)
	}
	b.Run("leaderboard", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = (n + 7919) % players
			board, err := s.Leaderboard(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, game.PlayerID(fmt.Sprint("p", n)), 10)
			if err != nil || board.Players != players || n > 0 && board.Own.Place == 0 {
				b.Fatalf("%+v, %v", board, err)
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = (n + 7919) % players
			if _, err := pool.Exec(ctx, `SELECT count(*) FROM totals WHERE guild = 'g' AND kind = 'wordle' AND rank < $1`, rows[n][3]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
