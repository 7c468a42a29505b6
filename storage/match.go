package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Load implements [game.MatchStore].
func (s *Store) Load(ctx context.Context, slot game.Slot) (game.Match, error) {
	loaded, err := s.LoadSlots(ctx, []game.Slot{slot})
	if err != nil {
		return game.Match{}, err
	}
	return loaded[0].Match, loaded[0].Err
}

// LoadSlots implements [game.MatchStore]: the matches that are being played take one round trip,
// and those that have ended another one.
func (s *Store) LoadSlots(ctx context.Context, slots []game.Slot) ([]game.Loaded, error) {
	keys := make([]string, len(slots))
	for i, slot := range slots {
		keys[i] = slotKey(slot)
	}
	there, err := s.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	loaded := make([]game.Loaded, len(slots))
	var ended []int // of the slots whose match has ended
	var endedKeys []string
	for i, p := range there {
		s.recent.put(p)
		v, err := decodeSlot(p)
		switch {
		case err != nil:
			loaded[i].Err = err
		case v.cleared != "":
			loaded[i].Err = game.ErrCleared
		case v.id == "":
			loaded[i].Err = game.ErrNoMatch
		case v.playing:
			loaded[i].Match, _, loaded[i].Err = s.decodeEntry(v.id, v.entry)
		default:
			ended, endedKeys = append(ended, i), append(endedKeys, matchKey(v.id))
		}
	}
	if len(ended) > 0 {
		matches, err := s.get(ctx, endedKeys...)
		if err != nil {
			return nil, err
		}
		for n, i := range ended {
			loaded[i].Match, _, _, loaded[i].Err = s.decodeEndedMatch(matches[n])
		}
	}
	for i := range loaded {
		switch err := loaded[i].Err; {
		case errors.Is(err, game.ErrDamaged):
			s.damaged(err)
			loaded[i].Err = fmt.Errorf("%w (%w)", game.ErrUnreadable, err)
		case err != nil && !errors.Is(err, game.ErrNoMatch):
			return nil, err
		}
	}
	return loaded, nil
}

// decodeEndedMatch reads an ended match. One that is missing is damaged.
func (s *Store) decodeEndedMatch(p ordered.Pair) (game.Match, []game.RequestID, endedValue, error) {
	id := game.MatchID(p.Key[len(topicMatch):])
	v, err := decodeEnded(p)
	if err == nil && v.entry == nil {
		err = fmt.Errorf("match %s is missing: %w", id, game.ErrDamaged)
	}
	if err != nil {
		return game.Match{}, nil, endedValue{}, err
	}
	m, requests, err := s.decodeEntry(id, v.entry)
	return m, requests, v, err
}

// Repeated implements [game.MatchStore]. It looks in the match that is being played, and among the
// receipts of ended ones.
func (s *Store) Repeated(ctx context.Context, slot game.Slot, request game.RequestID) (game.Match, uint64, error) {
	there, err := s.get(ctx, slotKey(slot), receiptKey(request))
	if err != nil {
		return game.Match{}, 0, err
	}
	v, err := decodeSlot(there[0])
	if err == nil && v.playing {
		if m, requests, err := s.decodeEntry(v.id, v.entry); err == nil {
			if i := slices.Index(requests, request); i >= 0 {
				return m, uint64(i + 1), nil
			}
		}
	}
	data, err := value(there[1])
	if err != nil || data == nil {
		return game.Match{}, 0, err
	}
	r, err := record.DecodeReceipt(data)
	if err != nil || r.Version == 0 { // that of a clearing has no match
		return game.Match{}, 0, err
	}
	match, err := s.get(ctx, matchKey(r.Match))
	if err != nil {
		return game.Match{}, 0, err
	}
	m, _, _, err := s.decodeEndedMatch(match[0])
	return m, r.Version, err
}

// commit is a change of a match with what is needed to plan it.
type commit struct {
	game.Change
	slot   game.Slot
	record []byte
}

