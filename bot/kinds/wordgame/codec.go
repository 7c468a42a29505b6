package wordgame

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/storage/record"
)

// Codec is how games are stored.
var Codec = record.Typed[wordle.State, start, wordle.Word]{
	Kind: Kind, Byte: 'w',
	Start: func(s wordle.State) start { return start{s.Hidden(), s.Hard()} },
	New: func(r start) (wordle.State, error) {
		if r.Hidden == 0 {
			return wordle.State{}, game.ErrDamaged
		}
		return wordle.NewState(r.Hidden, r.Hard), nil
	},
	Turns: wordle.State.Turns,
	Move:  wordle.State.Guess,
	Hint: func(h game.HintContent) (any, error) {
		switch h := h.(type) {
		case LetterHint:
			return letterRecord{Letter: string(h.Letter), Times: h.Times}, nil
		case PositionHint:
			return letterRecord{Letter: string(h.Letter), Position: h.Position}, nil
		}
		return record.AsType[solver.Suggestion](h)
	},
	ReadHint: readHint,
}.Codec()

// start is a game without its guesses.
type start struct {
	Hidden wordle.Word `json:"hidden"`
	Hard   bool        `json:"hard,omitempty"`
}

// letterRecord is a hint of a letter, or of one at a position.
type letterRecord struct {
	Letter   string `json:"letter"`
	Times    int    `json:"times,omitempty"`
	Position int    `json:"position,omitempty"`
}

func readHint(kind game.HintKind, data json.RawMessage) (game.HintContent, error) {
	if kind == game.HintSuggestion {
		var r solver.Suggestion
		if err := record.Unmarshal(data, &r); err != nil || r.Word == 0 {
			return nil, game.ErrDamaged
		}
		return r, nil
	}
	var r letterRecord
	if err := record.Unmarshal(data, &r); err != nil || len(r.Letter) != 1 || r.Letter[0] < 'A' || r.Letter[0] > 'Z' {
		return nil, game.ErrDamaged
	}
	switch {
	case kind == game.HintLetter && r.Times > 0:
		return LetterHint{Letter: r.Letter[0], Times: r.Times}, nil
	case kind == game.HintPosition && 0 < r.Position && r.Position <= wordle.Length:
		return PositionHint{Letter: r.Letter[0], Position: r.Position}, nil
	}
	return nil, game.ErrDamaged
}
