package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
)

// WithSizes returns options with which a transaction removes n rows, and a chunk has n players at most.
func (o Options) WithSizes(n int) Options { o.testOnlySize = n; return o }

// Quiet returns options with which nothing is removed in the background.
func (o Options) Quiet() Options { o.testOnlyQuiet = true; return o }

// WithPatience returns options with which requests wait for the server for d; each try may take half of
// that.
func (o Options) WithPatience(d time.Duration) Options { o.testOnlyPatience = d; return o }

// WithClosing returns options with which Close takes d at most.
func (o Options) WithClosing(d time.Duration) Options { o.testOnlyClosing = d; return o }

// Traced returns options for a store whose statements a tracer sees.
func Traced(t pgx.QueryTracer) Options { return Options{testOnlyTracer: t} }

// ConnectTimeout returns how long connecting to each server of a URL may take.
func ConnectTimeout(url string) (time.Duration, error) {
	config, err := parse(url, Options{})
	if err != nil {
		return 0, err
	}
	return config.ConnConfig.ConnectTimeout, nil
}

// Remove removes what is no longer kept.
func (s *Store) Remove(ctx context.Context, keep time.Duration) error {
	return errors.Join(s.resumeClearings(ctx), s.removeReceipts(ctx), s.removeOld(ctx, keep))
}

// SetChunk sets how many players a chunk of a leaderboard gets.
func (c *Copying) SetChunk(n int) { c.chunk = n }

// CopiedTables are the tables that a copy writes, apart from meta.
var CopiedTables = slices.Concat(recordTables, derivedTables)

// WithPool returns options for a store that uses a pool and does not close it, so that a test that opens
// stores often does not wait for new connections.
func WithPool(p *pgxpool.Pool) Options { return Options{testOnlyPool: p} }

// RankOf is rankOf.
var RankOf = rankOf

// How leaderboards are cut into chunks.
const (
	SQLCutRanks = sqlCutRanks
	MaxChunk    = maxChunk
)

// BeginClear does what Clear does up to the end of its first batch, like a process that dies then.
func (s *Store) BeginClear(ctx context.Context, c game.ClearRequest) error {
	return errors.Join(
		s.write(ctx, func(ctx context.Context, t *try) error { return s.beginClear(ctx, t, c) }),
		s.write(ctx, func(ctx context.Context, t *try) error {
			_, _, err := s.clearSome(ctx, t, c.Player, 0)
			return err
		}))
}
