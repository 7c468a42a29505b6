package storage

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/storage/ordered"
)

func countedKey(c game.Counted) string { return totalKey(c.Player, c.Scope) }

// count returns the pairs of a player's totals after one more result, and of the new place in the
// scope's leaderboard. The empty guild, which means everywhere, has no leaderboard.
func (t total) count(r game.Result, c game.Counted) ([]ordered.Pair, error) {
	now := total{max(t.Place, r.Place), t.Add(c.Scope, r, c.Participant)}
	data, err := now.encode()
	if err != nil {
		return nil, err
	}
	pairs := []ordered.Pair{{Key: countedKey(c), Value: data}}
	old, place := rankKey(c.Scope, t.Totals), rankKey(c.Scope, now.Totals)
	if c.Scope.Guild == "" || !now.Placed() || t.Placed() && old == place {
		return pairs, nil
	}
	pairs = append(pairs, ordered.Pair{Key: place, Value: nothing})
	if t.Placed() {
		pairs = append(pairs, ordered.Pair{Key: old})
	}
	return pairs, nil
}

// Totals implements [game.Statistics].
func (s *Store) Totals(ctx context.Context, scope game.Scope, player game.PlayerID) (game.Totals, error) {
	there, err := s.m.Get(ctx, totalKey(player, scope))
	if err != nil {
		return game.Totals{}, err
	}
	t, err := s.total(ctx, there[0])
	return t.Totals, err
}

// total returns a player's totals, counted again if they cannot be read.
func (s *Store) total(ctx context.Context, p ordered.Pair) (total, error) {
	t, _, err := decodeTotal(p)
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		player, _ := parseTotalKey(p.Key)
		again, err := s.recount(ctx, player)
		return again.of(p.Key), err
	}
	return t, err
}

// Leaderboard implements [game.Statistics].
func (s *Store) Leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID, top int) (game.Leaderboard, error) {
	first := ordered.Prefix(ranksOf(scope))
	first.Limit = top
	answers, err := s.m.Read(ctx, first)
	if err != nil {
		return game.Leaderboard{}, err
	}
	var keys []string
	for _, p := range answers[0] {
		if wellFormed(p.Key) { // the check mends what is not
			keys = append(keys, totalKey(game.PlayerID(p.Key[len(ranksOf(scope))+rankOrderBytes:]), scope))
		}
	}
	there, err := s.m.Get(ctx, append(keys, totalKey(player, scope))...)
	if err != nil {
		return game.Leaderboard{}, err
	}
	var board game.Leaderboard
	for i := range keys {
		t, _, err := decodeTotal(there[i])
		if err != nil {
			return game.Leaderboard{}, err
		}
		place := i + 1
		if i > 0 && t.Compare(board.Top[i-1].Totals) == 0 {
			place = board.Top[i-1].Place
		}
		board.Top = append(board.Top, game.Row{Place: place, Totals: t.Totals})
	}
	own, _, err := decodeTotal(there[len(keys)])
	if err != nil {
		return game.Leaderboard{}, err
	}
	// Players who compare equal have the same key up to the player, and so the same number of better
	// ones before them.
	counts, err := s.m.Count(ctx, ordered.Prefix(ranksOf(scope)), ordered.Query{From: ranksOf(scope), To: ranksOf(scope) + rankOrder(own.Totals)})
	if err != nil {
		return game.Leaderboard{}, err
	}
	board.Players, board.Own.Totals = counts[0], own.Totals
	if own.Placed() {
		board.Own.Place = counts[1] + 1
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
		for _, p := range r.Participants {
			if p.Player != "" {
				value := append(number(r.Place), statusBytes[p.Outcome], byte(p.Guesses), byte(min(p.Hints, math.MaxUint8)))
				entries = append(entries, ordered.Pair{Key: dailyOf(r.Kind, g, n) + string(p.Player), Value: append(value, r.Match...)})
			}
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

// recounts are totals that were counted again, by their keys.
type recounts map[string]total

func (r recounts) of(key string) total {
	t := r[key]
	t.Player, _ = parseTotalKey(key)
	return t
}

// recount counts all totals of players again, from the results that name them. Those that were removed by Forget, or
// cannot be read, are not in it. A result is read once for each player.
func (s *Store) recount(ctx context.Context, players ...game.PlayerID) (recounts, error) {
	again := recounts{}
	var queries []ordered.Query
	for _, p := range players {
		queries = append(queries, ordered.Prefix(everywhereOf(p)))
	}
	for len(queries) > 0 {
		for i := range queries {
			queries[i].Limit = 1 + atOnce/len(queries)
		}
		lists, err := s.m.Read(ctx, queries...)
		if err != nil {
			return nil, err
		}
		var more []ordered.Query
		var keys []string
		var of []game.PlayerID
		for i, list := range lists {
			for _, p := range list {
				if wellFormed(p.Key) {
					player, _, _ := strings.Cut(p.Key[len(topicPlayer):], "\x00")
					keys, of = append(keys, resultKey(numberIn(p.Key))), append(of, game.PlayerID(player))
				}
			}
			if q := queries[i]; len(list) == q.Limit {
				q.From = list[len(list)-1].Key + "\x00"
				more = append(more, q)
			}
		}
		results, err := s.m.Get(ctx, keys...)
		if err != nil {
			return nil, err
		}
		for i, p := range results {
			r, err := s.decodeResult(p)
			if errors.Is(err, game.ErrDamaged) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, c := range r.Counted() {
				if c.Player == of[i] {
					again[countedKey(c)] = total{r.Place, again.of(countedKey(c)).Add(c.Scope, r, c.Participant)}
				}
			}
		}
		queries = more
	}
	return again, nil
}
