// Package finished shows, reviews and shares matches that have ended, and exports and deletes a player's data: histories, and who may see what of them.
package finished

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
	"fivefold/game/matches"
)

// Matches are the finished matches. Games and Store must be set; no field may change once it is in use. It is safe for concurrent
// use.
type Matches struct {
	Games *matches.Manager
	Store Store

	// PerformanceTime is how long [Matches.Performance] may spend on reviews; 500 ms if 0.
	PerformanceTime time.Duration
}

// Past says which finished match is meant: by its id or, without one, by its number in the history of the viewer's community. The
// zero Past means the latest match.
type Past struct {
	Match  game.MatchID
	Number uint64
}

// Match returns a match of the viewer's community. The latest match is the one that ended last in the channel's and the viewer's
// slots, of every kind. Matches that began in other channels of the community count only if none began here.
//
// The error is [game.ErrNotInHistory], [game.ErrForgotten], [game.ErrRemoved], [game.ErrOtherChannel], a *[game.SecretError] or
// one of the store. ErrNotInHistory also hides matches that other players have played alone and not shared. For the latest match,
// the error can also be [game.ErrNoMatch], or [game.ErrNotFinished] with the match that is being played.
func (m *Matches) Match(ctx context.Context, by game.Viewer, which Past) (f game.Finished, err error) {
	if which == (Past{}) {
		f, err = m.Games.LastFinished(ctx, by.Location, by.Player, false)
	} else {
		f, err = m.byPast(ctx, by, which)
	}
	if c := f.Match.Challenge; err == nil && c != nil && !c.Shown() {
		err = game.ErrRemoved
	}
	if err == nil {
		err = m.secretIn(ctx, by.Player, f.Match.Result())
	}
	if err == nil {
		var numbers []uint64
		if numbers, err = m.Store.Numbers(ctx, f.Match.Location.Community(), f.LogPosition); err == nil {
			f.Number = numbers[0]
		}
	}
	if err != nil && !errors.Is(err, game.ErrNotFinished) {
		return game.Finished{}, err
	}
	return f, err
}

func (m *Matches) byPast(ctx context.Context, by game.Viewer, which Past) (game.Finished, error) {
	community := by.Location.Community()
	if which.Match == "" {
		place, err := m.Store.PositionOf(ctx, community, which.Number)
		if err != nil {
			return game.Finished{}, err
		}
		results, err := m.Store.Results(ctx, place-1, 1)
		if err != nil {
			return game.Finished{}, err
		}
		if len(results) == 0 || results[0].LogPosition != place { // it was removed a moment ago
			return game.Finished{}, game.ErrForgotten
		}
		which.Match = results[0].Match
	}
	f, err := m.Store.Finished(ctx, which.Match)
	if err != nil {
		return game.Finished{}, err
	}
	result := f.Match.Result()
	switch {
	case result.Location.Community() != community, !result.Public() && f.Match.Starter != by.Player:
		return game.Finished{}, game.ErrNotInHistory
	case !m.view(by).mayRead(ctx, result):
		return game.Finished{}, game.ErrOtherChannel
	}
	return f, nil
}