// Commit implements [game.MatchStore]. A guess reads nothing if this process was the last to touch its
// match, and writes one key.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	data, err := s.codecs.EncodeReadable(c.Match)
	if err != nil {
		return fmt.Errorf("match %s: %w", c.Match.ID, err)
	}
	n := commit{c, c.Match.Slot(), data}
	plan := s.planMove
	switch ended := c.Match.Status() != game.Playing; {
	case c.Match.Version == 1 && ended:
		return fmt.Errorf("match %s has ended with its first version", c.Match.ID)
	case c.Match.Version == 1:
		plan = s.planStart
	case ended:
		plan = s.planEnd
	}
	var slot ordered.Pair // as it is then
	err = s.change(ctx, func(ctx context.Context, try int) (ordered.Change, error) {
		planned, err := plan(ctx, n, try)
		if err == nil {
			slot = planned.Set[0]
		}
		return planned, err
	})
	if err != nil {
		return err
	}
	if c.Match.Status() == game.Playing {
		s.recent.put(slot)
	} else {
		s.sweepAtTimes(madeAt(c.Request, c.At))
	}
	return nil
}

// follows returns the requests of a match that is being played, if the change follows what its
// slot has. Otherwise the error is game.ErrConflict.
func (n commit) follows(slot ordered.Pair) ([]game.RequestID, error) {
	v, err := decodeSlot(slot)
	if err != nil {
		return nil, err
	}
	if !v.playing || v.id != n.Match.ID {
		return nil, game.ErrConflict
	}
	requests, _, err := record.DecodeEntry(v.entry)
	if err == nil && (uint64(len(requests))+1 != n.Match.Version || slices.Contains(requests, n.Request)) {
		err = game.ErrConflict
	}
	return requests, err
}

// planMove plans a change that neither starts nor ends its match.
func (s *Store) planMove(ctx context.Context, n commit, try int) (ordered.Change, error) {
	slot, receipt := ordered.Pair{Key: slotKey(n.slot)}, ordered.Pair{Key: receiptKey(n.Request)}
	var requests []game.RequestID
	err := game.ErrConflict
	if known, ok := s.recent.take(slot.Key); ok && try == 0 {
		slot = known
		requests, err = n.follows(slot)
	}
	if err != nil { // what is remembered, if anything, may be out of date
		there, failed := s.get(ctx, slot.Key, receipt.Key)
		if failed != nil {
			return ordered.Change{}, failed
		}
		slot = there[0]
		if there[1].Value != nil {
			return ordered.Change{}, game.ErrConflict
		}
		if requests, err = n.follows(slot); err != nil {
			return ordered.Change{}, err
		}
	}
	entry := record.EncodeEntry(append(requests, n.Request), n.record)
	return ordered.Change{
		If:  []ordered.Pair{slot, receipt},
		Set: []ordered.Pair{{Key: slot.Key, Value: slotValue{id: n.Match.ID, playing: true, entry: entry}.encode()}},
	}, nil
}

// planStart plans the first version of a match. At first it assumes that what was read just before still
// holds, and that nothing of the match is stored: if that is wrong, the commit conflicts.
func (s *Store) planStart(ctx context.Context, n commit, try int) (ordered.Change, error) {
	m := n.Match
	keys := []string{slotKey(n.slot), receiptKey(n.Request), matchKey(m.ID), openKey(m.Unfinished(n.Request)), topicRecent + n.Recent.Name, puzzleKey(m.Kind, m.Puzzle)}
	slot, read := s.recent.take(keys[0])
	recent, listed := s.recent.take(keys[4])
	if try == 0 && read && (listed || n.Recent.Keep == 0) && m.Puzzle == "" {
		known := []ordered.Pair{slot, {Key: keys[1]}, {Key: keys[2]}, {Key: keys[3]}, recent, {}}
		if c, err := s.startOn(ctx, n, known); !errors.Is(err, game.ErrConflict) {
			return c, err
		}
	}
	there, err := s.get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	return s.startOn(ctx, n, there)
}

