package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// meter counts what connections do: it is a tracer, and wraps their dialer.
type meter struct {
	noTracer
	statements, trips atomic.Int64
}

func (m *meter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	m.statements.Add(1)
	return ctx
}

func (m *meter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	m.statements.Add(int64(d.Batch.Len()))
	return ctx
}

// tripConn counts round trips: what is written after something was read, or first.
type tripConn struct {
	net.Conn
	m       *meter
	waiting atomic.Bool // for an answer
}

func (c *tripConn) Write(p []byte) (int, error) {
	if c.waiting.CompareAndSwap(false, true) {
		c.m.trips.Add(1)
	}
	return c.Conn.Write(p)
}

func (c *tripConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.waiting.Store(false)
	return n, err
}

func (m *meter) change(c *pgxpool.Config) {
	c.ConnConfig.Tracer = m
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &tripConn{Conn: conn, m: m}, err
	}
}

// values returns the versions of a record of about a kilobyte, of which each changes some of the one before,
// as a guess changes a match.
func values(n int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	value := make([]byte, 1000)
	for i := range value {
		value[i] = byte('a' + random.IntN(26))
	}
	all := make([][]byte, n)
	for i := range all {
		copy(value[random.IntN(900):], fmt.Sprintf("%032x", random.Uint64()))
		all[i] = append([]byte{}, value...)
	}
	return all
}

// BenchmarkCommit measures changes on one connection and, for comparison, a bare UPDATE of a record
// as large, on a server that waits for the disk. A guess replaces a value, and has conditions on it and
// on a missing key. An end replaces six values and adds six. A start adds one and replaces one. No
// page is written to the log as a whole, unless there is a checkpoint meanwhile.
//
//	go test ./storage/postgres -run - -bench Commit -benchtime 2000x
func BenchmarkCommit(b *testing.B) {
	const records, kinds = 500, 6
	versions := values(64)
	// at returns a key and its value after a number of operations on its record.
	at := func(kind, record, done int) ordered.Pair {
		return ordered.Pair{Key: fmt.Sprintf("%d/%04d", kind, record), Value: versions[(record+done)%len(versions)]}
	}
	added := func(i, n int) (missing, added []ordered.Pair) {
		for k := range n {
			p := pair(fmt.Sprintf("new/%08d/%d", i, k), "a few bytes of a receipt or of a place in a history")
			missing, added = append(missing, ordered.Pair{Key: p.Key}), append(added, p)
		}
		return missing, added
	}
	change := func(i, replaced, inserted int) (c ordered.Change) {
		for k := range replaced {
			c.If = append(c.If, at(k, i%records, i/records))
			c.Set = append(c.Set, at(k, i%records, i/records+1))
		}
		missing, news := added(i, inserted)
		c.If, c.Set = append(c.If, missing...), append(c.Set, news...)
		return c
	}
	for _, op := range []struct {
		name string
		do   func(ctx context.Context, m *postgres.Map, bare *pgx.Conn, i int) error
	}{
		{"guess", func(ctx context.Context, m *postgres.Map, _ *pgx.Conn, i int) error {
			c := change(i, 1, 0)
			c.If = append(c.If, ordered.Pair{Key: "receipt"})
			return m.Commit(ctx, c)
		}},
		{"start", func(ctx context.Context, m *postgres.Map, _ *pgx.Conn, i int) error {
			return m.Commit(ctx, change(i, 1, 1))
		}},
		{"end", func(ctx context.Context, m *postgres.Map, _ *pgx.Conn, i int) error {
			return m.Commit(ctx, change(i, 6, 6))
		}},
		{"update", func(ctx context.Context, _ *postgres.Map, bare *pgx.Conn, i int) error {
			next := at(0, i%records, i/records+1)
			_, err := bare.Exec(ctx, `UPDATE bare SET record = $2 WHERE id = $1`, []byte(next.Key[2:]), next.Value)
			return err
		}},
	} {
		b.Run(op.name, func(b *testing.B) {
			ctx, url := b.Context(), postgrestest.Start(b).Database(b)
			var t meter
			m, err := postgres.OpenWith(ctx, url+"&pool_max_conns=1", postgres.Options{}, t.change)
			if err != nil {
				b.Fatal(err)
			}
			defer mustClose(b, m)
			bare := mustConnect(b, url)
			if _, err := bare.Exec(ctx, `CREATE TABLE bare (id bytea PRIMARY KEY, record bytea) WITH (fillfactor = 70)`); err != nil {
				b.Fatal(err)
			}
			var c ordered.Change
			for i := range records * kinds {
				c.Set = append(c.Set, at(i/records, i%records, 0))
			}
			if err := m.Commit(ctx, c); err != nil {
				b.Fatal(err)
			}
			if _, err := bare.Exec(ctx, `INSERT INTO bare SELECT substr(key, 3), value FROM records WHERE key < '1'`); err != nil {
				b.Fatal(err)
			}
			other := mustConnect(b, url)
			written := func() (log, commits int64) { // by transactions that change something
				if err := other.QueryRow(ctx, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,
					pg_snapshot_xmax(pg_current_snapshot())::text::bigint`).Scan(&log, &commits); err != nil {
					b.Fatal(err)
				}
				return log, commits
			}
			if err := op.do(ctx, m, bare, 0); err != nil { // prepares the statements
				b.Fatal(err)
			}
			log, commits := written()
			t.statements.Store(0)
			t.trips.Store(0)
			b.ResetTimer()
			for i := 1; i <= b.N; i++ {
				if err := op.do(ctx, m, bare, i); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			nowLog, nowCommits := written()
			report := func(n int64, unit string) { b.ReportMetric(float64(n)/float64(b.N), unit) }
			report(nowLog-log, "B-log/op")
			report(nowCommits-commits, "commits/op")
			if op.name != "update" {
				report(t.statements.Load(), "statements/op")
				report(t.trips.Load(), "trips/op")
			}
		})
	}
}
