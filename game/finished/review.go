package finished

import (
	"context"
	"errors"

	"fivefold/game"
)

// Reviewed is a finished match with its review.
type Reviewed struct {
	game.Finished
	Review        game.Review
	Contributions []game.Contribution
}

// Review returns a match as [Matches.Match] does, with its review. The first call makes the review and saves it, without waiting
// for the disk. The error is one of Match, of [game.Rules.Review] or of the store.
func (m *Matches) Review(ctx context.Context, by game.Viewer, which Past) (Reviewed, error) {
	f, err := m.Match(ctx, by, which)
	if err != nil {
		return Reviewed{Finished: f}, err
	}
	saved, err := m.Store.Reviews(ctx, f.Match.ID)
	if err != nil {
		return Reviewed{}, err
	}
	var r game.Review
	if len(saved) > 0 {
		r = saved[0].Review
	}
	if r == nil {
		if r, err = m.makeReview(ctx, f.Match); err != nil {
			return Reviewed{}, err
		}
	}
	return Reviewed{f, r, game.Contributions(f.Match, r)}, nil
}

// makeReview makes a review and saves it. A disk that takes no changes is not an error: the review can be made again.
func (m *Matches) makeReview(ctx context.Context, match game.Match) (game.Review, error) {
	rules, err := m.Games.RulesOf(match.Kind)
	if err != nil {
		return nil, err
	}
	r, err := rules.Review(ctx, match)
	if err == nil {
		err = m.Store.SaveReview(ctx, match, r)
	}
	if errors.Is(err, game.ErrNotSaved) {
		err = nil
	}
	return r, err
}
