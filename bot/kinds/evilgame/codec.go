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
	Start   step        `json:"start,omitzero"`
	Hidden  wordle.Word `json:"hidden"` // a word that was left before the first guess
	Guesses []step      `json:"guesses,omitempty"`
}

// step is a guess with its feedback and a word that was left then.
type step struct {
	Guess    wordle.Word     `json:"guess"`
	Feedback wordle.Feedback `json:"feedback"`
	Left     wordle.Word     `json:"left"`
}

func (*Game) Form(s game.State) record.Form {
	if s == nil {
		return new(form)
	}
	own := s.(evil.State)
	f := &form{Hidden: own.Fresh(own.Hard()).(evil.State).Could()}
	if start := own.Start(); start.Guess != 0 {
		f.Start = step{start.Guess, start.Feedback, f.Hidden}
	}
	for i, t := range own.Turns() {
		f.Guesses = append(f.Guesses, step{t.Guess, t.Feedback, own.Rewind(i + 1).(evil.State).Could()})
	}
	return f
}

func (f *form) State() (game.State, error) {
	if f.Hidden == 0 || f.Start.Guess != 0 && f.Start.damaged() {
		return nil, game.ErrDamaged
	}
	start := wordle.Turn{Guess: f.Start.Guess, Feedback: f.Start.Feedback}
	return record.Replay(evil.New(start, f.Hidden), f.Guesses, func(s evil.State, t step) (evil.State, error) {
		if t.damaged() {
			return s, game.ErrDamaged
		}
		return s.With(wordle.Turn{Guess: t.Guess, Feedback: t.Feedback}, t.Left)
	})
}

// damaged reports whether the word that was left would have got another feedback.
func (t step) damaged() bool { return t.Left == 0 || wordle.Score(t.Guess, t.Left) != t.Feedback }

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
