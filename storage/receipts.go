package storage

import (
	"context"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

const (
	// receiptsKept is how long a receipt is kept, as [game.Change] promises.
	receiptsKept = 24 * time.Hour
	// sweepAtOnce is how many receipts are removed in one commit.
	sweepAtOnce = 500
)

// sweep removes receipts of requests that were made before a time, and the marks of clearings among them.
func (s *Store) sweep(ctx context.Context, before time.Time) error {
	_, err := s.inBatches(ctx, sweepAtOnce, 1, func(ctx context.Context) (ordered.Change, int, error) {
		c, err := s.planSweep(ctx, before)
		return c, len(c.Set), err
	})
	return err
}

// planSweep plans the next commit of sweep. Later requests have greater ids in each front; those of Discord's are numbers, so
// each of the two sorts begins with its oldest.
func (s *Store) planSweep(ctx context.Context, before time.Time) (c ordered.Change, err error) {
	digits := ordered.Query{From: topicReceipt, To: topicReceipt + ":", Limit: sweepAtOnce}
	rest := ordered.Query{From: digits.To, To: ordered.End(topicReceipt), Limit: sweepAtOnce}
	answers, err := s.m.Read(ctx, digits, rest)
	if err != nil {
		return c, err
	}
	for _, receipts := range answers {
		for _, p := range receipts {
			r, err := record.DecodeReceipt(p.Value)
			if !p.Damaged && err == nil && !game.RequestID(p.Key[len(topicReceipt):]).MadeOr(r.At).Before(before) {
				break
			}
			c.Set = append(c.Set, ordered.Pair{Key: p.Key})
			if err != nil || r.Player == "" {
				continue
			}
			slots, err := s.scan(ctx, ordered.Prefix(topicSlot+game.PlayerKeyPrefix(r.Player)))
			if err != nil {
				return c, err
			}
			for _, slot := range slots {
				if v, err := s.decodeSlot(slot); err == nil && receiptKey(v.cleared) == p.Key {
					c.If, c.Set = append(c.If, slot), append(c.Set, ordered.Pair{Key: slot.Key})
				}
			}
		}
	}
	return c, nil
}

// sweepCleared removes who has cleared their history in months that are closed.
func (s *Store) sweepCleared(ctx context.Context, at time.Time) error {
	return s.each(ctx, ordered.Query{From: topicCleared, To: topicCleared + game.OpenMonths(at)[0]}, func(batch []ordered.Pair) error {
		return s.m.Commit(ctx, ordered.Change{Set: removed(batch)})
	})
}
