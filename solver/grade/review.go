package grade

import (
	"fivefold/game"
	"fivefold/game/marks"
)

// Review grades a game of a kind whose guesses are of type G. It is a [game.Review].
type Review[G any] struct {
	// Guesses are the guesses of the game in their order, each with a judgement.
	Guesses []Judged[G]
	// Line are the turns that the solver would have played for the same hidden answer; nil if they are not known.
	Line []marks.Turn[G] `json:",omitzero"`
}

// Judged is a guess with its judgement.
type Judged[G any] struct {
	marks.Turn[G]
	// Before and After are how many answers were possible before the guess and after its
	// feedback. After a win, After counts the answers that the game accepts for the hidden one.
	Before, After int
	// Expected is how many answers the guess leaves on average over those possible before it.
	// All green counts like any other feedback.
	Expected float64
	// Best is the best guess that is known. If none is better than the guess made, Best is that guess. BestExpected
	// is the Expected of Best.
	Best         G
	BestExpected float64
	// Skill and Luck are from 0 to 99. Luck is [game.NoLuck] for all guesses or for none.
	Skill, Luck float64
	// Cut is the information in the feedback, in bits: log₂(Before/After). It is negative only
	// if After counts words that are not answers.
	Cut float64
	// Proven reports whether Skill is exact, apart from rounding.
	Proven bool `json:",omitzero"`
}

// Grades implements [game.Review].
func (r Review[G]) Grades() []game.Grade {
	var grades []game.Grade
	for _, g := range r.Guesses {
		grades = append(grades, game.Grade{Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven})
	}
	return grades
}

// Skill returns the mean skill of the guesses, 0 without any.
func (r Review[G]) Skill() float64 {
	sum := 0.0
	for _, j := range r.Guesses {
		sum += j.Skill
	}
	return sum / float64(max(1, len(r.Guesses)))
}

// Luck returns the luck of the game, from 0 to 99: 49.5 plus half the first guess's difference from 49.5, a quarter
// of the second's, and so on.
//
// So a game's luck is 49.5 on average over the hidden answers, however the game is played. The mean of the guesses
// would be above that: lucky games are short, and have fewer guesses to even out.
// It is [game.NoLuck] if the guesses' luck is.
func (r Review[G]) Luck() float64 {
	if len(r.Guesses) > 0 && r.Guesses[0].Luck == game.NoLuck {
		return game.NoLuck
	}
	luck, weight := Mean, 1.0
	for _, j := range r.Guesses {
		weight /= 2
		luck += weight * (j.Luck - Mean)
	}
	return luck
}
