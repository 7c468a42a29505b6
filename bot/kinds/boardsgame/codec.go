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
	var s multi.Suggestion
	var letter LetterHint
	outside := func(b int) bool { return b < 0 || b >= g.boards }
	_, wrong := (*wordgame.Game)(nil).ReadHint(kind, data)
	switch {
	case kind == game.HintSuggestion && record.Unmarshal(data, &s) == nil && s.Word != 0 &&
		len(s.Left) == g.boards && !slices.ContainsFunc(s.Possible, outside):
		return s, nil
	case kind == game.HintLetter && wrong == nil && record.Unmarshal(data, &letter) == nil && !outside(letter.Board-1):
		return letter, nil
	}
	return nil, game.ErrDamaged
}

func (*Game) ReadReview(data []byte) (game.Review, error) {
	return record.ReadReview[wordle.Word](data)
}
