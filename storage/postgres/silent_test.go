package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// openQuiet opens a map through a proxy, with several connections and as little patience as this machine allows, from
// the least on.
func openQuiet(t *testing.T, at string, least time.Duration) *postgres.Map {
	t.Helper()
	for patience := least; ; patience *= 2 {
		m, err := postgres.Open(t.Context(), at, postgres.Options{Patience: patience})
		if err == nil {
			var reading errgroup.Group
			for range 4 {
				reading.Go(func() error {
					_, err := m.Read(t.Context(), ordered.Prefix("a"), ordered.Prefix("b"))
					return err
				})
			}
			if err = reading.Wait(); err == nil {
				return m
			}
			mustClose(t, m)
		}
		if patience > time.Hour {
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
	m := openQuiet(t, at, time.Second)
	defer mustClose(t, m)
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

// TestQuietClose: a server that says nothing does not keep the map from closing.
func TestQuietClose(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	m := openQuiet(t, at, 6*time.Second)
	p.quiet.Store(true)
	reading := make(chan error, 1)
	go func() {
		_, err := m.Get(t.Context(), "a")
		reading <- err
	}()
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
	change := func(m *postgres.Map, value string) error {
		var all errgroup.Group
		for i := range 8 {
			all.Go(func() error {
				return m.Commit(game.WithWaiting(t.Context()), ordered.Change{Set: []ordered.Pair{pair(fmt.Sprint(i), value)}})
			})
		}
		return all.Wait()
	}
	err = errors.New("not tried")
	for patience := 3 * time.Second; err != nil && patience < time.Minute; patience *= 2 { // a slow machine needs more
		p.quiet.Store(false)
		var m *postgres.Map
		if m, err = postgres.Open(t.Context(), u.String(), postgres.Options{Patience: patience}); err != nil {
			continue
		}
		if err = change(m, "1"); err == nil {
			p.quiet.Store(true)
			err = change(m, "2")
		}
		mustClose(t, m)
	}
	if err != nil {
		t.Error(err)
	}
	if n := p.connections.Load(); n < 2 {
		t.Errorf("the first server was asked for %d connections", n)
	}
}

// TestCancelledRead: a read or a commit whose own context ends, while the database does not answer yet, costs one
// connection at most.
func TestCancelledRead(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	m, err := postgres.Open(t.Context(), at, postgres.Options{Patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, m)
	for what, ask := range map[string]func(context.Context) error{
		"a read":   func(ctx context.Context) error { _, err := m.Get(ctx, "a"); return err },
		"a commit": func(ctx context.Context) error { return m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: "a"}}}) },
	} {
		if err := m.Connect(t.Context(), 4); err != nil {
			t.Fatal(err)
		}
		p.quiet.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-p.unanswered
			cancel()
		}()
		if err := ask(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s that is cancelled: %v", what, err)
		}
		if n := m.Places(); n < 3 {
			t.Errorf("%s that is cancelled leaves %d of 4 connections", what, n)
		}
		p.quiet.Store(false)
	}
}
