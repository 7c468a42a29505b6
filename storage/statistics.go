package storage

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// ranks are a player's places in leaderboards by the totals of a scope.
func ranks(s game.Scope, t game.Total) (pairs []ordered.Pair) {
	guilds := t.Guilds
	if s.Guild != "" {
		guilds = []game.GuildID{s.Guild}
	}
	for _, guild := range guilds {
		if s.Guild = guild; t.Daily.Played > 0 {
			pairs = append(pairs, ordered.Pair{Key: ranksOf(s) + rankOrder(t.Totals) + string(t.Player), Value: nothing})
		}
	}
	return pairs
}

// tally returns the totals of a player that some pairs have, with those in the guilds in which a month counts, and all pairs
// that have them.
func (s *Store) tally(ctx context.Context, there []ordered.Pair) (game.Tally, []ordered.Pair, error) {
	t := game.Tally{}
	for i := 0; i < len(there); i++ {
		player, scope := parseTotalKey(there[i].Key)
		total, err := s.total(ctx, there[i])
		if err != nil {
			return nil, nil, err
		}
		t[scope] = total
		keys := game.Each(total.Guilds, func(g game.GuildID) string { return totalKey(player, game.Scope{Kind: scope.Kind, Guild: g}) })
		keys = slices.DeleteFunc(keys, func(key string) bool {
			return slices.ContainsFunc(there, func(p ordered.Pair) bool { return p.Key == key })
		})
		pairs, err := s.m.Get(ctx, keys...)
		if err != nil {
			return nil, nil, err
		}
		there = append(there, pairs...)
	}
	return t, there, nil
}

// counted returns what is to be stored of totals that have changed, and of the places in leaderboards.
func counted(there []ordered.Pair, before, now game.Tally) (set []ordered.Pair, err error) {
	for _, p := range there {
		_, scope := parseTotalKey(p.Key)
		if reflect.DeepEqual(before[scope], now[scope]) {
			continue
		}
		data, err := record.Encode(totalFormat, now[scope])
		if err != nil {
			return nil, err
		}
		set = append(append(set, ordered.Pair{Key: p.Key, Value: data}), replaced(ranks(scope, before[scope]), ranks(scope, now[scope]))...)
	}
	return set, nil
}

// Totals implements [game.Statistics].
func (s *Store) Totals(ctx context.Context, scope game.Scope, player game.PlayerID) (game.Totals, error) {
	t, err := readKey(ctx, s, totalKey(player, scope.Kept()), func(p ordered.Pair) (game.Total, error) { return s.total(ctx, p) })
	totals := game.Tally{scope.Kept(): t}.Of(scope)
	totals.Player = player
	return totals, err
}

// total returns a player's totals, counted again if they cannot be read.
func (s *Store) total(ctx context.Context, p ordered.Pair) (game.Total, error) {
	t, _, err := decodeTotal(p)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		player, _ := parseTotalKey(p.Key)
		again, err := s.recount(ctx, player)
		return totalIn(again, p.Key), err
	}
	return t, err
}

