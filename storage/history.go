package storage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// entry is what a history holds about a match: where its result is, and what filters ask for, so that
// a match can be skipped without loading it. Its key ends in the place of the result. As bytes it is a byte for the
// status, the codec's byte for the kind, the length of the channel in a byte, the channel whose
// readers see the match, and the answer.
type entry struct {
	place   uint64
	status  byte
	kind    byte
	channel game.ChannelID
	answer  string
}

// statusBytes encode how a match ended; 'g' is one that was stopped and counts as lost.
var statusBytes = map[game.Status]byte{game.Won: 'w', game.Lost: 'l', game.Stopped: 's'}

// entryHead is how long an entry is without its channel and answer.
const entryHead = 1 + 1 + 1

func (e entry) encode() []byte {
	b := append([]byte{e.status, e.kind, byte(len(e.channel))}, e.channel...)
	return append(b, e.answer...)
}

func decodeHistoryEntry(p ordered.Pair) (entry, error) {
	b, err := value(p)
	if err == nil && (len(b) < entryHead || len(b) < entryHead+int(b[2]) || !wellFormed(p.Key)) {
		err = fmt.Errorf("history: %w", game.ErrDamaged)
	}
	if err != nil {
		return entry{}, err
	}
	channel := b[entryHead : entryHead+int(b[2])]
	return entry{numberIn(p.Key), b[0], b[1], game.ChannelID(channel), string(b[entryHead+len(channel):])}, nil
}

// passes reports whether an entry passes a filter, apart from the channels that it leaves out.
func (e entry) passes(f game.Filter, kind byte) bool {
	of := map[game.Status]string{"": "wlsg", game.Won: "w", game.Lost: "lg", game.Stopped: "sg"}[f.Status]
	return strings.ContainsRune(of, rune(e.status)) && (!f.PlayedOut || e.status == 'w' || e.status == 'l') &&
		(f.Kind == "" || e.kind == kind) && (f.Answer == "" || e.answer == f.Answer)
}

// entriesOf are what the histories hold about a result: an entry for its community and for everyone named in it or, if it was played alone and not shared, in its
// player's own list; and what the lists of daily puzzles hold about it. There are none once it names nobody. So what a player sees is the union of two lists, and others' games played alone
// cost a page no time.
func (s *Store) entriesOf(r game.Result, named []game.PlayerID) ([]ordered.Pair, error) {
	codec, err := s.codecs.Of(r.Kind)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	community, place := r.Location.Community(), r.Place
	status := statusBytes[r.Status]
	if r.Status == game.Stopped && r.CountsAsLost() {
		status = 'g'
	}
	data := entry{place, status, codec.Byte, r.Channel(), r.Answer}.encode()
	in := ownIn
	var entries []ordered.Pair
	if r.Public() {
		in = playerIn
		entries = append(entries, ordered.Pair{Key: numbered(historyOf(community), place), Value: data})
	}
	for _, p := range named {
		entries = append(entries,
			ordered.Pair{Key: numbered(in(p, community), place), Value: data},
			ordered.Pair{Key: numbered(everywhereOf(p), place), Value: data})
	}
	return append(entries, dailyEntries(r)...), nil
}

// removed returns pairs that remove the keys of others.
func removed(pairs []ordered.Pair) []ordered.Pair {
	return game.Each(pairs, func(p ordered.Pair) ordered.Pair { return ordered.Pair{Key: p.Key} })
}

// replaced returns what is to be stored so that new pairs take the place of old ones. Each key
// occurs once.
func replaced(old, now []ordered.Pair) []ordered.Pair {
	for _, p := range removed(old) {
		if !slices.ContainsFunc(now, func(n ordered.Pair) bool { return n.Key == p.Key }) {
			now = append(now, p)
		}
	}
	return now
}

// historyPage is how many entries are read of a list at first, and at most, where a filter skips many.
const (
	historyPage     = 32
	historyPageMost = 2048
)

