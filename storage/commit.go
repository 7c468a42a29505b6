package storage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// commit is one call of Commit.
type commit struct {
	store  *Store
	change matches.Change
	slot   game.Slot
	after  cachedSlot // what the slot has after the change, if the match has not ended
}

// Commit implements [matches.Store]. A guess reads nothing if this process changed its match last, and writes one key.
func (s *Store) Commit(ctx context.Context, c matches.Change) error {
	n := commit{store: s, change: c, slot: c.Match.Slot()}
	plan := n.planMove
	switch ended := c.Match.Status() != game.Playing; {
	case c.Match.Version == 1 && ended:
		return fmt.Errorf("match %s has ended with its first version", c.Match.ID)
	case c.Match.Version == 1:
		plan = n.planStart
	case ended:
		plan = n.planEnd
	}
	change, err := plan(ctx)
	if err == nil {
		err = s.m.Commit(ctx, change)
	}
	if err == nil && n.after.Key != "" {
		s.cache.put(n.after)
	}
	return err
}

// isNext reports whether the change is the next version of the match in a slot.
func (n *commit) isNext(v schema.Slot) bool {
	return v.ID == n.change.Match.ID && v.Version+1 == n.change.Match.Version && !slices.Contains(v.Requests, n.change.Request)
}

// write returns the pair that stores the match in its slot, after requests and this one.
func (n *commit) write(requests []game.RequestID) (ordered.Pair, error) {
	requests = append(slices.Clip(requests), n.change.Request)
	data, err := n.store.codecs.EncodeMatch(n.change.Match, requests)
	n.after.Pair = ordered.Pair{Key: schema.SlotKey(n.slot), Value: data}
	n.after.StoredMatch = schema.StoredMatch{Match: n.change.Match, Requests: requests}
	return n.after.Pair, err
}

// planMove plans a change that neither starts nor ends its match.
func (n *commit) planMove(ctx context.Context) (ordered.Change, error) {
	receipt := ordered.Pair{Key: schema.ReceiptKey(n.change.Request)}
	slot, ok := n.store.cache.take(schema.SlotKey(n.slot))
	if !ok || !n.isNext(slot.Slot) { // the cache has nothing, or something out of date
		there, err := n.store.m.Get(ctx, schema.SlotKey(n.slot), receipt.Key)
		if err != nil {
			return ordered.Change{}, err
		}
		slot.Pair = there[0]
		if slot.Slot, err = n.store.decodeSlot(slot.Pair); err != nil {
			return ordered.Change{}, err
		}
		if there[1].Value != nil || !n.isNext(slot.Slot) {
			return ordered.Change{}, game.ErrConflict
		}
	}
	now, err := n.write(slot.Requests)
	return ordered.Change{If: []ordered.Pair{slot.Pair, receipt}, Set: []ordered.Pair{now}}, err
}

// planStart plans the first version of a match. If the cached slot is free, it assumes that the slot is up to date and that nothing
// of the match is stored: otherwise the commit conflicts.
func (n *commit) planStart(ctx context.Context) (ordered.Change, error) {
	m := n.change.Match
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.change.Request), schema.MatchKey(m.ID), schema.OpenKey(m.Unfinished()), schema.PuzzleKey(m.Kind, m.Puzzle)}
	if slot, cached := n.store.cache.take(keys[0]); cached && m.Puzzle == "" {
		known := []ordered.Pair{slot.Pair, {Key: keys[1]}, {Key: keys[2]}, {Key: keys[3]}, {}}
		if c, err := n.startOn(ctx, known); !errors.Is(err, game.ErrConflict) {
			return c, err
		}
	}
	there, err := n.store.m.Get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	return n.startOn(ctx, there)
}

// startOn plans a start by the pairs of planStart's keys, read or assumed.
func (n *commit) startOn(ctx context.Context, there []ordered.Pair) (c ordered.Change, err error) {
	m, recent := n.change.Match, n.change.Recent
	slot, receipt, ended, open, puzzle := there[0], there[1], there[2], there[3], there[4]
	if receipt.Value != nil || ended.Value != nil || open.Value != nil {
		return c, game.ErrConflict
	}
	unreadable, err := n.free(ctx, slot)
	if err != nil {
		return c, err
	}
	now, err := n.write(nil)
	if err != nil {
		return c, err
	}
	c.If, c.Set = []ordered.Pair{slot, receipt, ended, open}, []ordered.Pair{now, {Key: open.Key, Value: []byte(n.slot.Key())}}
	if unreadable {
		c.Set = append(c.Set, schema.SetAside(slot))
	}
	if m.Puzzle != "" {
		own, err := n.store.codecs.EncodePuzzle(m.Kind, m.State)
		if err != nil {
			return c, err
		}
		stored, err := schema.Value(puzzle)
		known := err == nil && stored != nil
		switch {
		case known && !bytes.Equal(own, stored):
			return c, game.ErrConflict
		case known:
			recent.Keep = 0
		default:
			c.If, c.Set = append(c.If, puzzle), append(c.Set, ordered.Pair{Key: puzzle.Key, Value: own})
		}
	}
	if recent.Keep > 0 { // of two that are stored at the same moment, one stays
		answer := m.State.Answer()
		latest := append(slices.DeleteFunc(slices.Clone(recent.Latest), func(a string) bool { return a == answer }), answer)
		c.Set = append(c.Set, ordered.Pair{Key: schema.TopicRecent + recent.Name, Value: schema.EncodeTexts(latest[max(0, len(latest)-recent.Keep):])})
	}
	return c, nil
}

