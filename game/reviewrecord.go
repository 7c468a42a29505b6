package game

import (
	"encoding/json"
	"fmt"

	"fivefold/game/wordle"
)

// reviewFormat is the format number of stored reviews: see record.go.
const reviewFormat = 1

type reviewRecord struct {
	Format  int            `json:"format"`
	Guesses []judgedRecord `json:"guesses,omitempty"`
	Line    []turnRecord   `json:"line,omitempty"`
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

// EncodeReview returns the stored form of a review.
func EncodeReview(r Review) ([]byte, error) {
	rec := reviewRecord{Format: reviewFormat}
	for _, g := range r.Guesses {
		rec.Guesses = append(rec.Guesses, judgedRecord{
			turnRecord{g.Guess, g.Feedback.String()},
			g.Before, g.After, g.Expected, g.Best, g.BestExpected, g.Skill, g.Luck, g.Cut, g.Proven,
		})
	}
	for _, t := range r.Line {
		rec.Line = append(rec.Line, turnRecord{t.Guess, t.Feedback.String()})
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
		known := g.Best != 0 && g.Before > 0 && g.After > 0 && g.Cut >= 0
		if err != nil || !known || g.Skill < 0 || g.Skill > 99 || g.Luck < 0 || g.Luck > 99 {
			return Review{}, fmt.Errorf("review: guess %d: %w", i+1, ErrDamaged)
		}
		r.Guesses = append(r.Guesses, Judged{
			Turn: turn, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for i, t := range rec.Line {
		turn, err := t.turn()
		if err != nil {
			return Review{}, fmt.Errorf("review: turn %d of the line: %w", i+1, ErrDamaged)
		}
		r.Line = append(r.Line, turn)
	}
	return r, nil
}
