package evilgame

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/storage/record"
)

func (*Game) Byte() byte { return 'e' }

// form is a game as it is stored: with its feedbacks, so that reading it needs no list.
type form struct {
	Start   wordle.Turn `json:"start,omitzero"`
	Hidden  wordle.Word `json:"hidden"` // a word that was left before the first guess
	Guesses []step      `json:"guesses,omitempty"`
}

// step is a guess with its feedback and a word that was left then.
type step struct {
	wordle.Turn
	Left wordle.Word
}

func (*Game) Form(s game.State) record.Form {
	if s == nil {
		return new(form)
	}
	own := s.(evil.State)
	f := &form{Start: own.Start(), Hidden: own.Fresh(own.Hard()).(evil.State).Could()}
	for i, t := range own.Turns() {
		f.Guesses = append(f.Guesses, step{t, own.Rewind(i + 1).(evil.State).Could()})
	}
	return f
}

func (f *form) State() (game.State, error) {
	damaged := f.Hidden == 0 || f.Start.Guess != 0 && wordle.Score(f.Start.Guess, f.Hidden) != f.Start.Feedback
	for _, t := range f.Guesses {
		damaged = damaged || t.Guess == 0 || t.Left == 0 || wordle.Score(t.Guess, t.Left) != t.Feedback
	}
	if damaged {
		return nil, game.ErrDamaged
	}
	return record.Replay(evil.New(f.Start, f.Hidden), f.Guesses, func(s evil.State, t step) (evil.State, error) { return s.With(t.Turn, t.Left) })
}

func (*Game) ReadHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	var s dodge.Suggestion
	if kind != game.HintSuggestion || record.Unmarshal(data, &s) != nil || s.Word == 0 {
		return nil, game.ErrDamaged
	}
	return s, nil
}

func (*Game) ReadReview(data []byte) (game.Review, error) {
	return record.ReadReview[wordle.Word](data)
}
