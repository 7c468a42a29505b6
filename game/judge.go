package game

import (
	"context"
	"errors"
	"slices"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// Reviewed is a finished match with its review.
type Reviewed struct {
	Finished
	Review Review
	Shares []Share
}

// Review returns a match of the place's history, as [Manager.Finished] does, with
// its review. That is worked out once, outside every lock, and kept. The error is
// one of Finished, of the solver or of the store.
func (m *Manager) Review(ctx context.Context, p Place, number uint64) (Reviewed, error) {
	f, err := m.Finished(ctx, p, number)
	if err != nil {
		return Reviewed{}, err
	}
	r, ok, err := m.Store.Review(ctx, f.Match.ID)
	if err != nil {
		return Reviewed{}, err
	}
	if !ok {
		if r, err = m.judge(ctx, f.Match); err != nil {
			return Reviewed{}, err
		}
		if err := m.Store.SaveReview(ctx, f.Match.ID, r); err != nil {
			return Reviewed{}, err
		}
	}
	return Reviewed{f, r, Shares(f.Match, r)}, nil
}

func (m *Manager) judge(ctx context.Context, match Match) (Review, error) {
	if match.Kind() == Pokle {
		var guesses []pokle.Board
		for _, g := range match.Pokle.Guesses() {
			guesses = append(guesses, g.Board)
		}
		r, err := m.Boards.Review(ctx, boards.Played{
			Deal: match.Pokle.Deal(), Guesses: guesses, Hidden: match.Pokle.Hidden(),
		})
		return Review{Pokle: r}, err
	}
	r, err := m.Solver.Review(ctx, solver.Played{
		Turns: match.Wordle.Turns(), Hard: match.Wordle.Hard(), Hidden: match.Wordle.Hidden(),
	})
	return Review{Wordle: r}, err
}

const (
	// formMatches is over how many of a player's latest matches a form is.
	formMatches = 50
	// formReviews is how many of them are reviewed for one form, since who asks
	// waits for it; the next one goes on with the rest.
	formReviews = 8
)

// Form returns a player's form over the latest matches of a kind, won or lost, in
// which the player guessed: those of a pool or, for the empty pool, of everywhere. Matches
// that have no review yet get one, the newest first, but only some a call and only
// in the manager's FormTime; what has none then is left out. So is a match that
// no word known today fits.
func (m *Manager) Form(ctx context.Context, k Kind, pool string, player PlayerID) (Form, error) {
	matches, err := m.latest(ctx, Filter{Kind: k, Pool: pool, Player: player}, formMatches)
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
		r, ok, err := m.Store.Review(ctx, f.Match.ID)
		if err != nil {
			return Form{}, err
		}
		if !ok {
			if reviews == formReviews || inTime.Err() != nil {
				continue
			}
			reviews++
			r, err = m.judge(inTime, f.Match)
			switch {
			case err == nil:
			case errors.Is(err, solver.ErrNothingFits), errors.Is(err, boards.ErrNothingFits), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
				continue
			default:
				return Form{}, err
			}
			if err := m.Store.SaveReview(ctx, f.Match.ID, r); err != nil {
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

// latest returns the latest matches that the filter lets through, won or lost, in
// which its player guessed.
func (m *Manager) latest(ctx context.Context, f Filter, most int) ([]Entry, error) {
	var found []Entry
	f.Limit = most
	for {
		entries, err := m.Store.History(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			guessed := slices.ContainsFunc(e.Result.Parts, func(p Part) bool { return p.Player == f.Player && p.Guesses > 0 })
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
