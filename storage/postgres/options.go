package postgres

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are what [Open] can be given. The zero value is ready to use.
type Options struct {
	// Password is for the database, unless its URL has one.
	Password string
	// Observer learns what the store does, for metrics; nil for none.
	Observer Observer
	// Log gets what happens outside requests. Nothing in it identifies a player, and no
	// password is in it. Nil discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept after the last one has ended; for ever if
	// it is 0. See [Store.Forget].
	Keep time.Duration

	testOnlyTracer pgx.QueryTracer // sees every statement
	testOnlyPool   *pgxpool.Pool   // is used instead of one of the store's own, and stays open
	testOnlyQuiet  bool            // nothing is removed behind requests
	// testOnlySize is how much is removed in one transaction, and how many players are in a chunk.
	testOnlySize int
	// testOnlyPatience is how long requests wait for the server, and each try half of it.
	testOnlyPatience time.Duration
}

// Observer learns what a [Store] does, for metrics. Its methods are called in the middle
// of the work and from many goroutines, so they must be quick and safe for concurrent
// use, and must not call the store.
type Observer interface {
	// Committed is called after each transaction, with the number of changes in it and
	// how long it took.
	Committed(changes int, took time.Duration)
	// NotSaved is called with every change that the database did not take.
	NotSaved(err error)
}

// unobserved is the Observer of a store without one.
type unobserved struct{}

func (unobserved) Committed(int, time.Duration) {}
func (unobserved) NotSaved(error)               {}

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = unobserved{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
