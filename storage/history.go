package storage

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// replaced returns the pairs that store now and remove the rest of old. Each key occurs once.
func replaced(old, now []ordered.Pair) []ordered.Pair {
	for _, p := range ordered.Removed(old) {
		if !slices.ContainsFunc(now, func(n ordered.Pair) bool { return n.Key == p.Key }) {
			now = append(now, p)
		}
	}
	return now
}

// historyPage is how many entries of a list are read at first. Later pages are four times the one before, up to historyPageMost.
const (
	historyPage     = 32
	historyPageMost = 2048
)

// History implements [finished.Store].
func (s *Store) History(ctx context.Context, f finished.Filter) ([]finished.Entry, error) {
	var kind byte // the codec's byte for f.Kind; 0 for every kind
	codec, err := s.codecs.Of(f.Kind)
	if f.Kind != "" && err != nil || f.Limit <= 0 {
		return nil, ctx.Err() // an unknown kind has no matches
	}
	if err == nil {
		kind = codec.Byte()
	}
	var results []string
	queries := listsOf(f)
	for page := max(historyPage, f.Limit); len(queries) > 0 && len(results) < f.Limit; page = min(4*page, historyPageMost) {
		for i := range queries {
			queries[i].Limit = page
		}
		lists, err := s.m.Read(ctx, queries...)
		if err != nil {
			return nil, err
		}
		next, more := merge(lists, page, f.From > 0)
		for _, n := range next {
			e, err := schema.DecodeEntry(n)
			if s.unlessDamaged(err) != nil {
				return nil, err
			}
			// Damaged entries are left out; the weekly check mends them.
			own := f.Community == "" || strings.HasPrefix(n.Key, schema.TopicOwn)
			if err != nil || !e.Passes(f, kind) || !own && slices.Contains(f.Without, e.Channel) {
				continue
			}
			results = append(results, schema.ResultKey(e.Position))
		}
		if !more {
			break
		}
		queries = after(queries, next[len(next)-1].Key, f.From > 0)
	}
	pairs, err := s.m.Get(ctx, results[:min(len(results), f.Limit)]...)
	if err != nil {
		return nil, err
	}
	found := make([]finished.Entry, len(pairs))
	for i, p := range pairs {
		if found[i].Result, err = schema.DecodeResult(p); err != nil {
			return nil, err
		}
	}
	if f.From > 0 {
		slices.Reverse(found)
	}
	return found, nil
}

// listsOf returns the queries of the lists that a filter's viewer may see, within the filter's bounds.
func listsOf(f finished.Filter) (queries []ordered.Query) {
	add := func(prefix string) {
		queries = append(queries, ordered.Query{From: schema.Numbered(prefix, f.From), To: schema.Numbered(prefix, cmp.Or(f.Before, math.MaxUint64)), Backward: f.From == 0})
	}
	own := f.Viewer != "" && (f.Player == "" || f.Player == f.Viewer)
	switch {
	case f.Community == "" && own:
		add(schema.EverywhereOf(f.Viewer))
	case f.Community == "":
	case f.Player == "":
		add(schema.HistoryOf(f.Community))
	default:
		add(schema.PlayerIn(f.Player, f.Community))
	}
	if own && f.Community != "" {
		add(schema.OwnIn(f.Viewer, f.Community))
	}
	return queries
}

// merge puts the pages of several lists in order. A full page may have a successor, so entries after its end are dropped, and
// more is true.
func merge(lists [][]ordered.Pair, page int, up bool) (all []ordered.Pair, more bool) {
	all = slices.Concat(lists...)
	before := func(a, b uint64) int {
		if up {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(b, a)
	}
	slices.SortStableFunc(all, func(a, b ordered.Pair) int { return before(schema.NumberIn(a.Key), schema.NumberIn(b.Key)) })
	for _, pairs := range lists {
		if len(pairs) < page {
			continue
		}
		more = true
		last := schema.NumberIn(pairs[len(pairs)-1].Key)
		all = slices.DeleteFunc(all, func(p ordered.Pair) bool { return before(schema.NumberIn(p.Key), last) > 0 })
	}
	return all, more
}

// after returns the queries for the entries that follow a key.
func after(queries []ordered.Query, key string, up bool) []ordered.Query {
	for i, q := range queries {
		prefix := q.From[:len(q.From)-8]
		if up {
			queries[i].From = schema.Numbered(prefix, schema.NumberIn(key)+1)
		} else {
			queries[i].To = schema.Numbered(prefix, schema.NumberIn(key))
		}
	}
	return queries
}

// Finished implements [finished.Store].
func (s *Store) Finished(ctx context.Context, match game.MatchID) (game.Finished, error) {
	v, err := readKey(ctx, s, schema.MatchKey(match), s.inHistory)
	if err != nil {
		return game.Finished{}, err
	}
	return game.Finished{LogPosition: v.Position, Match: v.Match}, nil
}

// inHistory reads an ended match. The error is [game.ErrNotInHistory] if the match names no player any more, and
// [game.ErrForgotten] if it is missing.
func (s *Store) inHistory(p ordered.Pair) (v schema.EndedMatch, err error) {
	if p.Value == nil {
		return v, game.ErrForgotten
	}
	if v, err = s.codecs.DecodeEnded(p); err == nil && len(v.Named()) == 0 {
		err = game.ErrNotInHistory
	}
	return v, err
}

// Numbers implements [finished.Store].
func (s *Store) Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error) {
	gone, err := s.forgotten(ctx, community)
	if err != nil {
		return nil, err
	}
	sorted := slices.Sorted(slices.Values(places))
	queries := make([]ordered.Query, len(sorted)) // each from the place before to its own
	from := schema.NumbersOf(community)
	for i, place := range sorted {
		queries[i] = ordered.Query{From: from, To: schema.Numbered(schema.NumbersOf(community), place) + "\x00"}
		from = queries[i].To
	}
	counts, err := s.m.Count(ctx, queries...)
	if err != nil {
		return nil, err
	}
	numbers := make([]uint64, len(places))
	for i, place := range places {
		numbers[i] = gone
		for n := 0; n < len(sorted) && sorted[n] <= place; n++ {
			numbers[i] += uint64(counts[n])
		}
	}
	return numbers, nil
}

// PositionOf implements [finished.Store].
func (s *Store) PositionOf(ctx context.Context, community string, number uint64) (uint64, error) {
	gone, err := s.forgotten(ctx, community)
	switch {
	case err != nil:
		return 0, err
	case number <= gone:
		return 0, game.ErrForgotten
	case number-gone > math.MaxInt:
		return 0, game.ErrNotInHistory
	}
	q := ordered.Prefix(schema.NumbersOf(community))
	q.Skip, q.Limit = int(number-gone)-1, 1
	found, err := ordered.Scan(ctx, s.m, q)
	if err != nil {
		return 0, err
	}
	if len(found) == 0 {
		return 0, game.ErrNotInHistory
	}
	return schema.NumberIn(found[0].Key), nil
}

// forgotten returns how many matches of a community Forget has removed. An unreadable record counts as missing.
func (s *Store) forgotten(ctx context.Context, community string) (uint64, error) {
	n, err := readKey(ctx, s, schema.ForgottenKey(community), schema.DecodeAs[uint64])
	return n, s.unlessDamaged(err)
}
