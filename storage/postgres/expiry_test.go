package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestExpiresWhileWaiting: a change whose request expires while it waits for a connection is given up then.
func TestExpiresWhileWaiting(t *testing.T) {
	ctx := t.Context()
	f := &freezer{frozen: make(chan struct{}), thaw: make(chan struct{})}
	m, err := postgres.OpenWith(ctx, postgrestest.Database(t), postgres.Options{Patience: time.Hour}, func(c *pgxpool.Config) {
		c.MaxConns, c.ConnConfig.Tracer = 1, f
	})
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, m)
	first := make(chan error, 1)
	go func() { first <- m.Commit(ctx, ordered.Change{Set: []ordered.Pair{pair("a", "1")}}) }()
	<-f.frozen
	o := game.Origin{Expires: time.Now().Add(time.Millisecond)}
	if err := m.Commit(o.ForCommit(ctx), ordered.Change{Set: []ordered.Pair{pair("a", "2")}}); !errors.Is(err, game.ErrExpired) {
		t.Errorf("the error is %v", err)
	}
	close(f.thaw)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// expiring is a tracer that halts a change until its request has expired.
type expiring struct{ noTracer }

func (expiring) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	time.Sleep(time.Until(game.Committing(ctx).Expires))
	return ctx
}

// TestExpiresOnTheWay: a change whose connection is lost when its request has expired is not tried again, and not
// called undone: it may have reached the server.
func TestExpiresOnTheWay(t *testing.T) {
	p, at := startProxy(t, postgrestest.Database(t), 0)
	m, err := postgres.OpenWith(t.Context(), at, postgres.Options{Patience: time.Hour}, func(c *pgxpool.Config) { c.ConnConfig.Tracer = expiring{} })
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, m)
	commit := func(life time.Duration) error {
		return m.Commit(game.Origin{Expires: time.Now().Add(life)}.ForCommit(t.Context()), ordered.Change{Set: []ordered.Pair{pair("a", "1")}})
	}
	for life := 10 * time.Millisecond; ; life *= 2 {
		p.lose.Store(1)
		if err = commit(life); !errors.Is(err, game.ErrExpired) { // else the machine was too slow to begin in time
			break
		}
	}
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, game.ErrNotSaved) {
		t.Errorf("the error is %v", err)
	}
	if n, err := ordered.Count(t.Context(), m, ordered.Prefix("a")); n != 0 || err != nil {
		t.Errorf("there are %d keys, %v", n, err)
	}
}
