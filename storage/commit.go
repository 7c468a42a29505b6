package storage

import (
	"bytes"
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
	"fivefold/storage/schema"
)

// commit is the plan of one call of Commit.
type commit struct {
	plan
	input matches.Change
	slot  game.Slot
	after cachedSlot // the slot after the change; zero if the match has ended
}

// Commit implements [matches.Store]. If this process made the latest change of a match, a guess reads nothing and writes one
// key.
func (s *Store) Commit(ctx context.Context, c matches.Change) error {
	n := commit{plan: plan{store: s}, input: c, slot: c.Match.Slot()}
	switch ended := c.Match.Status() != game.Playing; {
	case c.Match.Version == 1 && ended:
		return fmt.Errorf("match %s has ended with its first version", c.Match.ID)
	case c.Match.Version == 1:
		n.start(ctx)
	case ended:
		n.end(ctx)
	default:
		n.move(ctx)
	}
	if n.err == nil {
		n.err = s.m.Commit(ctx, n.change)
	}
	if n.err == nil && n.after.Key != "" {
		s.cache.put(n.after)
	}
	return n.err
}

// isNext reports whether the change makes the next version of the match in v, by a request that v has not seen.
func (n *commit) isNext(v schema.Slot) bool {
	return v.ID == n.input.Match.ID && v.Version+1 == n.input.Match.Version && !slices.Contains(v.Requests, n.input.Request)
}

// storeMatch plans to store the match in its slot, with its earlier requests and the request of this change.
func (n *commit) storeMatch(requests []game.RequestID) {
	requests = append(slices.Clip(requests), n.input.Request)
	data, err := n.store.codecs.EncodeMatch(n.input.Match, requests)
	n.after.Pair = ordered.Pair{Key: schema.SlotKey(n.slot), Value: data}
	n.after.StoredMatch = schema.StoredMatch{Match: n.input.Match, Requests: requests}
	n.set([]ordered.Pair{n.after.Pair}, err)
}

// move plans a change that neither starts nor ends its match.
func (n *commit) move(ctx context.Context) {
	receipt := ordered.Pair{Key: schema.ReceiptKey(n.input.Request)}
	slot, ok := n.store.cache.take(schema.SlotKey(n.slot))
	if !ok || !n.isNext(slot.Slot) { // the slot is not in the cache, or is out of date there
		there := n.look(ctx, schema.SlotKey(n.slot), receipt.Key)
		v, err := n.store.decodeSlot(there[0])
		if n.fail(err); there[1].Value != nil || !n.isNext(v) {
			n.fail(game.ErrConflict)
		}
		slot = cachedSlot{there[0], v}
	}
	n.change.If = []ordered.Pair{slot.Pair, receipt}
	n.storeMatch(slot.Requests)
	n.set(replaced(schema.DueEntry(slot.Match), schema.DueEntry(n.input.Match)), nil)
}

// start plans the first version of a match. If the cache has the slot, free, and the match has no shared puzzle, start reads
// nothing: it assumes that the slot is up to date and that nothing of the match is stored. A wrong assumption makes the commit
// conflict.
func (n *commit) start(ctx context.Context) {
	m, recent := n.input.Match, n.input.Recent
	keys := []string{schema.SlotKey(n.slot), schema.ReceiptKey(n.input.Request), schema.MatchKey(m.ID), schema.OpenKey(m.Unfinished()), schema.PuzzleKey(m.Kind, m.Puzzle)}
	there := game.Each(keys, func(key string) ordered.Pair { return ordered.Pair{Key: key} })
	if slot, cached := n.store.cache.take(keys[0]); cached && m.Puzzle == "" && slot.Version == 0 {
		there[0] = slot.Pair
	} else {
		if n.slot.Once() {
			mark, err := n.store.markKey(ctx, n.slot)
			n.fail(err)
			keys = append(keys, mark)
		}
		there = n.look(ctx, keys...)
	}
	slot, receipt, ended, open, puzzle := there[0], there[1], there[2], there[3], there[4]
	marks := there[5:]
	if receipt.Value != nil || ended.Value != nil || open.Value != nil || len(marks) > 0 && marks[0].Value != nil {
		n.fail(game.ErrConflict)
	}
	unreadable, err := n.free(ctx, slot)
	n.fail(err)
	n.change.If = append(marks, slot, receipt, ended, open)
	n.storeMatch(nil)
	n.write(open.Key, []byte(n.slot.Key()))
	if unreadable {
		n.set([]ordered.Pair{schema.SetAside(slot)}, nil)
	}
	if m.Puzzle != "" {
		own, err := n.store.codecs.EncodePuzzle(m.Kind, m.State)
		n.fail(err)
		switch stored, err := schema.Value(puzzle); {
		case err != nil || stored == nil:
			n.change.If = append(n.change.If, puzzle)
			n.write(puzzle.Key, own)
		case bytes.Equal(own, stored):
			recent.Keep = 0
		default:
			n.fail(game.ErrConflict)
		}
	}
	if recent.Keep > 0 { // of two lists stored at the same moment, one stays
		answer := m.State.Answer()
		latest := append(slices.DeleteFunc(slices.Clone(recent.Latest), func(a string) bool { return a == answer }), answer)
		n.put(schema.TopicRecent+recent.Name, latest[max(0, len(latest)-recent.Keep):])
	}
}

