package game

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Standing is how a player does in a race.
type Standing struct {
	Player PlayerID
	Match  Match // zero if it is no longer kept
	Place  int   // from 1, of those who have solved it; players who are level share one; 0 for all others
}

func (s Standing) is(status Status) bool { return s.Match.Version > 0 && s.Match.Status() == status }

// gone is more than the version of any match of a race.
const gone = 1 << 8

// BoardVersion returns the version of what is shown of a race with its standings. It grows with every commit of the race
// and of its matches, so that a guess changes no record that the racers share. It never falls: a match that is no longer
// kept, since its player has cleared the history, counts more than it did.
func (r Race) BoardVersion(all []Standing) uint64 {
	version := r.Version
	for _, s := range all {
		version += cmp.Or(s.Match.Version, gone)
	}
	return version
}

// Standings returns the racers in their order: those who have solved it by the time of their last guess, to
// the millisecond, then by the number of guesses; then all others as they joined.
func (m *Manager) Standings(ctx context.Context, r Race) ([]Standing, error) {
	slots := Each(r.Racers, func(racer Racer) Slot { return OwnSlot(r.Kind, r.Mode(), racer.Player, r.Location) })
	loaded, err := m.Store.LoadSlots(ctx, slots, false)
	if err != nil {
		return nil, err
	}
	all := make([]Standing, len(r.Racers))
	for i, racer := range r.Racers {
		all[i] = Standing{Player: racer.Player, Match: loaded[i].Match}
		if all[i].Match.ID == racer.Match {
			continue
		}
		past, err := m.Store.Finished(ctx, racer.Match) // the player is in another race by now
		if err != nil && !errors.Is(err, ErrNotInHistory) && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		all[i].Match = past.Match
	}
	level := func(a, b Standing) int {
		return cmp.Or(a.Match.Ended().Compare(b.Match.Ended()), a.Match.Used()-b.Match.Used())
	}
	slices.SortStableFunc(all, func(a, b Standing) int {
		switch {
		case a.is(Won) && b.is(Won):
			return level(a, b)
		case a.is(Won):
			return -1
		case b.is(Won):
			return 1
		}
		return 0
	})
	for i := 0; i < len(all) && all[i].is(Won); i++ {
		all[i].Place = i + 1
		if i > 0 && level(all[i-1], all[i]) == 0 {
			all[i].Place = all[i-1].Place
		}
	}
	return all, nil
}
