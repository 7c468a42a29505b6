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

// Load implements [matches.Store].
func (s *Store) Load(ctx context.Context, slot game.Slot) (game.Match, error) {
	loaded, err := s.LoadSlots(ctx, []game.Slot{slot}, false)
	if err != nil {
		return game.Match{}, err
	}
	return loaded[0].Match, loaded[0].Err
}

// LoadSlots implements [matches.Store]: the matches that are being played take one round trip,
// and those that have ended another one.
func (s *Store) LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]matches.Loaded, error) {
	there, err := s.m.Get(ctx, game.Each(slots, schema.SlotKey)...)
	if err != nil {
		return nil, err
	}
	loaded := make([]matches.Loaded, len(slots))
	anyPlaying := false
	var ended []int // of the slots whose match has ended
	var endedKeys []string
	for i, p := range there {
		v, err := s.decodeSlot(p)
		switch {
		case err != nil:
			loaded[i].Err = err
			continue
		case v.Tombstone != "":
			loaded[i].Err = game.ErrCleared
		case v.Ended != "":
			ended, endedKeys = append(ended, i), append(endedKeys, schema.MatchKey(v.Ended))
			loaded[i].Err = game.ErrEnded
		case v.Version == 0:
			loaded[i].Err = game.ErrNoMatch
		default:
			loaded[i].Match, loaded[i].Requests = v.Match, v.Requests
			anyPlaying = true
		}
		s.recent.put(p, v)
	}
	if len(ended) > 0 && !(playing && anyPlaying) {
		pairs, err := s.m.Get(ctx, endedKeys...)
		if err != nil {
			return nil, err
		}
		for n, i := range ended {
			v, err := s.codecs.DecodeEnded(pairs[n])
			loaded[i] = matches.Loaded{Match: v.Match, Err: err}
		}
	}
	for i := range loaded {
		switch err := loaded[i].Err; {
		case errors.Is(err, game.ErrDamaged):
			s.damaged(err)
			loaded[i].Err = fmt.Errorf("%w (%w)", game.ErrUnreadable, err)
		case err != nil && !errors.Is(err, game.ErrNoMatch) && !errors.Is(err, game.ErrEnded):
			return nil, err
		}
	}
	return loaded, nil
}

// Playing implements [matches.Store].
func (s *Store) Playing(ctx context.Context, slots ...game.Slot) (all []game.Match, err error) {
	there, err := s.m.Read(ctx, game.Each(slots, func(slot game.Slot) ordered.Query {
		return ordered.Query{From: schema.SlotKey(slot), To: schema.SlotKey(slot) + "\x01"} // with what NUL joins to it
	})...)
	for _, p := range slices.Concat(there...) {
		v, err := s.decodeSlot(p)
		if s.unlessDamaged(err) != nil {
			return nil, err
		}
		if v.Version > 0 {
			all = append(all, v.Match)
		}
	}
	return all, err
}

// Repeated implements [matches.Store]. It looks in the match that is being played, and among the
// receipts of ended ones.
func (s *Store) Repeated(ctx context.Context, slot game.Slot, request game.RequestID) (game.Match, uint64, error) {
	there, err := s.m.Get(ctx, schema.SlotKey(slot), schema.ReceiptKey(request))
	if err != nil {
		return game.Match{}, 0, err
	}
	if v, err := s.decodeSlot(there[0]); err == nil {
		if i := slices.Index(v.Requests, request); i >= 0 {
			return v.Match, uint64(i + 1), nil
		}
	}
	data, err := schema.Value(there[1])
	if err != nil || data == nil {
		return game.Match{}, 0, err
	}
	r, err := record.DecodeReceipt(data)
	if err != nil || r.Version == 0 { // that of a clearing has no match
		return game.Match{}, 0, err
	}
	v, err := readKey(ctx, s, schema.MatchKey(r.Match), s.codecs.DecodeEnded)
	return v.Match, r.Version, err
}

// commit is one call of Commit.
type commit struct {
	*Store
	matches.Change
	slot game.Slot
	// Of a match that is still played, its slot has this after the change.
	requests []game.RequestID
	record   []byte
	known    bool // whether its puzzle was started before
}

// Commit implements [matches.Store]. A guess reads nothing if this process was the last to touch its
// match, and writes one key.
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
	if c.Recent.Keep > 0 && !n.known {
		s.drew(c.Recent, c.Match.State.Answer())
	}
	if !ended {
		s.recent.put(ordered.Pair{Key: schema.SlotKey(n.slot), Value: n.record}, schema.Slot{StoredMatch: schema.StoredMatch{Match: c.Match, Requests: n.requests}})
	}
	return nil
}

// isNext reports whether the change is the next version of the match in a slot.
func (n *commit) isNext(v schema.Slot) bool {
	return v.ID == n.Match.ID && v.Version+1 == n.Match.Version && !slices.Contains(v.Requests, n.Request)
}

