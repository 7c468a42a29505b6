package storage

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

const (
	// receiptsKept is how long a receipt is kept, as [game.Change] promises.
	receiptsKept = 24 * time.Hour
	// sweepEvery is how often old receipts are removed while games end, and sweepAtOnce how many.
	sweepEvery  = time.Minute
	sweepAtOnce = 500
)

// sweepAtTimes removes old receipts, now and then. Their age is by the clock of the current request or, if
// that is earlier, by our own: whichever is wrong, none is removed too early.
func (s *Store) sweepAtTimes(now time.Time) {
	if own := time.Now(); own.Before(now) {
		now = own
	}
	last := s.swept.Load()
	if now.Sub(time.UnixMilli(last)).Abs() < sweepEvery || !s.swept.CompareAndSwap(last, now.UnixMilli()) {
		return
	}
	switch more, err := s.sweep(s.closing, now.Add(-receiptsKept)); {
	case err == nil && more:
		s.swept.Store(0) // the next end goes on at once, or else many games a day would leave more than are removed
	case err != nil && s.closing.Err() == nil && !errors.Is(err, game.ErrNotSaved):
		s.log.Warn("could not remove old receipts", "error", err)
	}
}

// sweep removes receipts of requests that were made before a time, and the marks of clearings among them, and reports whether
// there may be more. Later requests have greater ids in each front; those of Discord's are numbers, so each of the two sorts
// begins with its oldest.
func (s *Store) sweep(ctx context.Context, before time.Time) (more bool, err error) {
	digits := ordered.Query{From: topicReceipt, To: topicReceipt + ":", Limit: sweepAtOnce}
	rest := ordered.Query{From: digits.To, To: ordered.End(topicReceipt), Limit: sweepAtOnce}
	answers, err := s.m.Read(ctx, digits, rest)
	if err != nil {
		return false, err
	}
	var c ordered.Change
	for _, receipts := range answers {
		for _, p := range receipts {
			r, err := record.DecodeReceipt(p.Value)
			if !p.Damaged && err == nil && !madeAt(game.RequestID(p.Key[len(topicReceipt):]), r.At).Before(before) {
				break
			}
			c.Set = append(c.Set, ordered.Pair{Key: p.Key})
			if err != nil || r.Player == "" {
				continue
			}
			slots, err := s.scan(ctx, ordered.Prefix(topicSlot+game.PlayerKeyPrefix(r.Player)))
			if err != nil {
				return false, err
			}
			for _, slot := range slots {
				if v, err := s.decodeSlot(slot); err == nil && receiptKey(v.cleared) == p.Key {
					c.If, c.Set = append(c.If, slot), append(c.Set, ordered.Pair{Key: slot.Key})
				}
			}
		}
	}
	if c.Set == nil {
		return false, nil
	}
	return len(c.Set) >= sweepAtOnce, s.m.Commit(ctx, c)
}
