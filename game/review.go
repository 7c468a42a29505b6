package game

import (
	"cmp"
	"slices"
)

// Review is how good and how lucky the guesses of a match were, as the solver
// judges: of a type of the match's kind.
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
	// number of possible answers.
	Cut    float64
	Proven bool // the skill is certain, apart from rounding
}

// Proven reports whether the skill of every guess is proven.
func Proven(r Review) bool {
	return !slices.ContainsFunc(r.Grades(), func(g Grade) bool { return !g.Proven })
}

// Share is one player's share of a reviewed match.
type Share struct {
	Player  PlayerID
	Guesses int
	// Skill and Luck are the means of the player's guesses, 0 to 99.
	Skill, Luck float64
	// Cut is the sum of the player's guesses, in bits.
	Cut float64
	// OfCut is Cut as a share of everybody's, 0 to 1; 0 if nobody cut anything.
	OfCut float64
	// Proven reports whether the skill of each of the player's guesses is proven.
	Proven bool
}

// Shares returns the share of each player who guessed, the one who cut the most
// first, and of equals the one who guessed first. Players who have cleared their
// histories count as one. The review must be of the match.
func Shares(m Match, r Review) []Share {
	var shares []Share
	all := 0.0
	for i, g := range r.Grades() {
		player := m.Moves[i].Player
		at := slices.IndexFunc(shares, func(s Share) bool { return s.Player == player })
		if at < 0 {
			at = len(shares)
			shares = append(shares, Share{Player: player, Proven: true})
		}
		s := &shares[at]
		s.Guesses++
		s.Skill += g.Skill
		s.Luck += g.Luck
		s.Cut += g.Cut
		s.Proven = s.Proven && g.Proven
		all += g.Cut
	}
	for i := range shares {
		s := &shares[i]
		s.Skill /= float64(s.Guesses)
		s.Luck /= float64(s.Guesses)
		if all > 0 {
			s.OfCut = s.Cut / all
		}
	}
	slices.SortStableFunc(shares, func(a, b Share) int { return cmp.Compare(b.Cut, a.Cut) })
	return shares
}

// Form is a player's skill and luck over several matches: the means of all guesses
// that the player made in them. The mean of the matches' own means would show more
// luck than there was, since lucky matches are short.
type Form struct {
	Matches, Guesses int
	Skill, Luck      float64 // 0 to 99; 0 without a guess
}

// Add returns the form after one more match. A share without guesses changes
// nothing.
func (f Form) Add(s Share) Form {
	if s.Guesses == 0 {
		return f
	}
	before, more := float64(f.Guesses), float64(s.Guesses)
	f.Matches++
	f.Guesses += s.Guesses
	f.Skill = (f.Skill*before + s.Skill*more) / (before + more)
	f.Luck = (f.Luck*before + s.Luck*more) / (before + more)
	return f
}