// Leaderboard implements [game.Statistics]. The players of each rankGroup are in their order; those with a place, and the
// others, are merged.
func (s *Store) Leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID, rows game.Rows) (game.Leaderboard, error) {
	all, skip := ranksOf(scope), max(0, min(rows.Skip, game.MostRows))
	group := func(played int) string { return all + string(rankGroup(played)) }
	var queries []ordered.Query
	for played := game.PlaceFrom; played > 0; played-- {
		q := ordered.Prefix(group(played))
		q.Limit = skip + rows.Limit + 1
		queries = append(queries, q)
	}
	groups, err := s.m.Read(ctx, queries...)
	if err != nil {
		return game.Leaderboard{}, err
	}
	placed := game.PlaceFrom - rows.PlaceFrom + 1 // groups
	order := func(p ordered.Pair) string { return p.Key[len(all)+1 : len(all)+rankOrderBytes] }
	var keys []ordered.Pair
	for i, part := range [][][]ordered.Pair{groups[:placed], groups[placed:]} {
		merged := slices.DeleteFunc(slices.Concat(part...), func(p ordered.Pair) bool { return !wellFormed(p.Key) }) // the check mends these
		slices.SortFunc(merged, func(a, b ordered.Pair) int { return strings.Compare(a.Key[len(all)+1:], b.Key[len(all)+1:]) })
		if keys = append(keys, merged...); i == 0 {
			placed = len(merged)
		}
	}
	var totals []string
	first, last := min(skip, len(keys)), min(skip+rows.Limit, len(keys))
	for _, p := range keys[first:last] {
		totals = append(totals, totalKey(game.PlayerID(p.Key[len(all)+rankOrderBytes:]), scope.Kept()))
	}
	there, err := s.m.Get(ctx, totals...)
	if err != nil {
		return game.Leaderboard{}, err
	}
	board := game.Leaderboard{More: last < len(keys)}
	for i, p := range keys[first:last] {
		t, _, err := decodeTotal(there[i])
		if err != nil {
			return game.Leaderboard{}, err
		}
		row := game.Row{Totals: t.Totals}
		if first+i < placed {
			row.Place = 1 + slices.IndexFunc(keys, func(other ordered.Pair) bool { return order(other) == order(p) })
		}
		if pseudonymous(row.Player) {
			row.Player = ""
		}
		board.Rows = append(board.Rows, row)
	}
	if player != "" {
		if board.Own.Totals, err = s.Totals(ctx, scope, player); err != nil {
			return game.Leaderboard{}, err
		}
	}
	// Players who compare equal have the same order, and so the same number of better ones before them.
	better := []ordered.Query{{From: all, To: group(rows.PlaceFrom - 1)}}
	if board.Own.Daily.Played >= rows.PlaceFrom {
		for played := game.PlaceFrom; played >= rows.PlaceFrom; played-- {
			better = append(better, ordered.Query{From: group(played), To: group(played) + rankOrder(board.Own.Totals)[1:]})
		}
		board.Own.Place = 1
	}
	counts, err := s.m.Count(ctx, better...)
	if err != nil {
		return game.Leaderboard{}, err
	}
	board.Players = counts[0]
	for _, n := range counts[1:] {
		board.Own.Place += n
	}
	return board, nil
}

// Daily implements [game.Statistics].
func (s *Store) Daily(ctx context.Context, k game.Kind, g game.GuildID, number, limit int) (game.DailyResults, error) {
	q := ordered.Prefix(dailyOf(k, g, number))
	players, err := ordered.Count(ctx, s.m, q)
	if err != nil || players == 0 {
		return game.DailyResults{}, err
	}
	found := game.DailyResults{Players: players}
	q.Limit = game.MaxDailyResults
	pairs, err := s.scan(ctx, q)
	if err != nil {
		return game.DailyResults{}, err
	}
	for _, p := range pairs {
		d, _, err := decodeDaily(p)
		if s.unlessDamaged(err) != nil {
			return game.DailyResults{}, err
		}
		if err != nil {
			continue // the check mends it
		}
		if d.Won {
			found.Solved++
		}
		found.Listed = append(found.Listed, d)
	}
	slices.SortStableFunc(found.Listed, func(a, b game.DailyResult) int { return cmp.Compare(a.Score(), b.Score()) })
	found.Listed = found.Listed[:min(limit, len(found.Listed))]
	return found, nil
}

// SolvedDays implements [game.Statistics].
func (s *Store) SolvedDays(ctx context.Context, k game.Kind, g game.GuildID, from, to int) (days []int, err error) {
	q := ordered.Query{From: solvedKey(k, g, max(from, 0)), To: solvedKey(k, g, max(to, 0)) + "\x00"}
	err = s.each(ctx, q, func(batch []ordered.Pair) error {
		for _, p := range batch {
			days = append(days, int(numberIn(p.Key)))
		}
		return nil
	})
	return days, err
}

