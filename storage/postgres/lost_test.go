package postgres_test

import (
	"context"
	"errors"
	"fmt"
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

// TestLostConnections makes changes through a proxy that loses one connection in ten at each round
// trip: half of them before the server has done what it was asked, half of them after. No change
// that was acknowledged is lost, and none is made twice.
func TestLostConnections(t *testing.T) {
	direct := postgrestest.Database(t)
	p, at := startProxy(t, direct, 0.05)
	at += "&pool_max_conns=8"
	var m *postgres.Map
	var err error
	for m == nil { // the first connection may be lost too
		if m, err = postgres.Open(t.Context(), at, postgres.Options{Patience: time.Hour}); err != nil && !errors.Is(err, postgres.ErrUnreachable) {
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

// play makes a number of changes to each of several records, each by two goroutines at once and on the maps in turn, and returns
// what was acknowledged: for each record the ids of its changes. A record is the list of these ids, and each change also adds a
// receipt. It calls made, unless that is nil, with the number of changes that were made so far, after each.
func play(t *testing.T, maps []*postgres.Map, records, changes int, made func(n int64)) [][]string {
	t.Helper()
	all := make([][]string, records)
	var turn, total atomic.Int64
	var mu sync.Mutex // protects all
	change := func(record, id string) {
		for err := game.ErrConflict; errors.Is(err, game.ErrConflict); {
			m := maps[int(turn.Add(1))%len(maps)]
			there, failed := m.Get(t.Context(), record)
			if err = failed; err == nil {
				old := there[0]
				if slices.Contains(strings.Fields(string(old.Value)), id) {
					return // a try that was lost has made it
				}
				err = m.Commit(t.Context(), ordered.Change{If: []ordered.Pair{old, {Key: "receipt" + id}}, Set: []ordered.Pair{pair(record, string(old.Value)+" "+id), pair("receipt"+id, "")}})
			}
			if err != nil && !errors.Is(err, game.ErrConflict) {
				t.Errorf("change %s: %v", id, err)
			}
		}
	}
	var wg sync.WaitGroup
	for i := range records {
		for k := range 2 {
			wg.Go(func() {
				for n := range changes / 2 {
					id := fmt.Sprintf("%d-%d-%d", i, k, n)
					change(fmt.Sprint("record", i), id)
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
	receipts := 0
	for i, want := range all {
		there, err := m.Get(t.Context(), fmt.Sprint("record", i))
		ids := strings.Fields(string(there[0].Value))
		slices.Sort(ids)
		slices.Sort(want)
		if receipts += len(want); err != nil || !slices.Equal(ids, want) {
			t.Errorf("record %d has %v, %v, want %v", i, ids, err, want)
		}
	}
	for prefix, want := range map[string]int{"receipt": receipts, "probe": 0} {
		if n, err := ordered.Count(t.Context(), m, ordered.Prefix(prefix)); n != want || err != nil {
			t.Errorf("%d rows of %s, %v, want %d", n, prefix, err, want)
		}
	}
}

// TestUnreplicated: a change that only the primary has is not acknowledged, and it is not in conflict with
// itself, even if the next try finds it there: a replica that is promoted would not have it.
func TestUnreplicated(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	if err := server.WaitFor("missing"); err != nil {
		t.Fatal(err)
	}
	var m *postgres.Map
	for patience := 2 * time.Second; m == nil; patience *= 2 { // a slow machine needs more
		var err error
		if m, err = postgres.Open(t.Context(), url, postgres.Options{Patience: patience}); err != nil && !errors.Is(err, postgres.ErrUnreachable) {
			t.Fatal(err)
		}
	}
	defer mustClose(t, m)
	old := ordered.Pair{Key: "a"}
	for n, late := 0, 0; ; n++ { // until commits wait
		next := pair("a", fmt.Sprint(n))
		err := m.Commit(t.Context(), ordered.Change{If: []ordered.Pair{old}, Set: []ordered.Pair{next}})
		switch {
		case err == nil:
			old = next
		case errors.Is(err, game.ErrConflict):
			old = next // it was stored, at first too late for the patience of a map on a slow machine
			late++
		case errors.Is(err, game.ErrNotSaved):
			late++
		default:
			return
		}
		if late > 10 {
			t.Fatalf("a change that no replica has: %v", err)
		}
	}
}

// freezer is a tracer that halts a change when the first answer has come.
type freezer struct {
	noTracer
	once         sync.Once
	frozen, thaw chan struct{}
}

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

// TestLostWhileOpening: a connection that is lost before the schema was read may be there the next time.
func TestLostWhileOpening(t *testing.T) {
	_, at := startProxy(t, postgrestest.Database(t), 1)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("default_query_exec_mode", "exec") // then reading the schema is the first request
	u.RawQuery = q.Encode()
	if _, err := postgres.Open(t.Context(), u.String(), postgres.Options{}); !errors.Is(err, postgres.ErrUnreachable) {
		t.Errorf("the error is %v", err)
	}
}