// startOn is planStart with what it has read, or expects.
func (s *Store) startOn(ctx context.Context, n commit, there []ordered.Pair) (ordered.Change, error) {
	m := n.Match
	slot, receipt, ended, open, recent, puzzle := there[0], there[1], there[2], there[3], there[4], there[5]
	if receipt.Value != nil || ended.Value != nil || open.Value != nil {
		return ordered.Change{}, game.ErrConflict
	}
	c := ordered.Change{If: []ordered.Pair{slot, receipt, ended, open}}
	entry := record.EncodeEntry([]game.RequestID{n.Request}, n.record)
	c.Set = append(c.Set, ordered.Pair{Key: slot.Key, Value: slotValue{id: m.ID, playing: true, entry: entry}.encode()})
	unreadable, err := s.free(ctx, slot, n.slot)
	if err != nil {
		return ordered.Change{}, err
	}
	if unreadable {
		c.Set = append(c.Set, setAside(slot))
	}
	known := false
	if m.Puzzle != "" {
		own, err := s.codecs.EncodePuzzle(m.Kind, m.State)
		if err != nil {
			return ordered.Change{}, err
		}
		stored, err := value(puzzle)
		known = err == nil && stored != nil
		switch {
		case known && !bytes.Equal(own, stored):
			return ordered.Change{}, game.ErrConflict
		case !known:
			c.If = append(c.If, puzzle)
			c.Set = append(c.Set, ordered.Pair{Key: puzzle.Key, Value: own})
		}
	}
	if n.Recent.Keep > 0 && !known {
		answers, err := decodeTexts[string](recent)
		if s.unlessDamaged(err) != nil {
			return ordered.Change{}, err
		}
		if slices.Contains(latestOf(answers, n.Recent.Keep), m.State.Answer()) {
			return ordered.Change{}, game.ErrConflict
		}
		c.If = append(c.If, recent)
		c.Set = append(c.Set, ordered.Pair{Key: recent.Key, Value: encodeTexts(latestOf(append(answers, m.State.Answer()), n.Recent.Keep))})
	}
	c.Set = append(c.Set, ordered.Pair{Key: open.Key, Value: []byte(n.slot.Key())})
	return c, nil
}

// free returns nil if a match can start in a slot, and whether what the slot has cannot be read, so
// that the new match takes its place. Otherwise the error is game.ErrConflict.
func (s *Store) free(ctx context.Context, p ordered.Pair, slot game.Slot) (unreadable bool, err error) {
	v, err := decodeSlot(p)
	switch {
	case err == nil && v.cleared != "":
		return false, game.ErrConflict
	case err == nil && v.id == "" || err == nil && !v.playing && !slot.Once():
		return false, nil
	case err == nil && v.playing:
		if _, _, err = s.decodeEntry(v.id, v.entry); err == nil {
			err = game.ErrConflict
		}
	case err == nil: // a puzzle can be played once, unless the match of it is lost
		there, failed := s.get(ctx, matchKey(v.id))
		if failed != nil {
			return false, failed
		}
		if _, _, _, err = s.decodeEndedMatch(there[0]); err == nil {
			err = game.ErrConflict
		}
	}
	if errors.Is(err, game.ErrDamaged) {
		return true, nil
	}
	return false, err
}

