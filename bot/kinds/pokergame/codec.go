package pokergame

import (
	"encoding/json"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
	"fivefold/storage/record"
)

func (*Game) Byte() byte { return 'p' }

// form is a game as it is stored.
type form struct {
	Holes [pokle.Players]pokle.Hole `json:"holes"`
	// Places follow from the rest. They are stored because players have seen them.
	Places  [pokle.Streets]pokle.Places `json:"places"`
	Hidden  pokle.Board                 `json:"hidden"`
	Guesses []pokle.Board               `json:"guesses,omitempty"`
}

func (*Game) Form(s game.State) record.Form {
	if s == nil {
		return new(form)
	}
	own := s.(pokle.State)
	d := own.Deal()
	return &form{d.Holes, d.Places, own.Hidden(), bot.Each(own.Turns(), func(g pokle.Step) pokle.Board { return g.Guess })}
}

func (f *form) State() (game.State, error) {
	deal := pokle.Deal{Holes: f.Holes, Places: f.Places}
	if deal.Validate() != nil || deal.Allows(f.Hidden) != nil {
		return nil, game.ErrDamaged
	}
	return record.Replay(pokle.NewState(deal, f.Hidden), f.Guesses, pokle.State.Guess)
}

func (*Game) ReadHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	var s poker.Suggestion
	if err := record.Unmarshal(data, &s); err != nil || kind != game.HintSuggestion || s.Board == (pokle.Board{}) {
		return nil, game.ErrDamaged
	}
	return s, nil
}

func (*Game) ReadReview(data []byte) (game.Review, error) {
	return record.ReadReview[pokle.Board](data)
}
