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
	// Observer is informed of what the store does, for metrics; nil for none.
	Observer observe.Observer
	// Log gets what happens outside requests. Nothing in it identifies a player, and it has no
	// password. Nil discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept, counted back from the end of the latest one, so
	// that a clock that is wrong removes nothing too early. 0 keeps all for ever.
	Keep time.Duration
	// TestOnlyPatience is how long requests wait for the server in tests, if not 0; each attempt may take
	// half of it.
	TestOnlyPatience time.Duration

	testOnlyTracer pgx.QueryTracer // sees every statement
	testOnlyPool   *pgxpool.Pool   // used instead of a pool of the store's own, and not closed by it
	testOnlyQuiet  bool            // nothing is removed in the background
	// testOnlySize is how many rows each removing transaction removes, and the most players in a chunk.
	testOnlySize int
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