// move commits a change that neither starts nor ends its match. After a conflict it does not try again, as
// [Store.change] does: another change was first then, and this one does not follow it.
func (n *commit) move(ctx context.Context) (err error) {
	receipt := ordered.Pair{Key: schema.ReceiptKey(n.Request)}
	slot, ok := n.recent.take(schema.SlotKey(n.slot))
	if !ok || !n.isNext(slot.Slot) { // what is remembered, if anything, is out of date
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

// planStart plans the first version of a match. At first it assumes that what was read just before still
// holds, and that nothing of the match is stored: if that is wrong, the commit conflicts.
func (n *commit) planStart(ctx context.Context, try int) (ordered.Change, error) {
	m := n.Match
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.Request), schema.MatchKey(m.ID), schema.OpenKey(m.Unfinished()), schema.PuzzleKey(m.Kind, m.Puzzle)}
	slot, read := n.recent.take(keys[0])
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

// startOn is planStart with what it has read, or expects.
func (n *commit) startOn(ctx context.Context, there []ordered.Pair) (ordered.Change, error) {
	m := n.Match
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
		n.known = err == nil && stored != nil
		switch {
		case n.known && !bytes.Equal(own, stored):
			return ordered.Change{}, game.ErrConflict
		case !n.known:
			c.If = append(c.If, puzzle)
			c.Set = append(c.Set, ordered.Pair{Key: puzzle.Key, Value: own})
		}
	}
	c.Set = append(c.Set, ordered.Pair{Key: open.Key, Value: []byte(n.slot.Key())})
	return c, nil
}

// free returns nil if the match can start in its slot, and whether what that has cannot be read, so
// that the new match takes its place. Otherwise the error is game.ErrConflict.
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

// planEnd plans the last version of a match: it leaves its slot, its result joins the log and the
// histories, and it counts in the totals of its players and in the guild's leaderboard. It depends on nothing
// that ends of other players' matches change, and sets nothing that they set, so that those of a busy server do not wait for one
// another: in a database, a row that many store is locked by each of them in turn.
func (n *commit) planEnd(ctx context.Context, try int) (ordered.Change, error) {
	n.Match.Outside = nil
	r := n.Match.Result()
	players := r.Known()
	solved := schema.SolvedIn(r)
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.Request)}
	for _, p := range solved {
		keys = append(keys, p.Key)
	}
	first, marks := len(keys), 1
	for _, p := range players {
		if keys = append(keys, schema.ClearingKey(p.Player)); r.Month() != "" {
			pseudonym, err := n.pseudonym(ctx, p.Player, r.Month())
			if err != nil {
				return ordered.Change{}, err
			}
			keys, marks = append(keys, schema.ClearedKey(r.Month(), pseudonym)), 2
		}
		for _, scope := range statistics.Scopes(r) {
			keys = append(keys, schema.TotalKey(p.Player, scope))
		}
	}
	there, err := n.m.Get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	slot, receipt, known := there[0], there[1], there[2:first]
	if receipt.Value != nil {
		return ordered.Change{}, game.ErrConflict
	}
	v, err := n.decodeSlot(slot)
	if err != nil {
		return ordered.Change{}, err
	}
	if !n.isNext(v) {
		return ordered.Change{}, game.ErrConflict
	}
	requests := append(slices.Clip(v.Requests), n.Request)
	r.Place = schema.LogPosition(n.At, n.counted.Add(1))
	c := ordered.Change{If: []ordered.Pair{slot, receipt}}
	tallies, totals := make([]statistics.Tally, len(players)), make([][]ordered.Pair, len(players))
	for i, of := range slices.Collect(slices.Chunk(there[first:], marks+len(statistics.Scopes(r)))) {
		if tallies[i], totals[i], err = n.tally(ctx, of[marks:]); err != nil {
			return ordered.Change{}, err
		}
		for _, t := range tallies[i] {
			r.Place = max(r.Place, t.Place+1)
		}
		upTo, err := schema.DecodeNumber(of[0])
		if err != nil {
			return ordered.Change{}, err
		}
		if r.Place = max(r.Place, upTo+1); marks > 1 && of[1].Value != nil {
			r.Outside = r.CountsIn()
		}
		c.If = append(append(c.If, of[:marks]...), totals[i]...)
	}
	r.Place += uint64(try) // if another result has this place, the next one is free
	for i, p := range players {
		now := maps.Clone(tallies[i])
		r.Outside = append(r.Outside, now.Add(r, p)...)
		set, err := counted(totals[i], tallies[i], now)
		if err != nil {
			return ordered.Change{}, err
		}
		c.Set = append(c.Set, set...)
	}
	n.Match.Outside = r.Outside

	c.If = append(c.If, ordered.Pair{Key: schema.ResultKey(r.Place)})
	ended, err := n.codecs.EncodeEnded(schema.EndedMatch{StoredMatch: schema.StoredMatch{Match: n.Match, Requests: requests}, Position: r.Place}, r)
	if err != nil {
		return ordered.Change{}, err
	}
	c.Set = append(append(c.Set, ended...),
		ordered.Pair{Key: slot.Key, Value: schema.EndedIn(r.Match)},
		ordered.Pair{Key: schema.OpenKey(n.Match.Unfinished())},
		ordered.Pair{Key: schema.NumberKey(r), Value: schema.Nothing})
	entries, err := n.codecs.EntriesOf(r, n.Match.Named())
	if err != nil {
		return ordered.Change{}, err
	}
	c.Set = append(c.Set, entries...)
	for i, p := range solved {
		if known[i].Value == nil {
			c.Set = append(c.Set, p)
		}
	}
	for i, request := range requests {
		receipt := record.Receipt{Version: uint64(i + 1), At: n.Match.ChangedAt(uint64(i + 1)), Match: r.Match}
		c.Set = append(c.Set, ordered.Pair{Key: schema.ReceiptKey(request), Value: receipt.Encode()})
	}
	return c, nil
}
