package matches

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fivefold/game"
)

// Standings returns the racers, best first. Those who have solved the puzzle are in the order of their last guesses, to the
// millisecond, then of their numbers of guesses. All others follow, as they joined.
func (m *Manager) Standings(ctx context.Context, r game.Race) ([]game.Standing, error) {
	slots := game.Each(r.Racers, func(racer game.Racer) game.Slot { return game.OwnSlot(r.Kind, r.Mode(), racer.Player, r.Location) })
	loaded, err := m.Store.LoadSlots(ctx, slots, false)
	if err != nil {
		return nil, err
	}
	all := make([]game.Standing, len(r.Racers))
	for i, racer := range r.Racers {
		all[i] = game.Standing{Player: racer.Player, Match: loaded[i].Match}
		if all[i].Match.ID == racer.Match {
			continue
		}
		past, err := m.Store.Finished(ctx, racer.Match) // the player is in another race by now
		if err != nil && !errors.Is(err, game.ErrNotInHistory) && !errors.Is(err, game.ErrDamaged) {
			return nil, err
		}
		all[i].Match = past.Match
	}
	level := func(a, b game.Standing) int {
		return cmp.Or(a.Match.Ended().Compare(b.Match.Ended()), a.Match.Used()-b.Match.Used())
	}
	solved := slices.DeleteFunc(slices.Clone(all), func(s game.Standing) bool { return !s.Is(game.Won) })
	others := slices.DeleteFunc(all, func(s game.Standing) bool { return s.Is(game.Won) })
	slices.SortStableFunc(solved, level)
	for i := range solved {
		solved[i].Rank = i + 1
		if i > 0 && level(solved[i-1], solved[i]) == 0 {
			solved[i].Rank = solved[i-1].Rank
		}
	}
	return append(solved, others...), nil
}
