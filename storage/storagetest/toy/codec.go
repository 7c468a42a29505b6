package toy

import (
	"encoding/json"

	"fivefold/game"
	"fivefold/storage/record"
)

// Codecs returns the codecs of every kind of game, and that of the toy.
func Codecs() record.Codecs { return append(record.All(), Codec()) }

// Codec returns the codec of the game.
func Codec() record.Codec {
	return record.Codec{
		Kind: Kind, Byte: 't',
		Start: func(s game.State) (any, error) {
			own, ok := s.(State)
			if !ok {
				return nil, game.ErrKind
			}
			return letterRecord{own.Answer()}, nil
		},
		Guesses: func(s game.State) []any {
			var guesses []any
			for _, letter := range s.(State).guesses {
				guesses = append(guesses, letterRecord{string(letter)})
			}
			return guesses
		},
		ReadStart: func(data json.RawMessage) (game.State, error) {
			hidden, err := readLetter(data)
			if err != nil {
				return nil, err
			}
			return New(hidden), nil
		},
		ReadGuess: func(s game.State, data json.RawMessage) (game.State, error) {
			letter, err := readLetter(data)
			if err != nil {
				return nil, err
			}
			return s.(State).Guess(letter)
		},
		Hint: func(h game.HintContent) (any, error) {
			own, ok := h.(Hint)
			if !ok {
				return nil, game.ErrKind
			}
			return letterRecord{string(rune(own.Letter))}, nil
		},
		ReadHint: func(_ game.HintKind, data json.RawMessage) (game.HintContent, error) {
			letter, err := readLetter(data)
			if err != nil {
				return nil, err
			}
			return Hint{letter}, nil
		},
		Review: func(r game.Review) (any, error) {
			own, ok := r.(Review)
			if !ok {
				return nil, game.ErrKind
			}
			return own, nil
		},
		ReadReview: func(data json.RawMessage) (game.Review, error) {
			var r Review
			if json.Unmarshal(data, &r) != nil {
				return nil, game.ErrDamaged
			}
			return r, nil
		},
	}
}

// letterRecord is a hidden letter, a guess or a hint.
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
