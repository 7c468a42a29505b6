package wordgame

import (
	"encoding/json"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/storage/record"
)

func (*Game) Byte() byte { return 'w' }

// form is a game as it is stored.
type form struct {
	Hidden  wordle.Word    `json:"hidden"`
	Hard    marks.Hardness `json:"hard,omitzero"`
	Guesses []wordle.Word  `json:"guesses,omitempty"`
}

func (*Game) Form(s game.State) record.Form {
	if s == nil {
		return new(form)
	}
	own := s.(wordle.State)
	return &form{own.Hidden(), own.Hard(), bot.Each(own.Turns(), func(t wordle.Turn) wordle.Word { return t.Guess })}
}

func (f *form) State() (game.State, error) {
	if f.Hidden == 0 {
		return nil, game.ErrDamaged
	}
	return record.Replay(wordle.NewState(f.Hidden, f.Hard), f.Guesses, wordle.State.Guess)
}

func (*Game) ReadHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	var (
		suggestion optimal.Suggestion
		letter     LetterHint
		position   PositionHint
	)
	known := func(letter string) bool { return len(letter) == 1 && 'A' <= letter[0] && letter[0] <= 'Z' }
	switch {
	case kind == game.HintSuggestion && record.Unmarshal(data, &suggestion) == nil && suggestion.Word != 0:
		return suggestion, nil
	case kind == game.HintLetter && record.Unmarshal(data, &letter) == nil && known(letter.Letter) && letter.Times > 0:
		return letter, nil
	case kind == game.HintPosition && record.Unmarshal(data, &position) == nil && known(position.Letter) && 0 < position.Position && position.Position <= wordle.Length:
		return position, nil
	}
	return nil, game.ErrDamaged
}

func (*Game) ReadReview(data []byte) (game.Review, error) {
	return record.ReadReview[wordle.Word](data)
}
