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
var Codec = record.Typed[State, letterRecord, string]{
	Kind: Kind, Byte: 't',
	Start: func(s State) letterRecord { return letterRecord{s.Answer()} },
	New: func(r letterRecord) (State, error) {
		hidden, err := r.letter()
		return New(hidden), err
	},
	Turns: State.turns,
	Move:  move,
	Hint: func(h game.HintContent) (any, error) {
		own, err := record.AsType[Hint](h)
		return letterRecord{string(rune(own.Letter))}, err
	},
	ReadHint: func(_ game.HintKind, data json.RawMessage) (game.HintContent, error) {
		var r letterRecord
		_ = json.Unmarshal(data, &r) // or else it has no letter
		letter, err := r.letter()
		return Hint{letter}, err
	},
}.Codec()

// letterRecord is a hidden letter or a hint.
type letterRecord struct {
	Letter string `json:"letter"`
}

func (r letterRecord) letter() (byte, error) {
	if len(r.Letter) != 1 || r.Letter[0] < 'a' || r.Letter[0] > 'z' {
		return 0, game.ErrDamaged
	}
	return r.Letter[0], nil
}
