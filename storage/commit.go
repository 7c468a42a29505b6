package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
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
	*Store
	matches.Change
	slot game.Slot
	// What the slot has after the change, if the match has not ended.
	requests []game.RequestID
	record   []byte
}

// Commit implements [matches.Store]. A guess reads nothing if this process changed its match last, and writes one key.
func (s *Store) Commit(ctx context.Context, c matches.Change) (err error) {
	n := commit{Store: s, Change: c, slot: c.Match.Slot()}
	ended := c.Match.Status() != game.Playing
	switch {
	case c.Match.Version == 1 && ended:
		return fmt.Errorf("match %s has ended with its first version", c.Match.ID)
	case c.Match.Version == 1:
		err = s.change(ctx, n.planStart)
	case ended:
		err = s.change(ctx, n.planEnd)
	default:
		err = n.move(ctx)
	}
	if err != nil {
		return err
	}
	if !ended {
		s.cache.put(ordered.Pair{Key: schema.SlotKey(n.slot), Value: n.record}, schema.Slot{StoredMatch: schema.StoredMatch{Match: c.Match, Requests: n.requests}})
	}
	return nil
}

// isNext reports whether the change is the next version of the match in a slot.
func (n *commit) isNext(v schema.Slot) bool {
	return v.ID == n.Match.ID && v.Version+1 == n.Match.Version && !slices.Contains(v.Requests, n.Request)
}

// move commits a change that neither starts nor ends its match. It does not try again after a conflict, as [Store.change]
// does: another change was first then.
func (n *commit) move(ctx context.Context) (err error) {
	receipt := ordered.Pair{Key: schema.ReceiptKey(n.Request)}
	slot, ok := n.cache.take(schema.SlotKey(n.slot))
	if !ok || !n.isNext(slot.Slot) { // the cache has nothing, or something out of date
		there, err := n.m.Get(ctx, schema.SlotKey(n.slot), receipt.Key)
		if err != nil {
			return err
		}
		slot.Pair = there[0]
		if slot.Slot, err = n.decodeSlot(slot.Pair); err != nil {
			return err
		}
		if there[1].Value != nil || !n.isNext(slot.Slot) {
			return game.ErrConflict
		}
	}
	n.requests = append(slices.Clip(slot.Requests), n.Request)
	if n.record, err = n.codecs.EncodeMatch(n.Match, n.requests); err != nil {
		return err
	}
	return n.m.Commit(ctx, ordered.Change{If: []ordered.Pair{slot.Pair, receipt}, Set: []ordered.Pair{{Key: slot.Key, Value: n.record}}})
}

// planStart plans the first version of a match. The first try assumes that the cached slot is up to date, and that nothing of
// the match is stored: otherwise the commit conflicts.
func (n *commit) planStart(ctx context.Context, try int) (ordered.Change, error) {
	m := n.Match
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.Request), schema.MatchKey(m.ID), schema.OpenKey(m.Unfinished()), schema.PuzzleKey(m.Kind, m.Puzzle)}
	slot, read := n.cache.take(keys[0])
	if try == 0 && read && m.Puzzle == "" {
		known := []ordered.Pair{slot.Pair, {Key: keys[1]}, {Key: keys[2]}, {Key: keys[3]}, {}}
		if c, err := n.startOn(ctx, known); !errors.Is(err, game.ErrConflict) {
			return c, err
		}
	}
	there, err := n.m.Get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	return n.startOn(ctx, there)
}

// startOn plans a start by the pairs of planStart's keys, read or assumed.
func (n *commit) startOn(ctx context.Context, there []ordered.Pair) (ordered.Change, error) {
	m, recent := n.Match, n.Recent
	slot, receipt, ended, open, puzzle := there[0], there[1], there[2], there[3], there[4]
	if receipt.Value != nil || ended.Value != nil || open.Value != nil {
		return ordered.Change{}, game.ErrConflict
	}
	unreadable, err := n.free(ctx, slot)
	if err != nil {
		return ordered.Change{}, err
	}
	n.requests = []game.RequestID{n.Request}
	if n.record, err = n.codecs.EncodeMatch(m, n.requests); err != nil {
		return ordered.Change{}, err
	}
	c := ordered.Change{If: []ordered.Pair{slot, receipt, ended, open}, Set: []ordered.Pair{{Key: slot.Key, Value: n.record}}}
	if unreadable {
		c.Set = append(c.Set, schema.SetAside(slot))
	}
	if m.Puzzle != "" {
		own, err := n.codecs.EncodePuzzle(m.Kind, m.State)
		if err != nil {
			return ordered.Change{}, err
		}
		stored, err := schema.Value(puzzle)
		known := err == nil && stored != nil
		switch {
		case known && !bytes.Equal(own, stored):
			return ordered.Change{}, game.ErrConflict
		case known:
			recent.Keep = 0
		default:
			c.If = append(c.If, puzzle)
			c.Set = append(c.Set, ordered.Pair{Key: puzzle.Key, Value: own})
		}
	}
	if recent.Keep > 0 { // of two that are stored at the same moment, one stays
		answer := m.State.Answer()
		latest := append(slices.DeleteFunc(slices.Clone(recent.Latest), func(a string) bool { return a == answer }), answer)
		c.Set = append(c.Set, ordered.Pair{Key: schema.TopicRecent + recent.Name, Value: schema.EncodeTexts(latest[max(0, len(latest)-recent.Keep):])})
	}
	c.Set = append(c.Set, ordered.Pair{Key: open.Key, Value: []byte(n.slot.Key())})
	return c, nil
}

