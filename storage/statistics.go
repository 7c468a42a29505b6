package storage

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// tally returns a player's totals and their pairs: those given, and for each month among them those of the servers where the
// month counts. The pairs become conditions. Unreadable totals are counted again.
func (p *plan) tally(ctx context.Context, there []ordered.Pair) (statistics.Tally, []ordered.Pair) {
	t := statistics.Tally{}
	for i := 0; i < len(there); i++ {
		player, scope := schema.ParseTotalKey(there[i].Key)
		total, err := p.store.total(ctx, there[i])
		p.fail(err)
		t[scope] = total
		keys := game.Each(total.Guilds, func(g game.GuildID) string {
			return schema.TotalKey(player, statistics.Scope{Kind: scope.Kind, Guild: g})
		})
		keys = slices.DeleteFunc(keys, func(key string) bool {
			return slices.ContainsFunc(there, func(p ordered.Pair) bool { return p.Key == key })
		})
		there = append(there, p.look(ctx, keys...)...)
	}
	p.change.If = append(p.change.If, there...)
	return t, there
}

// setTotals adds the totals that differ between before and now to the change, with their ranks. Those that now has not are removed.
func (p *plan) setTotals(there []ordered.Pair, before, now statistics.Tally) {
	for _, pair := range there {
		_, scope := schema.ParseTotalKey(pair.Key)
		total, counts := now[scope]
		if !reflect.DeepEqual(before[scope], total) {
			if p.put(pair.Key, total); !counts {
				p.change.Set[len(p.change.Set)-1].Value = nil
			}
			p.set(replaced(schema.Ranks(scope, before[scope]), schema.Ranks(scope, now[scope])), nil)
		}
	}
}

// Totals implements [statistics.Store].
func (s *Store) Totals(ctx context.Context, scope statistics.Scope, player game.PlayerID) (statistics.Totals, error) {
	t, err := readKey(ctx, s, schema.TotalKey(player, scope.Kept()), func(p ordered.Pair) (statistics.Total, error) { return s.total(ctx, p) })
	totals := statistics.Tally{scope.Kept(): t}.Of(scope)
	totals.Player = player
	return totals, err
}

// total decodes a player's totals; unreadable ones are counted again.
func (s *Store) total(ctx context.Context, p ordered.Pair) (statistics.Total, error) {
	t, _, err := schema.DecodeTotal(p)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		player, _ := schema.ParseTotalKey(p.Key)
		again, err := check.Recount(ctx, s.m, s.codecs.Codecs, player)
		return schema.TotalIn(again, p.Key), err
	}
	return t, err
}

// Leaderboard implements [statistics.Store]. It reads the players of each [schema.RankGroup] in order. It merges the groups of
// players who have a rank, then the other groups.
func (s *Store) Leaderboard(ctx context.Context, scope statistics.Scope, player game.PlayerID, rows statistics.Rows) (statistics.Leaderboard, error) {
	all, skip := schema.RanksOf(scope), max(0, min(rows.Skip, statistics.MostRows))
	group := func(played int) string { return all + string(schema.RankGroup(played)) }
	var queries []ordered.Query
	for played := statistics.RankedFrom; played > 0; played-- {
		q := ordered.Prefix(group(played))
		q.Limit = skip + rows.Limit + 1
		queries = append(queries, q)
	}
	groups, err := s.m.Read(ctx, queries...)
	if err != nil {
		return statistics.Leaderboard{}, err
	}
	placed := statistics.RankedFrom - rows.RankedFrom + 1 // how many groups have a rank
	order := func(p ordered.Pair) string { return p.Key[len(all)+1 : len(all)+schema.RankOrderBytes] }
	var keys []ordered.Pair
	for i, part := range [][][]ordered.Pair{groups[:placed], groups[placed:]} {
		merged := slices.DeleteFunc(slices.Concat(part...), func(p ordered.Pair) bool { return p.Damaged }) // the check mends these
		slices.SortFunc(merged, func(a, b ordered.Pair) int { return strings.Compare(a.Key[len(all)+1:], b.Key[len(all)+1:]) })
		if keys = append(keys, merged...); i == 0 {
			placed = len(merged)
		}
	}
	var totals []string // two for each row; those across all guilds have the name
	named := statistics.Scope{Kind: scope.Kind}
	first, last := min(skip, len(keys)), min(skip+rows.Limit, len(keys))
	for _, p := range keys[first:last] {
		player := game.PlayerID(p.Key[len(all)+schema.RankOrderBytes:])
		totals = append(totals, schema.TotalKey(player, scope.Kept()), schema.TotalKey(player, named))
	}
	if player != "" {
		totals = append(totals, schema.TotalKey(player, named))
	}
	there, err := s.m.Get(ctx, totals...)
	if err != nil {
		return statistics.Leaderboard{}, err
	}
	board := statistics.Leaderboard{More: last < len(keys)}
	for i, p := range keys[first:last] {
		t, _, err := schema.DecodeTotal(there[2*i])
		everywhere, _, failed := schema.DecodeTotal(there[2*i+1])
		if err = cmp.Or(err, s.unlessDamaged(failed)); err != nil {
			return statistics.Leaderboard{}, err
		}
		row := statistics.Row{Totals: t.Totals}
		row.Name = everywhere.Name
		if first+i < placed {
			row.Rank = 1 + slices.IndexFunc(keys, func(other ordered.Pair) bool { return order(other) == order(p) })
		}
		if schema.Pseudonymous(row.Player) {
			row.Player = ""
		}
		board.Rows = append(board.Rows, row)
	}
	if player != "" {
		everywhere, _, failed := schema.DecodeTotal(there[len(there)-1])
		own, err := s.Totals(ctx, scope, player)
		if err = cmp.Or(err, s.unlessDamaged(failed)); err != nil {
			return statistics.Leaderboard{}, err
		}
		board.Own.Totals, board.Own.Name = own, everywhere.Name
	}
	// Players who compare equal have the same order, and so the same number of better players before them.
	better := []ordered.Query{{From: all, To: group(rows.RankedFrom - 1)}}
	if board.Own.Daily.Played >= rows.RankedFrom {
		for played := statistics.RankedFrom; played >= rows.RankedFrom; played-- {
			better = append(better, ordered.Query{From: group(played), To: group(played) + schema.RankOrder(board.Own.Totals)[1:]})
		}
		board.Own.Rank = 1
	}
	counts, err := s.m.Count(ctx, better...)
	if err != nil {
		return statistics.Leaderboard{}, err
	}
	board.Players = counts[0]
	for _, n := range counts[1:] {
		board.Own.Rank += n
	}
	return board, nil
}

