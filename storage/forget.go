package storage

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

const (
	// forgetAtOnce is how many matches are removed in one commit.
	forgetAtOnce = 25
	// forgetRest is how long to rest after a commit, as a multiple of how long that took.
	forgetRest = 4
)

// Forget implements [finished.Store]. Totals and leaderboards do not change: they still count what was
// removed. Four round trips remove a batch.
func (s *Store) Forget(ctx context.Context, before time.Time) (removed int, err error) {
	return s.inBatches(ctx, forgetAtOnce, forgetRest, func(ctx context.Context) (ordered.Change, int, error) {
		return s.planForget(ctx, before)
	})
}

// planForget plans the removal of the next n matches that ended before a time.
func (s *Store) planForget(ctx context.Context, before time.Time) (c ordered.Change, n int, err error) {
	first := ordered.Prefix(schema.TopicResult)
	first.Limit = forgetAtOnce
	results, err := ordered.Scan(ctx, s.m, first)
	if err != nil {
		return c, 0, err
	}
	var log []game.Result
	var keys []string
	for _, p := range results {
		r, err := schema.DecodeResult(p)
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			return c, 0, err
		}
		r.LogPosition = schema.NumberIn(p.Key) // of one that cannot be read, too: it goes like the others
		log = append(log, r)
		keys = append(keys, schema.MatchKey(r.Match), schema.ForgottenKey(r.Location.Community()))
	}
	there, err := s.m.Get(ctx, keys...)
	if err != nil {
		return c, 0, err
	}
	gone := map[string]uint64{} // the records of how many, by key
	var slots []game.MatchID
	var slotKeys []string
	for i, r := range log {
		stored, of := there[2*i], there[2*i+1]
		v, err := s.codecs.DecodeEnded(stored)
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			return c, 0, err
		}
		if !schema.TimeOf(r.LogPosition).Before(before) {
			break
		}
		n++
		c.If = append(c.If, results[i])
		c.Set = append(c.Set, ordered.Pair{Key: results[i].Key})
		if r.Match == "" {
			continue
		}
		c.Set = append(c.Set, ordered.Pair{Key: stored.Key}, ordered.Pair{Key: schema.ReviewKey(r.Match)}, ordered.Pair{Key: schema.NumberKey(r)})
		if _, ok := gone[of.Key]; !ok {
			c.If = append(c.If, of)
			n, err := schema.DecodeNumber(of)
			if s.unlessDamaged(err) != nil {
				return c, 0, err
			}
			gone[of.Key] = n
		}
		gone[of.Key]++
		for _, request := range v.Requests {
			c.Set = append(c.Set, ordered.Pair{Key: schema.ReceiptKey(request)})
		}
		named := v.Named()
		if err != nil { // the match is lost; the check mends what else led to it
			named = game.Each(r.Known(), func(p game.Participant) game.PlayerID { return p.Player })
		}
		entries, failed := s.codecs.EntriesOf(r, named)
		if failed != nil {
			return c, 0, failed
		}
		c.Set = append(c.Set, ordered.Removed(entries)...)
		if err == nil {
			slots, slotKeys = append(slots, v.ID), append(slotKeys, schema.SlotKey(v.Slot()))
		}
	}
	for key, n := range gone {
		c.Set = append(c.Set, ordered.Pair{Key: key, Value: schema.Number(n)})
	}
	latest, err := s.m.Get(ctx, slotKeys...)
	if err != nil {
		return c, 0, err
	}
	for i, p := range latest {
		if v, err := s.decodeSlot(p); err == nil && v.Ended == slots[i] {
			c.If, c.Set = append(c.If, p), append(c.Set, ordered.Pair{Key: p.Key})
		}
	}
	return c, n, nil
}