// free returns nil if the match can start in its slot, and game.ErrConflict otherwise. The new match takes the place of an
// unreadable one.
func (n *commit) free(ctx context.Context, slot ordered.Pair) (unreadable bool, err error) {
	v, err := n.decodeSlot(slot)
	switch {
	case err == nil && (v.Tombstone != "" || v.Version > 0):
		return false, game.ErrConflict
	case err == nil && (v.Ended == "" || !n.slot.Once()):
		return false, nil
	case err == nil: // a puzzle can be played once, unless the match of it is lost
		there, failed := n.m.Get(ctx, schema.MatchKey(v.Ended))
		if failed != nil {
			return false, failed
		}
		if _, err = n.codecs.DecodeEnded(there[0]); err == nil {
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
func (n *commit) planEnd(ctx context.Context, try int) (ordered.Change, error) {
	n.Match.Outside = nil
	r := n.Match.Result()
	players, solved := r.Known(), schema.SolvedIn(r)
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.Request)}
	for _, p := range solved {
		keys = append(keys, p.Key)
	}
	first := len(keys)
	for _, p := range players {
		of, err := n.countedIn(ctx, r, p.Player)
		if err != nil {
			return ordered.Change{}, err
		}
		keys = append(keys, of...)
	}
	there, err := n.m.Get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	slot, receipt := there[0], there[1]
	v, err := n.decodeSlot(slot)
	if err != nil {
		return ordered.Change{}, err
	}
	if receipt.Value != nil || !n.isNext(v) {
		return ordered.Change{}, game.ErrConflict
	}
	c := ordered.Change{If: []ordered.Pair{slot, receipt}}
	r.LogPosition = schema.LogPosition(n.At, n.positions.Add(1))
	if err := n.count(ctx, &c, &r, there[first:], uint64(try)); err != nil {
		return ordered.Change{}, err
	}
	n.Match.Outside = r.Outside
	ended, err := n.endedPairs(r, slot.Key, append(slices.Clip(v.Requests), n.Request))
	if err != nil {
		return ordered.Change{}, err
	}
	c.If = append(c.If, ordered.Pair{Key: schema.ResultKey(r.LogPosition)})
	c.Set = append(c.Set, ended...)
	for i, p := range solved {
		if there[2+i].Value == nil {
			c.Set = append(c.Set, p)
		}
	}
	return c, nil
}

// countedIn returns the keys on which it depends how a result counts for a player: whether the history is being cleared, for a
// daily puzzle whether it was cleared this month, and the totals.
func (n *commit) countedIn(ctx context.Context, r game.Result, player game.PlayerID) ([]string, error) {
	keys := []string{schema.ClearingKey(player)}
	if r.Month() != "" {
		pseudonym, err := n.pseudonym(ctx, player, r.Month())
		if err != nil {
			return nil, err
		}
		keys = append(keys, schema.ClearedKey(r.Month(), pseudonym))
	}
	for _, scope := range statistics.Scopes(r) {
		keys = append(keys, schema.TotalKey(player, scope))
	}
	return keys, nil
}

// count has a change count a result for its players, by what is there under the keys of countedIn for each of them. It puts
// the result into the log after those that count already; free is how many positions are taken by others.
func (n *commit) count(ctx context.Context, c *ordered.Change, r *game.Result, there []ordered.Pair, free uint64) error {
	players, marks := r.Known(), 1
	if r.Month() != "" {
		marks = 2
	}
	tallies, totals := make([]statistics.Tally, len(players)), make([][]ordered.Pair, len(players))
	for i := range players {
		size := marks + len(statistics.Scopes(*r))
		of := there[i*size : (i+1)*size]
		var err error
		if tallies[i], totals[i], err = n.tally(ctx, slices.Clip(of[marks:])); err != nil {
			return err
		}
		for _, t := range tallies[i] {
			r.LogPosition = max(r.LogPosition, t.LogPosition+1)
		}
		upTo, err := schema.DecodeNumber(of[0])
		if err != nil {
			return err
		}
		if r.LogPosition = max(r.LogPosition, upTo+1); marks > 1 && of[1].Value != nil {
			r.Outside = r.CountsIn()
		}
		c.If = append(append(c.If, of[:marks]...), totals[i]...)
	}
	r.LogPosition += free
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
func (n *commit) endedPairs(r game.Result, slot string, requests []game.RequestID) ([]ordered.Pair, error) {
	ended := schema.EndedMatch{StoredMatch: schema.StoredMatch{Match: n.Match, Requests: requests}, Position: r.LogPosition}
	pairs, err := n.codecs.EncodeEnded(ended, r)
	if err != nil {
		return nil, err
	}
	entries, err := n.codecs.EntriesOf(r, n.Match.Named())
	if err != nil {
		return nil, err
	}
	pairs = append(append(pairs, entries...),
		ordered.Pair{Key: slot, Value: schema.EndedIn(r.Match)},
		ordered.Pair{Key: schema.OpenKey(n.Match.Unfinished())},
		ordered.Pair{Key: schema.NumberKey(r), Value: schema.Nothing})
	for i, request := range requests {
		data, err := record.Encode(schema.Receipt{Version: uint64(i + 1), At: n.Match.ChangedAt(uint64(i + 1)), Match: r.Match})
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, ordered.Pair{Key: schema.ReceiptKey(request), Value: data})
	}
	return pairs, nil
}