// Daily implements [statistics.Store].
func (s *Store) Daily(ctx context.Context, k game.Kind, g game.GuildID, number, limit int) (statistics.DailyResults, error) {
	q := ordered.Prefix(schema.DailyOf(k, g, number))
	players, err := ordered.Count(ctx, s.m, q)
	if err != nil || players == 0 {
		return statistics.DailyResults{}, err
	}
	found := statistics.DailyResults{Players: players}
	q.Limit = statistics.MaxDailyResults
	pairs, err := ordered.Scan(ctx, s.m, q)
	if err != nil {
		return statistics.DailyResults{}, err
	}
	if found.Listed, err = s.dailies(pairs); err != nil {
		return statistics.DailyResults{}, err
	}
	slices.SortStableFunc(found.Listed, func(a, b statistics.DailyResult) int { return cmp.Compare(a.Score(), b.Score()) })
	found.Listed = found.Listed[:min(limit, len(found.Listed))]
	return found, nil
}

// dailies decodes results of daily puzzles. It leaves out damaged ones, which the check mends.
func (s *Store) dailies(pairs []ordered.Pair) (all []statistics.DailyResult, err error) {
	for _, p := range pairs {
		d, _, err := schema.DecodeDaily(p)
		switch {
		case s.unlessDamaged(err) != nil:
			return nil, err
		case err == nil:
			all = append(all, d)
		}
	}
	return all, nil
}

// Days implements [statistics.Store]. It takes one round trip.
func (s *Store) Days(ctx context.Context, k game.Kind, g game.GuildID, player game.PlayerID, from, to int) ([][]statistics.DailyResult, error) {
	if g == "" && league.Is(k) {
		return s.leagueDays(ctx, k, player, from, to)
	}
	var queries []ordered.Query
	for n := from; n <= to; n++ {
		q := ordered.Prefix(schema.DailyOf(k, g, n))
		if player != "" {
			q.From += string(player)
			q.To = q.From + "\x00"
		}
		q.Limit = statistics.MaxDailyResults
		queries = append(queries, q)
	}
	found, err := s.m.Read(ctx, queries...)
	days := make([][]statistics.DailyResult, len(found))
	for i, pairs := range found {
		if days[i], err = s.dailies(pairs); err != nil {
			return nil, err
		}
	}
	return days, err
}

// SolvedDays implements [statistics.Store].
func (s *Store) SolvedDays(ctx context.Context, k game.Kind, g game.GuildID, from, to int) (days []int, err error) {
	q := ordered.Query{From: schema.SolvedKey(k, g, max(from, 0)), To: schema.SolvedKey(k, g, max(to, 0)) + "\x00"}
	err = ordered.Each(ctx, s.m, q, func(batch []ordered.Pair) error {
		for _, p := range batch {
			days = append(days, int(schema.NumberIn(p.Key)))
		}
		return nil
	})
	return days, err
}

// Results implements [statistics.Store].
func (s *Store) Results(ctx context.Context, after uint64, limit int) ([]game.Result, error) {
	if limit <= 0 {
		return nil, ctx.Err()
	}
	pairs, err := ordered.Scan(ctx, s.m, ordered.Query{From: schema.ResultKey(after) + "\x00", To: ordered.End(schema.TopicResult), Limit: limit})
	if err != nil {
		return nil, err
	}
	results := make([]game.Result, len(pairs))
	for i, p := range pairs {
		if results[i], err = schema.DecodeResult(p); err != nil {
			return nil, err
		}
	}
	return results, nil
}
