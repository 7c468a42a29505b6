package pokergame

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/storage/record"
)

// Codec is how games are stored.
var Codec = record.Typed[pokle.State, start, pokle.Board]{
	Kind: Kind, Byte: 'p',
	Start: func(s pokle.State) start {
		d := s.Deal()
		return start{d.Holes, d.Places, s.Hidden()}
	},
	New: func(r start) (pokle.State, error) {
		deal := pokle.Deal{Holes: r.Holes, Places: r.Places}
		if deal.Validate() != nil || deal.Allows(r.Hidden) != nil {
			return pokle.State{}, game.ErrDamaged
		}
		return pokle.NewState(deal, r.Hidden), nil
	},
	Turns: pokle.State.Guesses,
	Move:  pokle.State.Guess,
	Hint:  func(h game.HintContent) (any, error) { return record.AsType[boards.Suggestion](h) },
	ReadHint: func(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
		var r boards.Suggestion
		if err := record.Unmarshal(data, &r); err != nil || kind != game.HintSuggestion || r.Board == (pokle.Board{}) {
			return nil, game.ErrDamaged
		}
		return r, nil
	},
}.Codec()

// start is a game without its guesses.
type start struct {
	Holes [pokle.Players]pokle.Hole `json:"holes"`
	// Places could be worked out from the rest; they are what players were shown.
	Places [pokle.Streets]pokle.Places `json:"places"`
	Hidden pokle.Board                 `json:"hidden"`
}
