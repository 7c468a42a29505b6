package boardsgame

import (
	"encoding/json"
	"slices"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/storage/record"
)

func (g *Game) Byte() byte { return '0' + byte(g.boards) }

// form is a game as it is stored.
type form struct {
	boards  int
	Hidden  []wordle.Word `json:"hidden"`
	Guesses []wordle.Word `json:"guesses,omitempty"`
}

func (g *Game) Form(s game.State) record.Form {
	if s == nil {
		return &form{boards: g.boards}
	}
	own := s.(boards.State)
	return &form{g.boards, own.Words(), bot.Each(own.Turns(), func(t wordle.Turn) wordle.Word { return t.Guess })}
}

func (f *form) State() (game.State, error) {
	if len(f.Hidden) != f.boards || slices.Contains(f.Hidden, 0) {
		return nil, game.ErrDamaged
	}
	return record.Replay(boards.New(f.Hidden...), f.Guesses, boards.State.Guess)
}

func (g *Game) ReadHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	var (
		suggestion multi.Suggestion
		letter     LetterHint
	)
	outside := func(b int) bool { return b < 0 || b >= g.boards }
	switch kind {
	case game.HintSuggestion:
		if record.Unmarshal(data, &suggestion) == nil && suggestion.Word != 0 && len(suggestion.Left) == g.boards && !slices.ContainsFunc(suggestion.Possible, outside) {
			return suggestion, nil
		}
	case game.HintLetter:
		_, err := (*wordgame.Game)(nil).ReadHint(kind, data)
		if err == nil && record.Unmarshal(data, &letter) == nil && !outside(letter.Board-1) {
			return letter, nil
		}
	}
	return nil, game.ErrDamaged
}

func (*Game) ReadReview(data []byte) (game.Review, error) {
	return record.ReadReview[wordle.Word](data)
}
