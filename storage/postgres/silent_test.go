package postgres_test

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// openQuiet opens a map through a proxy, with as little patience as this machine allows, from a second on.
func openQuiet(t *testing.T, at string) *postgres.Map {
	t.Helper()
	for patience := time.Second; ; patience *= 2 {
		m, err := postgres.Open(t.Context(), at, postgres.Options{Patience: patience})
		if err == nil {
			return m
		}
		if !errors.Is(err, postgres.ErrUnreachable) {
			t.Fatal(err)
		}
	}
}

// TestQuietWhileOpening: a server that lets us in and then says nothing is given up.
func TestQuietWhileOpening(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	p.afterReady.Store(true)
	if _, err := postgres.Open(t.Context(), at, postgres.Options{Patience: time.Second}); !errors.Is(err, postgres.ErrUnreachable) {
		t.Errorf("opening: %v", err)
	}
	p.quiet.Store(false)
	if _, err := postgres.Migrate(t.Context(), at, postgres.Options{Patience: time.Second}); !errors.Is(err, postgres.ErrUnreachable) {
		t.Errorf("making tables: %v", err)
	}
}

// TestQuietTogether: operations of one request together wait no longer than one of them, and then no dead
// connection keeps a place in the pool.
func TestQuietTogether(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	m := openQuiet(t, at)
	defer mustClose(t, m)
	var wg sync.WaitGroup
	for range 4 { // several connections
		wg.Go(func() {
			if _, err := m.Read(t.Context(), ordered.Prefix("a"), ordered.Prefix("b")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p.quiet.Store(true)
	ctx := game.WithWaiting(t.Context())
	if _, err := m.Get(ctx, "a"); err == nil {
		t.Fatal("a silent server has answered")
	}
	if n := m.Places(); n > 0 {
		t.Errorf("%d dead connections have a place in the pool", n)
	}
	tried := p.connections.Load()
	for range 10 {
		if _, err := m.Get(ctx, "a"); err == nil {
			t.Fatal("a silent server has answered")
		}
	}
	if again := p.connections.Load() - tried; again > 0 {
		t.Errorf("the time was up, and the server was tried %d times more", again)
	}
}

// TestQuietClose: a server that says nothing does not keep the map from closing, with changes that wait.
func TestQuietClose(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	m := openQuiet(t, at)
	p.quiet.Store(true)
	reading := make(chan error, 1)
	go func() {
		_, err := m.Get(t.Context(), "a")
		reading <- err
	}()
	m.Later(pair("a", "1"))
	mustClose(t, m)
	if err := <-reading; !errors.Is(err, os.ErrClosed) { // long before its own time was up
		t.Errorf("reading meanwhile: %v", err)
	}
}

// TestSilentPrimary: when the first server of a URL falls silent, every operation is answered by the
// next one, within the time that a request has.
func TestSilentPrimary(t *testing.T) {
	direct, err := url.Parse(postgrestest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	p, at := startProxy(t, direct.String(), 0)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	u.Host += "," + direct.Host
	query := u.Query()
	query.Set("target_session_attrs", "read-write")
	query.Set("pool_max_conns", "2")
	query.Del("connect_timeout")
	u.RawQuery = query.Encode()
	m, err := postgres.Open(t.Context(), u.String(), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, m)
	all := func(value string) {
		t.Helper()
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if err := m.Commit(game.WithWaiting(t.Context()), ordered.Change{Set: []ordered.Pair{pair(fmt.Sprint(i), value)}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		t.Logf("8 changes took %v", time.Since(began).Round(10*time.Millisecond))
	}
	all("1")
	p.quiet.Store(true)
	all("2")
	if n := p.connections.Load(); n < 2 {
		t.Errorf("the first server was asked for %d connections", n)
	}
}
