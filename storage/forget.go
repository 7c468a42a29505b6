package storage

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

const (
	// forgetAtOnce is how many matches are removed in one commit.
	forgetAtOnce = 25
	// forgetRest is how long to rest after a batch, as a multiple of the time that the batch took.
	forgetRest = 4
)

// Forget implements [finished.Store]. Totals and leaderboards still count the removed matches. Results of the newspaper's puzzle stay:
// their totals are counted from them. A batch takes four round trips.
func (s *Store) Forget(ctx context.Context, before time.Time) (removed int, err error) {
	return s.inBatches(ctx, forgetAtOnce, forgetRest, func(p *plan) int { return p.forget(ctx, before) })
}

// forget plans the removal of the oldest matches that ended before a time, and returns how many.
func (p *plan) forget(ctx context.Context, before time.Time) (n int) {
	first := ordered.Prefix(schema.TopicResult)
	first.Limit = forgetAtOnce
	results := p.read(ctx, first)[0]
	return p.forgetAll(ctx, slices.DeleteFunc(results, func(p ordered.Pair) bool { return !schema.TimeOf(schema.NumberIn(p.Key)).Before(before) }))
}

// forgetAll plans the removal of the matches of results, and returns how many.
func (p *plan) forgetAll(ctx context.Context, results []ordered.Pair) (n int) {
	var log []game.Result
	var keys []string
	for _, there := range results {
		r, err := schema.DecodeResult(there)
		if !errors.Is(err, game.ErrDamaged) {
			p.fail(err)
		}
		r.LogPosition = schema.NumberIn(there.Key) // an unreadable result is removed too
		log = append(log, r)
		keys = append(keys, schema.MatchKey(r.Match), schema.ForgottenKey(r.Location.Community()))
	}
	there := p.look(ctx, keys...)
	gone := map[string]uint64{} // the new counts of removed matches, by key
	var slots []game.MatchID
	var slotKeys []string
	for i, r := range log {
		stored, of := there[2*i], there[2*i+1]
		p.change.If = append(p.change.If, results[i])
		p.write(results[i].Key, nil)
		if r.Match == "" {
			continue
		}
		p.write(stored.Key, nil)
		p.write(schema.ReviewKey(r.Match), nil)
		p.write(schema.NumberKey(r), nil)
		if _, ok := gone[of.Key]; !ok {
			p.change.If = append(p.change.If, of)
			n, err := schema.DecodeAs[uint64](of)
			p.fail(err) // the check mends a damaged count
			gone[of.Key] = n
		}
		gone[of.Key]++
		v, err := p.store.codecs.DecodeEnded(stored)
		for _, request := range v.Requests {
			p.write(schema.ReceiptKey(request), nil)
		}
		named := v.Named()
		switch {
		case err == nil:
			slots, slotKeys = append(slots, v.ID), append(slotKeys, schema.SlotKey(v.Slot()))
		case errors.Is(err, game.ErrDamaged): // the match is lost; the check removes its other entries
			named = game.Each(r.Known(), func(p game.Participant) game.PlayerID { return p.Player })
		default:
			p.fail(err)
		}
		entries, err := p.store.codecs.EntriesOf(r, named)
		p.set(ordered.Removed(entries), err)
	}
	for key, n := range gone {
		p.put(key, n)
	}
	for i, slot := range p.look(ctx, slotKeys...) {
		if v, err := p.store.decodeSlot(slot); err == nil && v.Ended == slots[i] {
			p.change.If = append(p.change.If, slot)
			p.write(slot.Key, nil)
			p.write(schema.TopicBoard+strings.TrimPrefix(slot.Key, schema.TopicSlot), nil)
		}
	}
	return len(log)
}
