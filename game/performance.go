package game

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Performance is a player's skill and luck over several matches, averaged over all the
// guesses that the player made in them. Averaging by match would show more luck than
// there was, since lucky matches are short.
type Performance struct {
	Matches, Guesses int
	Skill, Luck      float64 // 0 to 99; 0 without a guess
}

// Add returns the performance after one more match. A contribution without guesses
// changes nothing.
func (p Performance) Add(c Contribution) Performance {
	if c.Guesses == 0 {
		return p
	}
	before, more := float64(p.Guesses), float64(c.Guesses)
	p.Matches++
	p.Guesses += c.Guesses
	p.Skill = (p.Skill*before + c.Skill*more) / (before + more)
	p.Luck = (p.Luck*before + c.Luck*more) / (before + more)
	return p
}

const (
	// performanceMatches is how many of a player's latest matches a performance covers.
	performanceMatches = 50
	// performanceReviews is how many of them one call reviews, since a player waits for
	// it. The next call goes on with the rest.
	performanceReviews = 8
)

// Performance returns a player's performance in the latest matches of a kind, won or
// lost, in which the player guessed: those of a community or, if it is empty, of
// everywhere. Matches without a review get one, the newest first, but only a few in
// each call and only within the manager's PerformanceTime. Matches that still have none
// do not count, nor do those that no answer known today fits.
func (m *Manager) Performance(ctx context.Context, k Kind, community string, player PlayerID) (Performance, error) {
	matches, err := m.latest(ctx, Filter{Kind: k, Community: community, Player: player}, performanceMatches)
	if err != nil {
		return Performance{}, err
	}
	limit := m.PerformanceTime
	if limit == 0 {
		limit = 500 * time.Millisecond
	}
	inTime, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var total Performance
	reviews := 0
	for _, e := range matches {
		f, err := m.Store.Finished(ctx, e.Result.Match)
		if errors.Is(err, ErrNotInHistory) {
			continue // it has just been cleared
		}
		if err != nil {
			return Performance{}, err
		}
		r, ok, err := m.Store.Review(ctx, f.Match)
		if err != nil {
			return Performance{}, err
		}
		if !ok {
			if reviews == performanceReviews || inTime.Err() != nil {
				continue
			}
			reviews++
			r, err = m.review(inTime, f.Match)
			switch {
			case err == nil:
			case errors.Is(err, ErrNothingFits), errors.Is(err, ErrBusy), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
				continue
			default:
				return Performance{}, err
			}
			if err := m.Store.SaveReview(ctx, f.Match, r); err != nil {
				return Performance{}, err
			}
		}
		for _, c := range Contributions(f.Match, r) {
			if c.Player == player {
				total = total.Add(c)
			}
		}
	}
	return total, nil
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
