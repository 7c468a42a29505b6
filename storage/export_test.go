package storage

import (
	"context"
	"math/rand/v2"
	"slices"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// Saved waits until everything is saved that is saved in the background.
func (s *Store) Saved() { s.background.Wait() }

// Map returns the map of the store.
func (s *Store) Map() ordered.Map { return s.m }

// FillTable stores the totals of players who have all solved a few puzzles of a month in a server, with their places.
func (s *Store) FillTable(ctx context.Context, scope statistics.Scope, players []game.PlayerID) error {
	random := rand.New(rand.NewPCG(100, 3))
	for chunk := range slices.Chunk(players, 1000) {
		var c ordered.Change
		for _, p := range chunk {
			counts := statistics.Counts{Played: statistics.RankedFrom + random.IntN(20)}
			for counts.Won < counts.Played {
				counts.Distribution[random.IntN(game.MaxAttempts)]++
				counts.Won++
			}
			month := statistics.Total{LogPosition: 1, Totals: statistics.Totals{Player: p, Daily: counts}, Guilds: []game.GuildID{scope.Guild}}
			always := statistics.Total{LogPosition: 1, Totals: month.Totals}
			for s, t := range map[statistics.Scope]statistics.Total{scope.Kept(): month, {Kind: scope.Kind, Guild: scope.Guild}: always} {
				data, err := record.Encode(t)
				if err != nil {
					return err
				}
				c.Set = append(append(c.Set, ordered.Pair{Key: schema.TotalKey(p, s), Value: data}), schema.Ranks(s, t)...)
			}
		}
		if err := s.m.Commit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
