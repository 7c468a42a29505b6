package game

import (
	"cmp"
	"slices"
)

// Review is how good and how lucky the guesses of a match were, as the solver judges them. Each kind of game has its own type.
type Review interface {
	// Grades returns the grade of each guess.
	Grades() []Grade
	// Skill and Luck are those of the whole match, 0 to 99. Luck can be NoLuck.
	Skill() float64
	Luck() float64
}

// NoLuck is the luck of guesses that leave nothing to chance.
const NoLuck = -1

// Grade is a review's judgement of a guess, for every kind of game.
type Grade struct {
	Skill, Luck float64 // 0 to 99, or NoLuck
	// Cut is how many bits the guess cut from what was unknown: one bit halves the number of possible answers. It can be below 0
	// if the answer has left the list.
	Cut    float64
	Proven bool // the skill is certain, apart from rounding
}

// Proven reports whether the skill of every guess is proven.
func Proven(r Review) bool {
	return !slices.ContainsFunc(r.Grades(), func(g Grade) bool { return !g.Proven })
}

// Contribution is what one player contributed to a match.
type Contribution struct {
	Player  PlayerID
	Guesses int
	// Cut is the player's part, 0 to 1, in the bits that all guesses cut: see [Grade.Cut]. The parts of all players add up to 1,
	// or to 0 if nothing was cut.
	Cut float64
	// Skill and Luck are the means of the player's guesses, 0 to 99. Proven says that the skill of each of these guesses is
	// proven. All three are zero without a review.
	Skill, Luck float64
	Proven      bool
}

// contributions returns the players' contributions, from the bits that each guess cut. The player who cut the most comes first;
// of equals, the one who guessed first. Players who have deleted their data count as one.
func contributions(m Match, cuts []float64) []Contribution {
	var all []Contribution
	total := 0.0
	for i, cut := range cuts {
		player := m.Moves[i].Player
		at := slices.IndexFunc(all, func(c Contribution) bool { return c.Player == player })
		if at < 0 {
			at, all = len(all), append(all, Contribution{Player: player})
		}
		all[at].Guesses++
		all[at].Cut += max(0, cut) // otherwise parts could be below 0
		total += max(0, cut)
	}
	for i := range all {
		if total > 0 {
			all[i].Cut /= total
		}
	}
	slices.SortStableFunc(all, func(a, b Contribution) int { return cmp.Compare(b.Cut, a.Cut) })
	return all
}

// Contributions returns the contribution of each player who guessed. The review must be of the match.
func Contributions(m Match, r Review) []Contribution {
	grades := r.Grades()
	all := contributions(m, Each(grades, func(g Grade) float64 { return g.Cut }))
	for i := range all {
		c := &all[i]
		c.Proven = true
		for n, g := range grades {
			if m.Moves[n].Player == c.Player {
				c.Skill += g.Skill
				c.Luck += g.Luck
				c.Proven = c.Proven && g.Proven
			}
		}
		c.Skill /= float64(c.Guesses)
		c.Luck /= float64(c.Guesses)
	}
	return all
}

// HasCredit reports whether several players guessed in a match that was won or lost.
func (m Match) HasCredit() bool {
	return m.Status() != Playing && m.Stop == nil && slices.ContainsFunc(m.Moves, func(v Move) bool { return v.Player != m.Moves[0].Player })
}

// Credit returns the contributions to a match from the numbers of [matches.Manager.Remaining], without a review. It returns nil
// if these are not known, if nothing was cut, or if [Match.HasCredit] is false.
func (m Match) Credit(left []Possible) []Contribution {
	if !m.HasCredit() || len(left) <= m.Used() || slices.ContainsFunc(left, func(p Possible) bool { return p.Bits() < 0 }) {
		return nil
	}
	var cuts []float64
	for i := range m.Moves {
		cuts = append(cuts, left[i].Bits()-left[i+1].Bits())
	}
	if all := contributions(m, cuts); all[0].Cut > 0 {
		return all
	}
	return nil
}