// free returns nil if the match can start in its slot, and game.ErrConflict otherwise. The new match takes the place of an
// unreadable one.
func (n *commit) free(ctx context.Context, slot ordered.Pair) (unreadable bool, err error) {
	v, err := n.store.decodeSlot(slot)
	switch {
	case err == nil && v.Version > 0:
		return false, game.ErrConflict
	case err == nil && (v.Ended == "" || !n.slot.Once()):
		return false, nil
	case err == nil: // the puzzle was played here: only a lost match makes room for another
		there := n.look(ctx, schema.MatchKey(v.Ended))
		if _, err = n.store.codecs.DecodeEnded(there[0]); err == nil {
			err = game.ErrConflict
		}
	}
	if errors.Is(err, game.ErrDamaged) {
		return true, nil
	}
	return false, err
}

// end plans the last version of a match. The match leaves its slot, its result joins the log and the histories, and it counts
// in its players' totals and leaderboards. Ends with different players have no condition in common and, apart from the first
// win of a daily puzzle in a server, set no common key: in a database they would wait for each other's row.
func (n *commit) end(ctx context.Context) {
	m := n.input.Match
	m.Outside = nil
	r := m.Result()
	solved := schema.SolvedIn(r)
	keys := append([]string{schema.SlotKey(n.slot), schema.ReceiptKey(n.input.Request)}, game.Each(solved, func(p ordered.Pair) string { return p.Key })...)
	first := len(keys)
	for _, p := range r.Known() { // the records that decide how the result counts for a player
		var pseudonym game.PlayerID
		if r.Month() != "" {
			pseudonym = n.named(ctx, p.Player, r.Month())
		}
		keys = append(keys, schema.DeletingKey(p.Player), schema.DeletedKey(r.Month(), pseudonym))
		for _, scope := range statistics.Scopes(r) {
			keys = append(keys, schema.TotalKey(p.Player, scope))
		}
	}
	there := n.look(ctx, keys...)
	slot, receipt := there[0], there[1]
	v, err := n.store.decodeSlot(slot)
	if n.fail(err); receipt.Value != nil || !n.isNext(v) {
		n.fail(game.ErrConflict)
	}
	if n.err != nil {
		return
	}
	for i, p := range solved {
		if there[2+i].Value == nil {
			n.set([]ordered.Pair{p}, nil)
		}
	}
	r.LogPosition = schema.LogPosition(n.input.At, n.store.positions.Add(1))
	n.count(ctx, &r, there[first:])
	m.Outside = r.Outside
	n.change.If = append(n.change.If, slot, receipt, ordered.Pair{Key: schema.ResultKey(r.LogPosition)})
	n.set(replaced(schema.DueEntry(v.Match), nil), nil)
	kept := m.WithoutCalls()
	n.set(n.store.codecs.EntriesOf(r, kept.Named()))
	requests := append(slices.Clip(v.Requests), n.input.Request)
	n.set(n.store.codecs.EncodeEnded(schema.EndedMatch{StoredMatch: schema.StoredMatch{Match: kept, Requests: requests}, Position: r.LogPosition}, r))
	n.write(slot.Key, schema.EndedIn(r.Match))
	n.write(schema.OpenKey(m.Unfinished()), nil)
	n.write(schema.NumberKey(r), schema.Nothing)
	for i, request := range requests {
		version := uint64(i + 1)
		n.put(schema.ReceiptKey(request), schema.Receipt{Version: version, At: m.ChangedAt(version), Match: r.Match})
	}
}

// besides is the number of log positions, after a player's latest, from which a result gets one at random. Other players'
// results may have some of them.
const besides = 1 << 10

// count adds a result to its players' totals, and gives it a log position after those that already count. The pairs there
// are, player after player: the mark of a deletion in progress, for a daily the mark of one in its month, and the totals.
func (p *plan) count(ctx context.Context, r *game.Result, there []ordered.Pair) {
	players, marks := r.Known(), 2
	tallies, totals := make([]statistics.Tally, len(players)), make([][]ordered.Pair, len(players))
	for i := range players {
		of := there[:marks+len(statistics.Scopes(*r))]
		there = there[len(of):]
		tallies[i], totals[i] = p.tally(ctx, slices.Clip(of[marks:]))
		after, err := schema.DecodeAs[uint64](of[0])
		p.fail(err)
		for _, t := range tallies[i] {
			after = max(after, t.LogPosition)
		}
		if r.LogPosition <= after {
			r.LogPosition = after + 1 + rand.Uint64N(besides)
		}
		if of[1].Value != nil {
			r.Outside = r.CountsIn()
		}
		p.change.If = append(p.change.If, of[:marks]...)
	}
	if p.err != nil {
		return
	}
	for i, player := range players {
		now := maps.Clone(tallies[i])
		r.Outside = append(r.Outside, now.Add(*r, player)...)
		p.setTotals(totals[i], tallies[i], now)
	}
}
