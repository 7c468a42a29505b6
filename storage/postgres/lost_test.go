package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// faultyProxy passes PostgreSQL's protocol on, and loses connections: some before a request reaches
// the server, and some after the server has carried it out, before the client gets the answer.
type faultyProxy struct {
	net.Listener
	server        string
	share         float64      // of the round trips that are lost before, and also of those lost after
	before, after atomic.Int64 // how many were lost
	connections   sync.WaitGroup

	mu     sync.Mutex // protects random
	random *rand.Rand
}

// startProxy starts a proxy of a server. It ends with the test.
func startProxy(t *testing.T, server string, share float64) *faultyProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &faultyProxy{Listener: l, server: server, share: share, random: rand.New(rand.NewPCG(5, 6))}
	p.connections.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.connections.Go(func() { p.serve(c) })
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		p.connections.Wait()
	})
	return p
}

// draw returns what happens to a round trip.
func (p *faultyProxy) draw() (before, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.random.Float64()
	return x < p.share, x >= p.share && x < 2*p.share
}

var errDropped = errors.New("dropped")

// serve passes one connection on until either side or chance ends it.
func (p *faultyProxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var deaf atomic.Bool // whether nothing more is passed to the client
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_ = eachMessage(server, func(kind byte, message []byte) error {
			if deaf.Load() {
				if kind == 'Z' { // ready for the next query: the server has carried out the last one
					return errDropped
				}
				return nil
			}
			_, err := client.Write(message)
			return err
		})
		client.Close()
		server.Close()
	}()
	startup := make([]byte, 4)
	if _, err := io.ReadFull(client, startup); err != nil {
		return
	}
	rest := make([]byte, binary.BigEndian.Uint32(startup)-4)
	if _, err := io.ReadFull(client, rest); err != nil {
		return
	}
	if _, err := server.Write(append(startup, rest...)); err != nil {
		return
	}
	_ = eachMessage(client, func(kind byte, message []byte) error {
		if kind != 'S' && kind != 'Q' { // these two, Sync and Query, end a request
			_, err := server.Write(message)
			return err
		}
		before, after := p.draw()
		if before {
			p.before.Add(1)
			return errDropped
		}
		if after {
			p.after.Add(1)
			deaf.Store(true)
		}
		if _, err := server.Write(message); err != nil || !after {
			return err
		}
		<-answered
		return errDropped
	})
	server.Close()
	client.Close()
	<-answered
}

// eachMessage calls f for each message of the protocol until either fails.
func eachMessage(r io.Reader, f func(kind byte, message []byte) error) error {
	for {
		head := make([]byte, 5)
		if _, err := io.ReadFull(r, head); err != nil {
			return err
		}
		message := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
		copy(message, head)
		if _, err := io.ReadFull(r, message[5:]); err != nil {
			return err
		}
		if err := f(head[0], message); err != nil {
			return err
		}
	}
}

// TestLostConnections makes changes through a proxy that loses one connection in ten at each round
// trip: half of them before the server has done what it was asked, half of them after. No change
// that was acknowledged is lost, and none is made twice.
func TestLostConnections(t *testing.T) {
	direct := postgrestest.Database(t)
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, u.Host, 0.05)
	u.Host = p.Addr().String()
	u.RawQuery += "&pool_max_conns=8"
	var m *postgres.Map
	for m == nil { // the first connection may be lost too
		if m, err = postgres.Open(t.Context(), u.String(), postgres.Options{Patience: time.Hour}); err != nil && !errors.Is(err, postgres.ErrUnreachable) {
			t.Fatal(err)
		}
	}
	all := play(t, []*postgres.Map{m}, 8, 40, nil)
	mustClose(t, m)
	if p.before.Load() < 10 || p.after.Load() < 10 {
		t.Errorf("%d connections were lost before and %d after", p.before.Load(), p.after.Load())
	}
	checkPlayed(t, direct, all)
}

// TestServerEnds: nothing is lost if the server is killed or stopped, and started again, while four maps
// are changed. Its commits wait for the disk, as those of an operator's server do.
func TestServerEnds(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	var maps []*postgres.Map
	for range 4 {
		maps = append(maps, mustOpen(t, url))
	}
	var ending sync.Mutex
	var ends atomic.Int64
	// The changes after which the goroutine that made one ends the server, while the others play on.
	after := map[int64]func() error{60: server.Kill, 160: server.Stop, 260: server.Stop}
	all := play(t, maps, 8, 40, func(made int64) {
		if end, due := after[made]; due {
			ends.Add(1)
			ending.Lock()
			defer ending.Unlock()
			if err := errors.Join(end(), server.Start()); err != nil {
				t.Error(err)
			}
		}
	})
	if n := ends.Load(); n != int64(len(after)) {
		t.Errorf("the server was ended %d times", n)
	}
	for _, m := range maps {
		mustClose(t, m)
	}
	checkPlayed(t, url, all)
}