// dailyEntries are the results of a daily puzzle in the guilds where it counts. As bytes each is the
// place of the result, a byte for the status, one for the guesses and one for the hints, and the match.
func dailyEntries(r game.Result) (entries []ordered.Pair) {
	n, daily := r.Puzzle.Daily()
	if !daily || r.Mode != game.Daily {
		return nil
	}
	for _, g := range r.CountsIn() {
		for _, p := range r.Known() {
			value := append(number(r.Place), statusBytes[p.Outcome], byte(p.Guesses), byte(min(p.Hints, math.MaxUint8)))
			entries = append(entries, ordered.Pair{Key: dailyOf(r.Kind, g, n) + string(p.Player), Value: append(value, r.Match...)})
		}
	}
	return entries
}

// decodeDaily reads a result of a daily puzzle, and its place in the log.
func decodeDaily(p ordered.Pair) (game.DailyResult, uint64, error) {
	b, err := value(p)
	parts := strings.SplitN(p.Key, "\x00", 4)
	if err == nil && (len(b) <= 11 || !wellFormed(p.Key)) {
		err = fmt.Errorf("daily: %w", game.ErrDamaged)
	}
	if err != nil {
		return game.DailyResult{}, 0, err
	}
	return game.DailyResult{
		Player: game.PlayerID(parts[3][8:]), Match: game.MatchID(b[11:]), Won: b[8] == statusBytes[game.Won], Guesses: int(b[9]), Hints: int(b[10]),
	}, binary.BigEndian.Uint64(b), nil
}

// solvedIn are the keys that say in which guilds a result has solved a daily puzzle. They stay when its
// player's history is cleared.
func solvedIn(r game.Result) (pairs []ordered.Pair) {
	n, daily := r.Puzzle.Daily()
	if !daily || r.Mode != game.Daily || r.Status != game.Won {
		return nil
	}
	for _, g := range r.CountsIn() {
		pairs = append(pairs, ordered.Pair{Key: solvedKey(r.Kind, g, n), Value: nothing})
	}
	return pairs
}

// Results implements [game.Statistics].
func (s *Store) Results(ctx context.Context, after uint64, limit int) ([]game.Result, error) {
	if limit <= 0 {
		return nil, ctx.Err()
	}
	pairs, err := s.scan(ctx, ordered.Query{From: resultKey(after) + "\x00", To: ordered.End(topicResult), Limit: limit})
	if err != nil {
		return nil, err
	}
	results := make([]game.Result, len(pairs))
	for i, p := range pairs {
		if results[i], err = s.decodeResult(p); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// atOnce is how many records are read at once where there may be many.
const atOnce = 500

// each calls f with the pairs of a query, in batches and in their order, until f returns an error.
func (s *Store) each(ctx context.Context, q ordered.Query, f func(batch []ordered.Pair) error) error {
	for q.Limit = atOnce; ; {
		batch, err := s.scan(ctx, q)
		if err != nil || len(batch) == 0 {
			return err
		}
		if err := f(batch); err != nil || len(batch) < atOnce {
			return err
		}
		q.From = batch[len(batch)-1].Key + "\x00"
	}
}

// recount counts all totals of a player again, from the results that name them. Those that were removed by Forget, or
// cannot be read, are not in it.
func (s *Store) recount(ctx context.Context, player game.PlayerID) (game.Tally, error) {
	var log []game.Result
	err := s.each(ctx, ordered.Prefix(everywhereOf(player)), func(batch []ordered.Pair) error {
		var keys []string
		for _, p := range batch {
			if wellFormed(p.Key) {
				keys = append(keys, resultKey(numberIn(p.Key)))
			}
		}
		results, err := s.m.Get(ctx, keys...)
		if err != nil {
			return err
		}
		for _, p := range results {
			r, err := s.decodeResult(p)
			if err != nil && !errors.Is(err, game.ErrDamaged) {
				return err
			}
			log = append(log, r) // one that cannot be read has no participants
		}
		return nil
	})
	return game.TallyOf(log)[player], err
}

// totalIn returns the total of a key in totals that were counted again.
func totalIn(again game.Tally, key string) game.Total {
	player, scope := parseTotalKey(key)
	t := again[scope]
	t.Player = player
	return t
}
