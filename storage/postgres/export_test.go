package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// SetBatches sets how much is removed in one transaction.
func (s *Store) SetBatches(n int) { s.clearBatch, s.forgetBatch, s.receiptBatch = n, n, n }

// Traced are options for a store whose statements a tracer sees.
func Traced(t pgx.QueryTracer) Options { return Options{testOnlyTracer: t} }

// Remove removes what is no longer kept.
func (s *Store) Remove(ctx context.Context, keep time.Duration) error {
	return errors.Join(s.resumeClearings(ctx), s.removeReceipts(ctx), s.removeOld(ctx, keep))
}

// RecordTables are the tables besides meta whose rows a copy knows.
var RecordTables = recordTables