// play makes a number of changes to each of several records, each by two goroutines at once and on the maps
// in turn, and returns what was acknowledged: for each record the ids of its changes. A record is the
// list of these ids. Every third change also moves a row that says how long the list is. It calls made,
// unless that is nil, with the number of changes that were made so far, after each.
func play(t *testing.T, maps []*postgres.Map, records, changes int, made func(n int64)) [][]string {
	t.Helper()
	all := make([][]string, records)
	var turn, total atomic.Int64
	var mu sync.Mutex // protects all
	change := func(record string, id string, moves bool) {
		for {
			m := maps[int(turn.Add(1))%len(maps)]
			got, err := m.Read(t.Context(), ordered.Key(record), ordered.Prefix("length"+record))
			if err != nil {
				t.Errorf("reading %s: %v", record, err)
				return
			}
			old := ordered.Pair{Key: record}
			if len(got[0]) > 0 {
				old = got[0][0]
			}
			if slices.Contains(strings.Fields(string(old.Value)), id) {
				return // a try that was lost has made it
			}
			next := pair(record, string(old.Value)+" "+id)
			c := ordered.Change{If: []ordered.Pair{old, {Key: "receipt" + id}}, Set: []ordered.Pair{next}}
			if moves {
				c.If = append(c.If, got[1]...)
				c.Set = append(c.Set, pair("receipt"+id, ""), pair(fmt.Sprintf("length%s %d", record, len(strings.Fields(string(next.Value)))), record))
				for _, p := range got[1] {
					c.Set = append(c.Set, ordered.Pair{Key: p.Key})
				}
			}
			if err = m.Commit(t.Context(), c); err == nil {
				return
			}
			if !errors.Is(err, game.ErrConflict) {
				t.Errorf("change %s: %v", id, err)
				return
			}
		}
	}
	var wg sync.WaitGroup
	for i := range records {
		record := fmt.Sprint("record", i)
		for k := range 2 {
			wg.Go(func() {
				for n := range changes / 2 {
					id := fmt.Sprintf("%d-%d-%d", i, k, n)
					change(record, id, n%3 == 0)
					mu.Lock()
					all[i] = append(all[i], id)
					mu.Unlock()
					if n := total.Add(1); made != nil {
						made(n)
					}
				}
			})
		}
	}
	wg.Wait()
	return all
}

// checkPlayed compares a database with the changes that were acknowledged.
func checkPlayed(t *testing.T, url string, all [][]string) {
	t.Helper()
	m := mustOpen(t, url)
	defer mustClose(t, m)
	receipts, ctx := 0, t.Context()
	for i, want := range all {
		record := fmt.Sprint("record", i)
		got, err := m.Read(ctx, ordered.Key(record), ordered.Prefix("length"+record))
		if err != nil || len(got[0]) != 1 {
			t.Fatalf("record %d: %v, %v", i, got, err)
		}
		ids := strings.Fields(string(got[0][0].Value))
		last := 0
		for n, id := range ids {
			if moves(id) {
				last = n + 1
				receipts++
			}
		}
		if len(got[1]) != 1 || got[1][0].Key != fmt.Sprintf("length%s %d", record, last) {
			t.Errorf("record %d has the rows %v, and its list was %d long at the last move", i, got[1], last)
		}
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) {
			t.Errorf("record %d has %v, want %v", i, ids, want)
		}
	}
	for prefix, want := range map[string]int{"receipt": receipts, "probe": 0} {
		if n, err := m.Count(ctx, ordered.Prefix(prefix)); n != want || err != nil {
			t.Errorf("%d rows of %s, %v, want %d", n, prefix, err, want)
		}
	}
}

// moves reports whether the change of an id was one that moves a row.
func moves(id string) bool {
	var i, k, n int
	_, err := fmt.Sscanf(id, "%d-%d-%d", &i, &k, &n)
	return err == nil && n%3 == 0
}

// TestUnreplicated: a change that only the primary has is not acknowledged, and it is not in conflict with
// itself, even if the next try finds it there: a replica that is promoted would not have it.
func TestUnreplicated(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	calm := mustOpen(t, url)
	if err := calm.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{pair("a", "1")}}); err != nil {
		t.Fatal(err)
	}
	mustClose(t, calm)
	server.MissReplica(t)
	var m *postgres.Map
	for patience := 2 * time.Second; m == nil; patience *= 2 { // a slow machine needs more
		var err error
		if m, err = postgres.Open(t.Context(), url, postgres.Options{Patience: patience}); err != nil && !errors.Is(err, postgres.ErrUnreachable) {
			t.Fatal(err)
		}
	}
	defer mustClose(t, m)
	err := m.Commit(t.Context(), ordered.Change{If: []ordered.Pair{pair("a", "1")}, Set: []ordered.Pair{pair("a", "2")}})
	if err == nil || errors.Is(err, game.ErrConflict) || errors.Is(err, game.ErrNotSaved) {
		t.Errorf("a change that no replica has: %v", err)
	}
}

// freezer is a tracer that halts a change when the first answer has come.
type freezer struct {
	once         sync.Once
	frozen, thaw chan struct{}
}

func (f *freezer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (f *freezer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (f *freezer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (f *freezer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
func (f *freezer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {
	f.once.Do(func() {
		close(f.frozen)
		<-f.thaw
	})
}

// TestFrozenProcess: if a process hangs or its machine is gone in the middle of a change of several
// statements, no other waits for it.
func TestFrozenProcess(t *testing.T) {
	url, ctx := postgrestest.Database(t), t.Context()
	m := mustOpen(t, url)
	defer mustClose(t, m)
	f := &freezer{frozen: make(chan struct{}), thaw: make(chan struct{})}
	frozen, err := postgres.OpenWith(ctx, url, postgres.Options{Patience: time.Hour}, func(c *pgxpool.Config) { c.ConnConfig.Tracer = f })
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, frozen)
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{pair("a", "1"), pair("b", "1")}}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- frozen.Commit(ctx, ordered.Change{If: []ordered.Pair{pair("a", "1"), pair("b", "1")}, Set: []ordered.Pair{pair("a", "2"), {Key: "b"}}})
	}()
	<-f.frozen
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{pair("a", "3"), pair("b", "3")}}); err != nil {
		t.Error(err)
	}
	close(f.thaw)
	if err := <-done; err != nil {
		t.Errorf("when the process goes on: %v", err)
	}
}
