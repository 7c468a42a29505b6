package matches

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fivefold/game"
)

// Standings returns the racers in their order: those who have solved it by the time of their last guess, to the millisecond, then
// by the number of guesses; then all others as they joined.
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
	slices.SortStableFunc(all, func(a, b game.Standing) int {
		switch {
		case a.Is(game.Won) && b.Is(game.Won):
			return level(a, b)
		case a.Is(game.Won):
			return -1
		case b.Is(game.Won):
			return 1
		}
		return 0
	})
	for i := 0; i < len(all) && all[i].Is(game.Won); i++ {
		all[i].Rank = i + 1
		if i > 0 && level(all[i-1], all[i]) == 0 {
			all[i].Rank = all[i-1].Rank
		}
	}
	return all, nil
}
