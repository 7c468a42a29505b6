package game

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Reviewed is a finished match with its review.
type Reviewed struct {
	Finished
	Review Review
	Shares []Share
}

// Review returns a match of the location's community, as [Manager.Finished] does, with
// its review, which is made once, outside every lock, and kept. The error is one of
// Finished, of [Rules.Review] or of the store.
func (m *Manager) Review(ctx context.Context, l Location, player PlayerID, number uint64) (Reviewed, error) {
	f, err := m.Finished(ctx, l, player, number)
	if err != nil {
		return Reviewed{Finished: f}, err
	}
	r, ok, err := m.Store.Review(ctx, f.Match)
	if err != nil {
		return Reviewed{}, err
	}
	if !ok {
		if r, err = m.review(ctx, f.Match); err != nil {
			return Reviewed{}, err
		}
		if err := m.Store.SaveReview(ctx, f.Match, r); err != nil {
			return Reviewed{}, err
		}
	}
	return Reviewed{f, r, Shares(f.Match, r)}, nil
}

func (m *Manager) review(ctx context.Context, match Match) (Review, error) {
	rules, err := m.rules(match.Kind)
	if err != nil {
		return nil, err
	}
	return rules.Review(ctx, match)
}

const (
	// formMatches is how many of a player's latest matches a form covers.
	formMatches = 50
	// formReviews is how many of them one call reviews, since a player waits for it;
	// the next call goes on with the rest.
	formReviews = 8
)

// Form returns a player's form over the latest matches of a kind, won or lost, in
// which the player guessed: those of a community or, if it is empty, of everywhere.
// Matches without a review get one, the newest first, but only a few in each call
// and only within the manager's FormTime; the form leaves out those that still have
// none. It also leaves out matches that no answer known today fits.
func (m *Manager) Form(ctx context.Context, k Kind, community string, player PlayerID) (Form, error) {
	matches, err := m.latest(ctx, Filter{Kind: k, Community: community, Player: player}, formMatches)
	if err != nil {
		return Form{}, err
	}
	limit := m.FormTime
	if limit == 0 {
		limit = 500 * time.Millisecond
	}
	inTime, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var form Form
	reviews := 0
	for _, e := range matches {
		f, err := m.Store.Finished(ctx, e.Result.Match)
		if errors.Is(err, ErrNoGame) {
			continue // somebody has just cleared it
		}
		if err != nil {
			return Form{}, err
		}
		r, ok, err := m.Store.Review(ctx, f.Match)
		if err != nil {
			return Form{}, err
		}
		if !ok {
			if reviews == formReviews || inTime.Err() != nil {
				continue
			}
			reviews++
			r, err = m.review(inTime, f.Match)
			switch {
			case err == nil:
			case errors.Is(err, ErrNothingFits), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
				continue
			default:
				return Form{}, err
			}
			if err := m.Store.SaveReview(ctx, f.Match, r); err != nil {
				return Form{}, err
			}
		}
		for _, s := range Shares(f.Match, r) {
			if s.Player == player {
				form = form.Add(s)
			}
		}
	}
	return form, nil
}

// latest returns the latest matches that pass the filter, won or lost, in which its
// player guessed.
func (m *Manager) latest(ctx context.Context, f Filter, most int) ([]Entry, error) {
	var found []Entry
	f.Limit = most
	for {
		entries, err := m.Store.History(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			guessed := slices.ContainsFunc(e.Result.Participants, func(p Participant) bool { return p.Player == f.Player && p.Guesses > 0 })
			if guessed && e.Result.Status != Stopped && len(found) < most {
				found = append(found, e)
			}
		}
		if len(entries) < f.Limit || len(found) == most {
			return found, nil
		}
		f.Before = entries[len(entries)-1].Number
	}
}
