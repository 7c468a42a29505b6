package finished

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"fivefold/game"
)

// Performance is a player's skill and luck over several matches, averaged over all the player's guesses in them. Averaging by
// match would show more luck than there was, since lucky matches are short.
type Performance struct {
	Matches, Guesses int
	Skill, Luck      float64 // 0 to 99; 0 without a guess
}

// Add returns the performance after one more match. A contribution without guesses changes nothing.
func (p Performance) Add(c game.Contribution) Performance {
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
	performanceMatches = 50 // a player's latest matches that count
	performanceReviews = 8  // reviews made in one call at most, since a player waits; the next call goes on
)

// Performance returns a player's performance in the latest matches of a kind that were won or lost, and in which the player
// guessed and took no hint. An empty community means all communities. Matches without a review get one, newest first, but only a
// few in each call and within [Matches.PerformanceTime]. A match that stays without a review does not count. Nor does one that
// cannot be read, or that no answer known today fits.
func (m *Matches) Performance(ctx context.Context, k game.Kind, community string, player game.PlayerID) (Performance, error) {
	matches, err := m.latest(ctx, Filter{Viewer: player, Kind: k, Community: community, Player: player}, performanceMatches)
	if err != nil {
		return Performance{}, err
	}
	inTime, cancel := context.WithTimeout(ctx, cmp.Or(m.PerformanceTime, 500*time.Millisecond))
	defer cancel()
	ids := game.Each(matches, func(e Entry) game.MatchID { return e.Result.Match })
	reviewed, err := m.Store.Reviews(ctx, ids...) // without those that have just been deleted, or of which only the result is left
	if err != nil {
		return Performance{}, err
	}
	var total Performance
	reviews := 0
	for _, f := range reviewed {
		r := f.Review
		if r == nil {
			if reviews == performanceReviews || inTime.Err() != nil {
				continue
			}
			reviews++
			r, err = m.makeReview(inTime, f.Match)
			if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil || errors.Is(err, game.ErrNothingFits) || errors.Is(err, game.ErrBusy) {
				continue
			}
			if err != nil {
				return Performance{}, err
			}
		}
		for _, c := range game.Contributions(f.Match, r) {
			if c.Player == player {
				total = total.Add(c)
			}
		}
	}
	return total, nil
}

// latest returns the latest matches that pass the filter, were won or lost, and in which the filter's player guessed and took no
// hint. Guesses after a hint would show the solver's skill.
func (m *Matches) latest(ctx context.Context, f Filter, most int) ([]Entry, error) {
	var found []Entry
	f.PlayedOut, f.Limit = true, most
	for {
		entries, err := m.Store.History(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			guessed := slices.ContainsFunc(e.Result.Participants, func(p game.Participant) bool { return p.Player == f.Player && p.Guesses > 0 && p.Hints == 0 })
			if guessed && len(found) < most {
				found = append(found, e)
			}
		}
		if len(entries) < f.Limit || len(found) == most {
			return found, nil
		}
		f.Before = entries[len(entries)-1].Result.LogPosition
	}
}
