package game

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Review is how good and how lucky the guesses of a match were, as the solver judges them.
// Each kind of game has its own type.
type Review interface {
	// Grades returns the grade of each guess.
	Grades() []Grade
	// Skill and Luck are those of the whole match, 0 to 99.
	Skill() float64
	Luck() float64
}

// Grade is what a review says about a guess, whatever the kind of game.
type Grade struct {
	Skill, Luck float64 // 0 to 99
	// Cut is how many bits the guess cut from what was unknown: one bit halves the
	// number of possible answers. It can be below 0 if the answer has left the list.
	Cut    float64
	Proven bool // the skill is certain, apart from rounding
}

// Proven reports whether the skill of every guess is proven.
func Proven(r Review) bool {
	return !slices.ContainsFunc(r.Grades(), func(g Grade) bool { return !g.Proven })
}

// Contribution is what one player contributed to a reviewed match.
type Contribution struct {
	Player  PlayerID
	Guesses int
	// Skill and Luck are the means of the player's guesses, 0 to 99.
	Skill, Luck float64
	// Cut is the sum of what the player's guesses cut, in bits; one below 0 counts as 0.
	Cut float64
	// CutShare is Cut as a share of all players' cuts, 0 to 1; 0 if those are 0.
	CutShare float64
	// Proven reports whether the skill of each of the player's guesses is proven.
	Proven bool
}

// Contributions returns the contribution of each player who guessed, the one who cut the
// most first, and of equals the one who guessed first. Players who have cleared their
// histories count as one. The review must be of the match.
func Contributions(m Match, r Review) []Contribution {
	var contributions []Contribution
	total := 0.0
	for i, g := range r.Grades() {
		player := m.Moves[i].Player
		at := slices.IndexFunc(contributions, func(c Contribution) bool { return c.Player == player })
		if at < 0 {
			at = len(contributions)
			contributions = append(contributions, Contribution{Player: player, Proven: true})
		}
		c := &contributions[at]
		c.Guesses++
		c.Skill += g.Skill
		c.Luck += g.Luck
		cut := max(0, g.Cut) // otherwise shares could be below 0
		c.Cut += cut
		c.Proven = c.Proven && g.Proven
		total += cut
	}
	for i := range contributions {
		c := &contributions[i]
		c.Skill /= float64(c.Guesses)
		c.Luck /= float64(c.Guesses)
		if total > 0 {
			c.CutShare = c.Cut / total
		}
	}
	slices.SortStableFunc(contributions, func(a, b Contribution) int { return cmp.Compare(b.Cut, a.Cut) })
	return contributions
}

// Reviewed is a finished match with its review.
type Reviewed struct {
	Finished
	Review        Review
	Contributions []Contribution
}

// Review returns a match as [Manager.Finished] does, with its review. The review is made
// once, outside every lock, and kept, without waiting for the disk. The error is one of
// Finished, of [Rules.Review] or of the store.
func (m *Manager) Review(ctx context.Context, by Viewer, number uint64) (Reviewed, error) {
	f, err := m.Finished(ctx, by, number)
	if err != nil {
		return Reviewed{Finished: f}, err
	}
	r, ok, err := m.Store.Review(ctx, f.Match)
	if err != nil {
		return Reviewed{}, err
	}
	if !ok {
		if r, err = m.makeReview(ctx, f.Match); err != nil {
			return Reviewed{}, err
		}
	}
	return Reviewed{f, r, Contributions(f.Match, r)}, nil
}

// makeReview makes a review and saves it. A disk that takes no changes is not an error: the review can be
// made again.
func (m *Manager) makeReview(ctx context.Context, match Match) (Review, error) {
	rules, err := m.rules(match.Kind)
	if err != nil {
		return nil, err
	}
	r, err := rules.Review(ctx, match)
	if err == nil {
		err = m.Store.SaveReview(ctx, match, r)
	}
	if errors.Is(err, ErrNotSaved) {
		err = nil
	}
	return r, err
}
