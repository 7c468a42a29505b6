package record

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/rules"
)

// wordleCodec is the codec of the word game.
var wordleCodec = Codec{
	Kind: game.Wordle, Byte: 'w',
	Start: func(s game.State) (any, error) {
		own, err := asType[game.WordState](s)
		if err != nil {
			return nil, err
		}
		return wordStart{own.Hidden(), own.Hard()}, nil
	},
	Guesses: func(s game.State) []any {
		var guesses []any
		for _, t := range s.(game.WordState).Turns() {
			guesses = append(guesses, t.Guess)
		}
		return guesses
	},
	ReadStart: func(data json.RawMessage) (game.State, error) {
		var r wordStart
		if err := unmarshal(data, &r); err != nil || r.Hidden == 0 {
			return nil, game.ErrDamaged
		}
		return game.WordState{State: wordle.NewState(r.Hidden, r.Hard)}, nil
	},
	ReadGuess: func(s game.State, data json.RawMessage) (game.State, error) {
		text, err := textOf(data)
		if err != nil {
			return nil, err
		}
		w, err := wordle.ParseWord(string(text))
		if err != nil {
			return nil, game.ErrDamaged
		}
		next, err := s.(game.WordState).Guess(w)
		return game.WordState{State: next}, err
	},
	Hint: func(h game.HintContent) (any, error) {
		switch h := h.(type) {
		case rules.LetterHint:
			return letterRecord{Letter: string(h.Letter), Times: h.Times}, nil
		case rules.PositionHint:
			return letterRecord{Letter: string(h.Letter), Position: h.Position}, nil
		}
		s, err := asType[solver.Suggestion](h)
		return suggestionRecord(s), err
	},
	ReadHint: readWordHint,
	Review: func(r game.Review) (any, error) {
		own, err := asType[rules.WordReview](r)
		if err != nil {
			return nil, err
		}
		return newWordReview(own.Review), nil
	},
	ReadReview: func(data json.RawMessage) (game.Review, error) {
		var r wordReviewRecord
		if err := unmarshal(data, &r); err != nil {
			return nil, err
		}
		review, err := r.review()
		return rules.WordReview{Review: review}, err
	},
}

type wordStart struct {
	Hidden wordle.Word `json:"hidden"`
	Hard   bool        `json:"hard,omitempty"`
}

// letterRecord is a hint of a letter, or of one at a position.
type letterRecord struct {
	Letter   string `json:"letter"`
	Times    int    `json:"times,omitempty"`
	Position int    `json:"position,omitempty"`
}

type suggestionRecord struct {
	Word      wordle.Word `json:"word"`
	Possible  bool        `json:"possible,omitempty"`
	Remaining int         `json:"remaining"`
	Expected  float64     `json:"expected"`
	Entropy   float64     `json:"entropy,omitempty"`
	Groups    int         `json:"groups"`
	Worst     int         `json:"worst"`
	Total     int         `json:"total,omitempty"`
	Proven    bool        `json:"proven,omitempty"`
}

func readWordHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	if kind == game.HintSuggestion {
		var r suggestionRecord
		if err := unmarshal(data, &r); err != nil || r.Word == 0 {
			return nil, game.ErrDamaged
		}
		return solver.Suggestion(r), nil
	}
	var r letterRecord
	if err := unmarshal(data, &r); err != nil || len(r.Letter) != 1 || r.Letter[0] < 'A' || r.Letter[0] > 'Z' {
		return nil, game.ErrDamaged
	}
	switch {
	case kind == game.HintLetter && r.Times > 0:
		return rules.LetterHint{Letter: r.Letter[0], Times: r.Times}, nil
	case kind == game.HintPosition && 0 < r.Position && r.Position <= wordle.Length:
		return rules.PositionHint{Letter: r.Letter[0], Position: r.Position}, nil
	}
	return nil, game.ErrDamaged
}

type wordReviewRecord struct {
	Guesses []wordGradeRecord `json:"guesses,omitempty"`
	Line    []turnRecord      `json:"line,omitempty"`
}

type wordGradeRecord struct {
	turnRecord
	gradeRecord
	Best       wordle.Word `json:"best"`
	Missed     int         `json:"missed,omitempty"`
	BestMissed int         `json:"best_missed,omitempty"`
}

func newWordReview(r solver.Review) wordReviewRecord {
	var rec wordReviewRecord
	for _, g := range r.Guesses {
		rec.Guesses = append(rec.Guesses, wordGradeRecord{
			turnRecord{g.Guess, g.Feedback.String()},
			gradeRecord{g.Before, g.After, g.Expected, g.BestExpected, g.Skill, g.Luck, g.Cut, g.Proven},
			g.Best, g.Missed, g.BestMissed,
		})
	}
	for _, t := range r.Line {
		rec.Line = append(rec.Line, turnRecord{t.Guess, t.Feedback.String()})
	}
	return rec
}

func (rec wordReviewRecord) review() (solver.Review, error) {
	var r solver.Review
	for _, g := range rec.Guesses {
		t, err := g.turn()
		if err != nil || g.Best == 0 || !g.valid() || g.BestMissed < 0 || g.Missed < g.BestMissed || g.Missed > g.Before {
			return solver.Review{}, game.ErrDamaged
		}
		r.Guesses = append(r.Guesses, solver.Judged{
			Turn: t, Before: g.Before, After: g.After, Expected: g.Expected, Best: g.Best, BestExpected: g.BestExpected,
			Missed: g.Missed, BestMissed: g.BestMissed, Skill: g.Skill, Luck: g.Luck, Cut: g.Cut, Proven: g.Proven,
		})
	}
	for _, line := range rec.Line {
		t, err := line.turn()
		if err != nil {
			return solver.Review{}, game.ErrDamaged
		}
		r.Line = append(r.Line, t)
	}
	return r, nil
}
