package check

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// Recount counts all totals of a player again, from the results that name them and those of the newspaper's puzzle. It misses
// results that Forget has removed, or that can't be read.
func Recount(ctx context.Context, m ordered.Map, codecs record.Codecs, player game.PlayerID) (statistics.Tally, error) {
	var log []game.Result
	err := ordered.Each(ctx, m, ordered.Prefix(schema.EverywhereOf(player)), func(batch []ordered.Pair) error {
		keys := game.Each(batch, func(p ordered.Pair) string { return schema.ResultKey(schema.NumberIn(p.Key)) })
		results, err := m.Get(ctx, slices.Compact(keys)...) // a damaged key may have another's number
		if err != nil {
			return err
		}
		for _, p := range results {
			r, err := schema.DecodeResult(p)
			if err != nil && !errors.Is(err, game.ErrDamaged) {
				return err
			}
			log = append(log, r) // an unreadable one has no participants
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	pairs, err := ordered.Scan(ctx, m, ordered.Prefix(schema.LeagueOf(player)))
	if err != nil {
		return nil, err
	}
	records, err := schema.LeagueRecords(pairs)
	return statistics.TallyOf(append(log, league.Results(player, records)...))[player], err
}
