package record

import (
	"cmp"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// fromFormat1 sets the fields that format 1 stored differently: it had a field for the
// answer of each of its two kinds, and the day of a puzzle instead of its name.
func (r *resultRecord) fromFormat1(data []byte) error {
	var old struct {
		Day    int         `json:"day"`
		Hidden wordle.Word `json:"hidden"`
		Board  pokle.Board `json:"board"`
	}
	if err := unmarshal(data, &old); err != nil {
		return err
	}
	r.Kind, r.Puzzle = cmp.Or(r.Kind, game.Wordle), puzzleOfDay(old.Day)
	switch {
	case r.Kind == game.Wordle:
		r.Answer = old.Hidden.String()
	case r.Kind == game.Pokle && old.Board != (pokle.Board{}):
		r.Answer = old.Board.Canonical().Plain()
	}
	return nil
}