// History implements [game.HistoryStore].
func (s *Store) History(ctx context.Context, f game.Filter) ([]game.Entry, error) {
	codec, err := s.codecs.Of(f.Kind)
	if f.Kind != "" && err != nil || f.Limit <= 0 {
		return nil, ctx.Err() // an unknown kind has no matches
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
			e, err := decodeHistoryEntry(n)
			if s.unlessDamaged(err) != nil {
				return nil, err
			}
			// What is damaged is left out; the weekly check mends it.
			own := f.Community == "" || strings.HasPrefix(n.Key, topicOwn)
			if err != nil || !e.passes(f, codec.Byte) || !own && slices.Contains(f.Without, e.channel) {
				continue
			}
			results = append(results, resultKey(e.place))
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
	found := make([]game.Entry, len(pairs))
	for i, p := range pairs {
		if found[i].Result, err = s.decodeResult(p); err != nil {
			return nil, err
		}
	}
	if f.From > 0 {
		slices.Reverse(found)
	}
	return found, nil
}

// listsOf returns the queries of the lists that hold what a filter's viewer may see, within its bounds of places.
func listsOf(f game.Filter) (queries []ordered.Query) {
	add := func(prefix string) {
		queries = append(queries, ordered.Query{From: numbered(prefix, f.From), To: numbered(prefix, cmp.Or(f.Before, math.MaxUint64)), Backward: f.From == 0})
	}
	own := f.Viewer != "" && (f.Player == "" || f.Player == f.Viewer)
	switch {
	case f.Community == "" && own:
		add(everywhereOf(f.Viewer))
	case f.Community == "":
	case f.Player == "":
		add(historyOf(f.Community))
	default:
		add(playerIn(f.Player, f.Community))
	}
	if own && f.Community != "" {
		add(ownIn(f.Viewer, f.Community))
	}
	return queries
}

// merge returns the entries of pages of several lists in the order of their places, up to the first
// place after which a list may have more than its page, and whether there is more.
func merge(lists [][]ordered.Pair, page int, up bool) (all []ordered.Pair, more bool) {
	all = slices.Concat(lists...)
	before := func(a, b uint64) int {
		if up {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(b, a)
	}
	slices.SortStableFunc(all, func(a, b ordered.Pair) int { return before(numberIn(a.Key), numberIn(b.Key)) })
	for _, pairs := range lists {
		if len(pairs) < page {
			continue
		}
		more = true
		last := numberIn(pairs[len(pairs)-1].Key)
		all = slices.DeleteFunc(all, func(p ordered.Pair) bool { return before(numberIn(p.Key), last) > 0 })
	}
	return all, more
}

// after returns the queries of what follows the number of a key.
func after(queries []ordered.Query, key string, up bool) []ordered.Query {
	for i, q := range queries {
		prefix := q.From[:len(q.From)-8]
		if up {
			queries[i].From = numbered(prefix, numberIn(key)+1)
		} else {
			queries[i].To = numbered(prefix, numberIn(key))
		}
	}
	return queries
}

// decodeResult reads a result of the log. One that is missing is damaged.
func (s *Store) decodeResult(p ordered.Pair) (game.Result, error) {
	b, err := value(p)
	place := numberIn(p.Key)
	if err == nil && (b == nil || !wellFormed(p.Key)) {
		err = fmt.Errorf("it is missing: %w", game.ErrDamaged)
	}
	var r game.Result
	if err == nil {
		r, err = s.codecs.DecodeResult(b)
	}
	if err != nil {
		return game.Result{}, fmt.Errorf("result %d: %w", place, err)
	}
	r.Place = place
	return r, nil
}

// Finished implements [game.HistoryStore].
func (s *Store) Finished(ctx context.Context, match game.MatchID) (game.Finished, error) {
	v, err := readKey(ctx, s, matchKey(match), s.inHistory)
	if err != nil {
		return game.Finished{}, err
	}
	return game.Finished{Place: v.place, Match: v.Match}, nil
}

// inHistory reads a match of the histories. The error is [game.ErrNotInHistory] for one that has left them, and
// [game.ErrForgotten] for a missing one.
func (s *Store) inHistory(p ordered.Pair) (v endedValue, err error) {
	if p.Value == nil {
		return v, game.ErrForgotten
	}
	if v, err = s.decodeEnded(p); err == nil && len(v.Named()) == 0 {
		err = game.ErrNotInHistory
	}
	return v, err
}

// Numbers implements [game.HistoryStore].
func (s *Store) Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error) {
	gone, err := s.forgotten(ctx, community)
	if err != nil {
		return nil, err
	}
	sorted := slices.Sorted(slices.Values(places))
	queries := make([]ordered.Query, len(sorted)) // of what follows the place before
	from := numbersOf(community)
	for i, place := range sorted {
		queries[i] = ordered.Query{From: from, To: numbered(numbersOf(community), place) + "\x00"}
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

// PlaceOf implements [game.HistoryStore].
func (s *Store) PlaceOf(ctx context.Context, community string, number uint64) (uint64, error) {
	gone, err := s.forgotten(ctx, community)
	switch {
	case err != nil:
		return 0, err
	case number <= gone:
		return 0, game.ErrForgotten
	case number-gone > math.MaxInt:
		return 0, game.ErrNotInHistory
	}
	q := ordered.Prefix(numbersOf(community))
	q.Skip, q.Limit = int(number-gone)-1, 1
	found, err := s.scan(ctx, q)
	if err != nil {
		return 0, err
	}
	if len(found) == 0 {
		return 0, game.ErrNotInHistory
	}
	return numberIn(found[0].Key), nil
}

// forgotten returns how many matches of a community Forget has removed. A record that cannot be read
// counts as missing.
func (s *Store) forgotten(ctx context.Context, community string) (uint64, error) {
	n, err := readKey(ctx, s, forgottenKey(community), decodeNumber)
	return n, s.unlessDamaged(err)
}
