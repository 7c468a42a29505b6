package game

import (
	"encoding/json"
	"fmt"

	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// reviewFormat is the format number of stored reviews: see record.go.
const reviewFormat = 1

type reviewRecord struct {
	Format  int            `json:"format"`
	Guesses []judgedRecord `json:"guesses,omitempty"`
	Line    []turnRecord   `json:"line,omitempty"`
	// Of the poker game:
	Boards    []judgedBoardRecord `json:"boards,omitempty"`
	BoardLine []stepRecord        `json:"board_line,omitempty"`
}

type judgedRecord struct {
	turnRecord
	Before       int         `json:"before"`
	After        int         `json:"after"`
	Expected     float64     `json:"expected"`
	Best         wordle.Word `json:"best"`
	BestExpected float64     `json:"best_expected"`
	Skill        float64     `json:"skill"`
	Luck         float64     `json:"luck"`
	Cut          float64     `json:"cut"`
	Proven       bool        `json:"proven,omitempty"`
}

type judgedBoardRecord struct {
	stepRecord
	Before       int         `json:"before"`
	After        int         `json:"after"`
	Expected     float64     `json:"expected"`
	Best         pokle.Board `json:"best"`
	BestExpected float64     `json:"best_expected"`
	Skill        float64     `json:"skill"`
	Luck         float64     `json:"luck"`
	Cut          float64     `json:"cut"`
	Proven       bool        `json:"proven,omitempty"`
}

// EncodeReview returns the stored form of a review.
func EncodeReview(r Review) ([]byte, error) {
	rec := reviewRecord{Format: reviewFormat}
	for _, g := range r.Wordle.Guesses {
		rec.Guesses = append(rec.Guesses, judgedRecord{
			turnRecord{g.Guess, g.Feedback.String()},
			g.Before, g.After, g.Expected, g.Best, g.BestExpected, g.Skill, g.Luck, g.Cut, g.Proven,
		})
	}
	for _, t := range r.Wordle.Line {
		rec.Line = append(rec.Line, turnRecord{t.Guess, t.Feedback.String()})
	}
	for _, g := range r.Pokle.Guesses {
		rec.Boards = append(rec.Boards, judgedBoardRecord{
			stepRecord{g.Guess, g.Feedback.String()},
			g.Before, g.After, g.Expected, g.Best, g.BestExpected, g.Skill, g.Luck, g.Cut, g.Proven,
		})
	}
	for _, s := range r.Pokle.Line {
		rec.BoardLine = append(rec.BoardLine, stepRecord{s.Guess, s.Feedback.String()})
	}
	return json.Marshal(rec)
}

// DecodeReview reads what any release so far has stored, as [DecodeMatch] does.
func DecodeReview(data []byte) (Review, error) {
	var rec reviewRecord
	if err := decode(data, reviewFormat, &rec, &rec.Format); err != nil {
		return Review{}, fmt.Errorf("review: %w", err)
	}
	var r Review
	for i, g := range rec.Guesses {
		turn, err := g.turn()
		grade := Grade{g.Skill, g.Luck, g.Cut, g.Proven}
		if err != nil || g.Best == 0 || g.Before <= 0 || g.After <= 0 || !grade.valid() {
			return Review{}, fmt.Errorf("review: guess %d: %w", i+1, ErrDamaged)
		}
		r.Wordle.Guesses = append(r.Wordle.Guesses, solver.Judged{
			Turn: turn, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for i, t := range rec.Line {
		turn, err := t.turn()
		if err != nil {
			return Review{}, fmt.Errorf("review: turn %d of the line: %w", i+1, ErrDamaged)
		}
		r.Wordle.Line = append(r.Wordle.Line, turn)
	}
	for i, g := range rec.Boards {
		step, err := g.step()
		grade := Grade{g.Skill, g.Luck, g.Cut, g.Proven}
		if err != nil || g.Best == (pokle.Board{}) || g.Before <= 0 || g.After <= 0 || !grade.valid() {
			return Review{}, fmt.Errorf("review: board %d: %w", i+1, ErrDamaged)
		}
		r.Pokle.Guesses = append(r.Pokle.Guesses, boards.Judged{
			Step: step, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for i, s := range rec.BoardLine {
		step, err := s.step()
		if err != nil {
			return Review{}, fmt.Errorf("review: step %d of the line: %w", i+1, ErrDamaged)
		}
		r.Pokle.Line = append(r.Pokle.Line, step)
	}
	return r, nil
}

// valid reports whether the figures are within their bounds.
func (g Grade) valid() bool {
	return g.Cut >= 0 && 0 <= g.Skill && g.Skill <= 99 && 0 <= g.Luck && g.Luck <= 99
}
