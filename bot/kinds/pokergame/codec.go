package pokergame

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/storage/record"
)

// Codec is how games are stored.
var Codec = record.Typed[State, Review]{
	Kind: Kind, Byte: 'p',
	Start: func(s State) any {
		d := s.Deal()
		return startRecord{d.Holes, d.Places, s.Hidden()}
	},
	Guesses: func(s State) []any {
		var guesses []any
		for _, g := range s.Guesses() {
			guesses = append(guesses, g.Guess)
		}
		return guesses
	},
	ReadStart: func(data json.RawMessage) (State, error) {
		var r startRecord
		if err := record.Unmarshal(data, &r); err != nil {
			return State{}, err
		}
		deal := pokle.Deal{Holes: r.Holes, Places: r.Places}
		if deal.Validate() != nil || deal.Allows(r.Hidden) != nil {
			return State{}, game.ErrDamaged
		}
		return State{pokle.NewState(deal, r.Hidden)}, nil
	},
	ReadGuess: func(s State, data json.RawMessage) (State, error) {
		text, err := record.Text(data)
		if err != nil {
			return s, err
		}
		var b pokle.Board
		if b.UnmarshalText(text) != nil {
			return s, game.ErrDamaged
		}
		return s.guess(b)
	},
	Hint: func(h game.HintContent) (any, error) {
		s, err := record.AsType[boards.Suggestion](h)
		return record.BoardSuggestion(s), err
	},
	ReadHint: func(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
		var r record.BoardSuggestion
		if err := record.Unmarshal(data, &r); err != nil || kind != game.HintSuggestion || r.Board == (pokle.Board{}) {
			return nil, game.ErrDamaged
		}
		return boards.Suggestion(r), nil
	},
	Review: func(r Review) any { return newReviewRecord(r.Review) },
	ReadReview: func(data json.RawMessage) (Review, error) {
		var r reviewRecord
		if err := record.Unmarshal(data, &r); err != nil {
			return Review{}, err
		}
		review, err := r.review()
		return Review{review}, err
	},
}.Codec()

// startRecord is what a match of the poker game begins with.
type startRecord struct {
	Holes [pokle.Players]pokle.Hole `json:"holes"`
	// Places could be worked out from the rest; they are what players were shown.
	Places [pokle.Streets]pokle.Places `json:"places"`
	Hidden pokle.Board                 `json:"hidden"`
}

type reviewRecord struct {
	Guesses []judgedRecord             `json:"boards,omitempty"`
	Line    []record.Turn[pokle.Board] `json:"board_line,omitempty"`
}

type judgedRecord struct {
	record.Turn[pokle.Board]
	record.Judged
	Best pokle.Board `json:"best"`
}

func newReviewRecord(r boards.Review) reviewRecord {
	var rec reviewRecord
	for _, g := range r.Guesses {
		rec.Guesses = append(rec.Guesses, judgedRecord{
			record.NewTurn(g.Step),
			record.Judged{
				Before: g.Before, After: g.After, Expected: g.Expected, BestExpected: g.BestExpected,
				Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
			},
			g.Best,
		})
	}
	for _, s := range r.Line {
		rec.Line = append(rec.Line, record.NewTurn(s))
	}
	return rec
}

func (rec reviewRecord) review() (boards.Review, error) {
	var r boards.Review
	for _, g := range rec.Guesses {
		step, err := g.Read()
		if err != nil || g.Best == (pokle.Board{}) || !g.Valid() {
			return boards.Review{}, game.ErrDamaged
		}
		r.Guesses = append(r.Guesses, boards.Judged{
			Step: step, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for _, line := range rec.Line {
		step, err := line.Read()
		if err != nil {
			return boards.Review{}, game.ErrDamaged
		}
		r.Line = append(r.Line, step)
	}
	return r, nil
}
