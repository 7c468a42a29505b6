package postgres

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/storage/observe"
)

// Options are what [Open] can be given. The zero value is ready to use.
type Options struct {
	// Password is for the database, unless its URL has one.
	Password string
	// Observer learns what the store does, for metrics; nil for none.
	Observer observe.Observer
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

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = observe.Nobody{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