// free returns nil if the match can start in its slot, and game.ErrConflict otherwise. The new match takes the place of an
// unreadable one.
func (n *commit) free(ctx context.Context, slot ordered.Pair) (unreadable bool, err error) {
	v, err := n.store.decodeSlot(slot)
	switch {
	case err == nil && (v.Tombstone != "" || v.Version > 0):
		return false, game.ErrConflict
	case err == nil && (v.Ended == "" || !n.slot.Once()):
		return false, nil
	case err == nil: // a puzzle can be played once, unless the match of it is lost
		there, failed := n.store.m.Get(ctx, schema.MatchKey(v.Ended))
		if failed != nil {
			return false, failed
		}
		if _, err = n.store.codecs.DecodeEnded(there[0]); err == nil {
			err = game.ErrConflict
		}
	}
	if errors.Is(err, game.ErrDamaged) {
		return true, nil
	}
	return false, err
}

// planEnd plans the last version of a match: it leaves its slot, its result joins the log and the histories, and it counts in
// the totals of its players and in leaderboards. It depends on nothing that ends of other players' matches change, and sets
// nothing that they set, so that ends in a busy server don't wait for one another: in a database, each end would lock a row
// that many store.
func (n *commit) planEnd(ctx context.Context) (c ordered.Change, err error) {
	s, m := n.store, n.change.Match
	m.Outside = nil
	r := m.Result()
	solved := schema.SolvedIn(r)
	keys := append([]string{schema.SlotKey(n.slot), schema.ReceiptKey(n.change.Request)}, game.Each(solved, func(p ordered.Pair) string { return p.Key })...)
	first := len(keys)
	for _, p := range r.Known() { // on what it depends how the result counts for a player
		var pseudonym game.PlayerID
		if r.Month() != "" {
			if pseudonym, err = s.pseudonym(ctx, p.Player, r.Month()); err != nil {
				return c, err
			}
		}
		keys = append(keys, schema.ClearingKey(p.Player), schema.ClearedKey(r.Month(), pseudonym))
		for _, scope := range statistics.Scopes(r) {
			keys = append(keys, schema.TotalKey(p.Player, scope))
		}
	}
	there, err := s.m.Get(ctx, keys...)
	if err != nil {
		return c, err
	}
	slot, receipt := there[0], there[1]
	v, err := s.decodeSlot(slot)
	if err != nil {
		return c, err
	}
	if receipt.Value != nil || !n.isNext(v) {
		return c, game.ErrConflict
	}
	for i, p := range solved {
		if there[2+i].Value == nil {
			c.Set = append(c.Set, p)
		}
	}
	r.LogPosition = schema.LogPosition(n.change.At, s.positions.Add(1))
	if err := s.count(ctx, &c, &r, there[first:]); err != nil {
		return c, err
	}
	m.Outside = r.Outside
	ended, err := s.endedPairs(m, r, append(slices.Clip(v.Requests), n.change.Request))
	c.If = append(c.If, slot, receipt, ordered.Pair{Key: schema.ResultKey(r.LogPosition)})
	c.Set = append(c.Set, ended...)
	return c, err
}

// besides is how many positions of the log may be tried after a player's latest one: others' results may have them.
const besides = 1 << 10

// count has a change count a result for its players, by what is there for each of them: whether the history is being cleared,
// whether it was cleared in the puzzle's month, and the totals. It puts the result into the log after those that count already.
func (s *Store) count(ctx context.Context, c *ordered.Change, r *game.Result, there []ordered.Pair) error {
	players, marks := r.Known(), 2
	tallies, totals := make([]statistics.Tally, len(players)), make([][]ordered.Pair, len(players))
	for i := range players {
		of := there[:marks+len(statistics.Scopes(*r))]
		there = there[len(of):]
		var err error
		if tallies[i], totals[i], err = s.tally(ctx, slices.Clip(of[marks:])); err != nil {
			return err
		}
		after, err := schema.DecodeNumber(of[0])
		if err != nil {
			return err
		}
		for _, t := range tallies[i] {
			after = max(after, t.LogPosition)
		}
		if r.LogPosition <= after {
			r.LogPosition = after + 1 + rand.Uint64N(besides)
		}
		if of[1].Value != nil {
			r.Outside = r.CountsIn()
		}
		c.If = append(append(c.If, of[:marks]...), totals[i]...)
	}
	for i, p := range players {
		now := maps.Clone(tallies[i])
		r.Outside = append(r.Outside, now.Add(*r, p)...)
		set, err := changedTotals(totals[i], tallies[i], now)
		if err != nil {
			return err
		}
		c.Set = append(c.Set, set...)
	}
	return nil
}

// endedPairs returns what is stored of an ended match, apart from totals: itself and its result, what its slot has now, its
// entries in histories, and the receipts of its requests.
func (s *Store) endedPairs(m game.Match, r game.Result, requests []game.RequestID) ([]ordered.Pair, error) {
	pairs, err := s.codecs.EncodeEnded(schema.EndedMatch{StoredMatch: schema.StoredMatch{Match: m, Requests: requests}, Position: r.LogPosition}, r)
	if err != nil {
		return nil, err
	}
	entries, err := s.codecs.EntriesOf(r, m.Named())
	pairs = append(append(pairs, entries...),
		ordered.Pair{Key: schema.SlotKey(m.Slot()), Value: schema.EndedIn(r.Match)},
		ordered.Pair{Key: schema.OpenKey(m.Unfinished())},
		ordered.Pair{Key: schema.NumberKey(r), Value: schema.Nothing})
	for i, request := range requests {
		data, failed := record.Encode(schema.Receipt{Version: uint64(i + 1), At: m.ChangedAt(uint64(i + 1)), Match: r.Match})
		err = cmp.Or(err, failed)
		pairs = append(pairs, ordered.Pair{Key: schema.ReceiptKey(request), Value: data})
	}
	return pairs, err
}
