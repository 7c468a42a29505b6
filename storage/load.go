package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/storage/ordered"
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

// LoadSlots implements [matches.Store]. Matches that are being played take one round trip, and ended ones a second.
func (s *Store) LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]matches.Loaded, error) {
	keys := game.Each(slots, schema.SlotKey)
	for _, slot := range slots {
		if slot.Once() {
			mark, err := s.markKey(ctx, slot)
			if err != nil {
				return nil, err
			}
			keys = append(keys, mark)
		}
	}
	there, err := s.m.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	there, marks := there[:len(slots)], there[len(slots):]
	loaded := make([]matches.Loaded, len(slots))
	anyPlaying := false
	var ended []int // the indices of slots whose match has ended
	var endedKeys []string
	for i, p := range there {
		v, err := s.decodeSlot(p)
		marked := false
		if slots[i].Once() {
			marked, marks = marks[0].Value != nil, marks[1:]
		}
		switch {
		case err != nil:
			loaded[i].Err = err
			continue
		case marked && v.Version == 0 && v.Ended == "":
			loaded[i].Err = game.ErrDeleted
		case v.Ended != "":
			ended, endedKeys = append(ended, i), append(endedKeys, schema.MatchKey(v.Ended))
			loaded[i].Err = game.ErrEnded
		case v.Version == 0:
			loaded[i].Err = game.ErrNoMatch
		default:
			loaded[i].Match, loaded[i].Requests = v.Match, v.Requests
			anyPlaying = true
		}
		s.cache.put(cachedSlot{p, v})
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

// LoadToStart implements [matches.Store]. An unreadable list counts as empty: at worst, an answer comes again too soon.
func (s *Store) LoadToStart(ctx context.Context, slot game.Slot, list string) (latest game.Match, answers []string, err error) {
	keys := []string{schema.SlotKey(slot), schema.TopicRecent + list} // the list "" is never stored
	if slot.Once() {
		mark, err := s.markKey(ctx, slot)
		if err != nil {
			return latest, nil, err
		}
		keys = append(keys, mark)
	}
	there, err := s.m.Get(ctx, keys...)
	if err != nil {
		return latest, nil, err
	}
	if answers, err = schema.DecodeAs[[]string](there[1]); s.unlessDamaged(err) != nil {
		return latest, nil, err
	}
	v, err := s.decodeSlot(there[0])
	switch {
	case errors.Is(err, game.ErrDamaged), v.Ended != "" && slot.Puzzle != "":
		latest, err = s.Load(ctx, slot)
		return latest, answers, err
	case err != nil:
		return latest, nil, err
	case v.Version == 0 && len(there) > 2 && there[2].Value != nil:
		err = game.ErrDeleted
	case v.Version == 0:
		err = game.ErrNoMatch
	}
	s.cache.put(cachedSlot{there[0], v})
	return v.Match, answers, err
}

// Playing implements [matches.Store].
func (s *Store) Playing(ctx context.Context, slots ...game.Slot) (all []game.Match, err error) {
	there, err := s.m.Read(ctx, game.Each(slots, func(slot game.Slot) ordered.Query {
		return ordered.Query{From: schema.SlotKey(slot), To: schema.SlotKey(slot) + "\x01"} // the slot, and those whose keys add NUL and more
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

// Unfinished implements [matches.Store].
func (s *Store) Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error) {
	q := ordered.Prefix(schema.TopicOpen)
	q.Limit = limit
	if after.Match != "" {
		q.From = schema.OpenKey(after) + "\x00"
	}
	var found []game.Unfinished
	for len(found) < limit {
		list, err := ordered.Scan(ctx, s.m, q)
		if err != nil {
			return nil, err
		}
		slots, err := s.m.Get(ctx, game.Each(list, func(p ordered.Pair) string { return schema.TopicSlot + string(p.Value) })...)
		if err != nil {
			return nil, err
		}
		for i, p := range slots {
			v, err := s.decodeSlot(p)
			if err != nil || v.Version == 0 {
				continue
			}
			if u := v.Unfinished(); schema.OpenKey(u) == list[i].Key {
				found = append(found, u)
			}
		}
		if len(list) < limit {
			break
		}
		q.From = list[len(list)-1].Key + "\x00"
	}
	return slices.Clip(found[:min(limit, len(found))]), nil
}

// Repeated implements [matches.Store]. It looks in the match that is being played, then among the receipts of ended ones.
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
	r, err := schema.DecodeAs[schema.Receipt](there[1])
	if err != nil || r.Version == 0 { // there is no receipt, or it is that of a deletion
		return game.Match{}, 0, err
	}
	v, err := readKey(ctx, s, schema.MatchKey(r.Match), s.codecs.DecodeEnded)
	return v.Match, r.Version, err
}

// Puzzle implements [matches.Store]. An unreadable puzzle counts as missing: the secret draws the same one again.
func (s *Store) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error) {
	state, err := readKey(ctx, s, schema.PuzzleKey(k, p), func(p ordered.Pair) (game.State, error) {
		data, err := schema.Value(p)
		if err != nil || data == nil {
			return nil, err
		}
		return s.codecs.DecodePuzzle(k, data)
	})
	return state, state != nil, s.unlessDamaged(err)
}
