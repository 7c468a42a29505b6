package postgres

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game/slowtest"
	"fivefold/storage/observe"
)

// Options are the settings of [Open]. The zero value is ready to use.
type Options struct {
	// Password is for the database, unless its URL has one.
	Password string
	// Observer is informed of what the store does, for metrics; nil for none.
	Observer observe.Observer
	// Log gets what happens outside requests. Nothing in it identifies a player, and it has no
	// password. Nil discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept; for ever if it is 0. Their age counts up to now, or
	// up to the end of the last one if that was earlier by Discord's clock, so that a wrong clock
	// removes nothing too early.
	Keep time.Duration

	// testOnlyPatience is how long requests wait for the server, if not 0; each attempt may take half of it.
	testOnlyPatience time.Duration
	testOnlyClosing  time.Duration // how long closing may take, if not 0

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

// patience is how long requests wait for the server.
func (o Options) patience() time.Duration {
	if o.testOnlyPatience > 0 {
		return o.testOnlyPatience
	}
	return slowtest.Limit(patience)
}
