package record

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/rules"
)

// pokleCodec is the codec of the poker game.
var pokleCodec = Codec{
	Kind: game.Pokle, Byte: 'p',
	Start: func(s game.State) (any, error) {
		own, err := asType[game.BoardState](s)
		if err != nil {
			return nil, err
		}
		d := own.Deal()
		return boardStart{d.Holes, d.Places, own.Hidden()}, nil
	},
	Guesses: func(s game.State) []any {
		var guesses []any
		for _, g := range s.(game.BoardState).Guesses() {
			guesses = append(guesses, g.Guess)
		}
		return guesses
	},
	ReadStart: func(data json.RawMessage) (game.State, error) {
		var r boardStart
		if err := unmarshal(data, &r); err != nil {
			return nil, err
		}
		deal := pokle.Deal{Holes: r.Holes, Places: r.Places}
		if deal.Validate() != nil || deal.Allows(r.Hidden) != nil {
			return nil, game.ErrDamaged
		}
		return game.BoardState{State: pokle.NewState(deal, r.Hidden)}, nil
	},
	ReadGuess: func(s game.State, data json.RawMessage) (game.State, error) {
		text, err := textOf(data)
		if err != nil {
			return nil, err
		}
		var b pokle.Board
		if b.UnmarshalText(text) != nil {
			return nil, game.ErrDamaged
		}
		next, err := s.(game.BoardState).Guess(b)
		return game.BoardState{State: next}, err
	},
	Hint: func(h game.HintContent) (any, error) {
		s, err := asType[boards.Suggestion](h)
		return suggestedRecord(s), err
	},
	ReadHint: func(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
		var r suggestedRecord
		if err := unmarshal(data, &r); err != nil || kind != game.HintSuggestion || r.Board == (pokle.Board{}) {
			return nil, game.ErrDamaged
		}
		return boards.Suggestion(r), nil
	},
	Review: func(r game.Review) (any, error) {
		own, err := asType[rules.BoardReview](r)
		if err != nil {
			return nil, err
		}
		return newBoardReview(own.Review), nil
	},
	ReadReview: func(data json.RawMessage) (game.Review, error) {
		var r boardReviewRecord
		if err := unmarshal(data, &r); err != nil {
			return nil, err
		}
		review, err := r.review()
		return rules.BoardReview{Review: review}, err
	},
}

// boardStart is what a match of the poker game begins with.
type boardStart struct {
	Holes [pokle.Players]pokle.Hole `json:"holes"`
	// Places could be worked out from the rest; they are what players were shown.
	Places [pokle.Streets]pokle.Places `json:"places"`
	Hidden pokle.Board                 `json:"hidden"`
}

type boardReviewRecord struct {
	Guesses []boardGradeRecord `json:"boards,omitempty"`
	Line    []stepRecord       `json:"board_line,omitempty"`
}

type boardGradeRecord struct {
	stepRecord
	gradeRecord
	Best pokle.Board `json:"best"`
}

func newBoardReview(r boards.Review) boardReviewRecord {
	var rec boardReviewRecord
	for _, g := range r.Guesses {
		rec.Guesses = append(rec.Guesses, boardGradeRecord{
			stepRecord{g.Guess, g.Feedback.String()},
			gradeRecord{g.Before, g.After, g.Expected, g.BestExpected, g.Skill, g.Luck, g.Cut, g.Proven},
			g.Best,
		})
	}
	for _, s := range r.Line {
		rec.Line = append(rec.Line, stepRecord{s.Guess, s.Feedback.String()})
	}
	return rec
}

func (rec boardReviewRecord) review() (boards.Review, error) {
	var r boards.Review
	for _, g := range rec.Guesses {
		step, err := g.step()
		if err != nil || g.Best == (pokle.Board{}) || !g.valid() {
			return boards.Review{}, game.ErrDamaged
		}
		r.Guesses = append(r.Guesses, boards.Judged{
			Step: step, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for _, line := range rec.Line {
		step, err := line.step()
		if err != nil {
			return boards.Review{}, game.ErrDamaged
		}
		r.Line = append(r.Line, step)
	}
	return r, nil
}
