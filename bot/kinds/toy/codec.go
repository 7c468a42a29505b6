package toy

import (
	"encoding/json"

	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/storage/record"
)

// Codecs returns the codecs of every kind of game, and that of the toy.
func Codecs() record.Codecs { return append(kinds.Codecs(), Codec) }

// Codec is how games are stored.
var Codec = record.Typed[State, string]{
	Kind: Kind, Byte: 't',
	Start: func(s State) any { return letterRecord{s.Answer()} },
	ReadStart: func(data json.RawMessage) (State, error) {
		hidden, err := readLetter(data)
		return New(hidden), err
	},
	Turns: State.turns,
	Move:  move,
	Hint: func(h game.HintContent) (any, error) {
		own, err := record.AsType[Hint](h)
		return letterRecord{string(rune(own.Letter))}, err
	},
	ReadHint: func(_ game.HintKind, data json.RawMessage) (game.HintContent, error) {
		letter, err := readLetter(data)
		return Hint{letter}, err
	},
}.Codec()

// letterRecord is a hidden letter or a hint.
type letterRecord struct {
	Letter string `json:"letter"`
}

func readLetter(data json.RawMessage) (byte, error) {
	var r letterRecord
	if json.Unmarshal(data, &r) != nil || len(r.Letter) != 1 || r.Letter[0] < 'a' || r.Letter[0] > 'z' {
		return 0, game.ErrDamaged
	}
	return r.Letter[0], nil
}