// planEnd plans the last version of a match: it leaves its slot, its result joins the log and the
// histories, and it counts in the totals of its players and in the guild's leaderboard.
func (s *Store) planEnd(ctx context.Context, n commit, try int) (ordered.Change, error) {
	r := n.Match.Result()
	keys := []string{slotKey(n.slot), receiptKey(n.Request), communityKey(r.Location.Community())}
	first := len(keys)
	counted := countedIn(r)
	for _, t := range counted {
		keys = append(keys, totalKey(t.player.Player, t.scope), clearingKey(t.player.Player))
	}
	there, err := s.get(ctx, keys...)
	if err != nil {
		return ordered.Change{}, err
	}
	slot, receipt, communityPair := there[0], there[1], there[2]
	if receipt.Value != nil {
		return ordered.Change{}, game.ErrConflict
	}
	requests, err := n.follows(slot)
	if err != nil {
		return ordered.Change{}, err
	}
	requests = append(requests, n.Request)
	history, err := decodeCommunity(communityPair)
	if err != nil {
		if history, err = s.recountCommunity(ctx, r.Location.Community()); err != nil {
			return ordered.Change{}, err
		}
	}
	place := max(placeOf(n.Request, r.Ended, r.Match), history.Place+1)
	totals := make([]total, len(counted))
	for i, t := range counted {
		totalPair, clearing := there[first+2*i], there[first+2*i+1]
		if totals[i], err = s.total(ctx, totalPair, t.player.Player, t.scope); err != nil {
			return ordered.Change{}, err
		}
		upTo := uint64(0)
		if clearing.Value != nil {
			if upTo, err = decodeNumber(clearing.Value); err != nil {
				return ordered.Change{}, err
			}
		}
		place = max(place, totals[i].Place+1, upTo+1)
	}
	r.Number = place + uint64(try) // if another result has this place, the next one is free
	history.Last, history.Place = max(history.Last, history.Forgotten)+1, r.Number

	c := ordered.Change{If: []ordered.Pair{slot, receipt, communityPair, {Key: resultKey(r.Number)}}}
	c.Set = append(c.Set, ordered.Pair{Key: slot.Key, Value: slotValue{id: r.Match}.encode()})
	data, err := record.EncodeResult(r)
	if err != nil {
		return ordered.Change{}, err
	}
	ended := endedValue{history.Last, r.Number, record.EncodeEntry(requests, n.record)}
	c.Set = append(c.Set,
		ordered.Pair{Key: matchKey(r.Match), Value: ended.encode()},
		ordered.Pair{Key: openKey(n.Match.Unfinished(n.Request))},
		ordered.Pair{Key: resultKey(r.Number), Value: data},
		ordered.Pair{Key: communityPair.Key, Value: history.encode()})
	entries, err := s.entriesOf(r, n.Match.Named(), history.Last)
	if err != nil {
		return ordered.Change{}, err
	}
	c.Set = append(append(c.Set, entries...), solvedIn(r)...)
	for i, request := range requests {
		receipt := record.Receipt{Version: uint64(i + 1), At: madeAt(request, n.At), Match: r.Match}
		c.Set = append(c.Set, ordered.Pair{Key: receiptKey(request), Value: receipt.Encode()})
	}
	for i, t := range counted {
		totalPair, clearing := there[first+2*i], there[first+2*i+1]
		c.If = append(c.If, totalPair, clearing)
		set, err := totals[i].count(r, t)
		if err != nil {
			return ordered.Change{}, err
		}
		c.Set = append(c.Set, set...)
	}
	return c, nil
}

// madeAt is when a request was made: by Discord's clock if its id has a time, and otherwise the time
// that is given.
func madeAt(r game.RequestID, at time.Time) time.Time {
	if made, ok := r.Made(); ok {
		return made
	}
	return at
}

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
	if err := s.sweep(s.closing, now.Add(-receiptsKept)); err != nil && s.closing.Err() == nil && !errors.Is(err, game.ErrNotSaved) {
		s.log.Warn("could not remove old receipts", "error", err)
	}
}

// sweep removes receipts of requests that were made before a time, and the marks of clearings among them. Later requests have greater ids
// in each front; those of Discord's are numbers, so each of the two sorts begins with its oldest.
func (s *Store) sweep(ctx context.Context, before time.Time) error {
	digits := ordered.Query{From: topicReceipt, To: topicReceipt + ":", Limit: sweepAtOnce}
	rest := ordered.Query{From: digits.To, To: ordered.End(topicReceipt), Limit: sweepAtOnce}
	answers, err := s.m.Read(ctx, digits, rest)
	if err != nil {
		return err
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
				return err
			}
			for _, slot := range slots {
				if v, err := decodeSlot(slot); err == nil && receiptKey(v.cleared) == p.Key {
					c.If, c.Set = append(c.If, slot), append(c.Set, ordered.Pair{Key: slot.Key})
				}
			}
		}
	}
	if c.Set == nil {
		return nil
	}
	return s.m.Commit(ctx, c)
}
