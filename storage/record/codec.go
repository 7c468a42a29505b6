package record

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Codec reads and writes what is stored of one kind of game: see [Typed].
type Codec struct {
	Kind game.Kind
	Byte byte

	start      func(game.State) (any, error)
	guesses    func(game.State) []any
	readStart  func(json.RawMessage) (game.State, error)
	readGuess  func(game.State, json.RawMessage) (game.State, error)
	hint       func(game.HintContent) (any, error)
	readHint   func(game.HintKind, json.RawMessage) (game.HintContent, error)
	review     func(game.Review) (any, error)
	readReview func(json.RawMessage) (game.Review, error)
}

// Typed is a codec in the types of its kind: S are its states, and G its guesses, which are stored
// as JSON has them. Its functions are pure, and all must be set. Errors never contain what is stored.
type Typed[S game.State, G comparable] struct {
	Kind game.Kind
	// Byte identifies the kind in indexes. It must never change.
	Byte byte
	// Start returns the JSON form of a game without its guesses, and ReadStart is its inverse.
	Start     func(S) any
	ReadStart func(json.RawMessage) (S, error)
	// Turns are the guesses of a game, in their order, and Move makes one.
	Turns func(S) []marks.Turn[G]
	Move  func(S, G) (S, error)
	// Hint returns the JSON form of what a hint shows, and ReadHint is its inverse.
	Hint     func(game.HintContent) (any, error)
	ReadHint func(game.HintKind, json.RawMessage) (game.HintContent, error)
}

// Codec returns the codec for values of any kind. Those of another kind are refused.
func (t Typed[S, G]) Codec() Codec {
	return Codec{
		Kind: t.Kind, Byte: t.Byte,
		start: func(s game.State) (any, error) {
			own, err := AsType[S](s)
			if err != nil {
				return nil, err
			}
			return t.Start(own), nil
		},
		guesses: func(s game.State) (guesses []any) {
			for _, turn := range t.Turns(s.(S)) {
				guesses = append(guesses, turn.Guess)
			}
			return guesses
		},
		readStart: func(data json.RawMessage) (game.State, error) { return orNil[game.State](t.ReadStart(data)) },
		readGuess: func(s game.State, data json.RawMessage) (game.State, error) {
			guess, err := guessOf[G](data)
			if err != nil {
				return nil, err
			}
			return orNil[game.State](t.Move(s.(S), guess))
		},
		hint: t.Hint, readHint: t.ReadHint,
		review: func(r game.Review) (any, error) {
			own, err := AsType[grade.Review[G]](r)
			return newReview(own), err
		},
		readReview: func(data json.RawMessage) (game.Review, error) { return orNil[game.Review](readReview[G](data)) },
	}
}

// guessOf reads a guess.
func guessOf[G comparable](data json.RawMessage) (g G, err error) {
	if own, ok := any(&g).(encoding.TextUnmarshaler); ok {
		var text []byte
		if text, err = textOf(data); err == nil {
			err = own.UnmarshalText(text)
		}
	} else {
		err = Unmarshal(data, &g)
	}
	if err != nil || g == *new(G) {
		return g, game.ErrDamaged
	}
	return g, nil
}

// orNil returns a value, or nil with an error.
func orNil[I any](own any, err error) (I, error) {
	if err != nil {
		var none I
		return none, err
	}
	return own.(I), nil
}

// Codecs are those of every kind of game, each once.
type Codecs []Codec

// Of returns the codec of a kind, or an error that wraps [game.ErrDamaged]: only a damaged
// store has a kind that this release does not know.
func (all Codecs) Of(k game.Kind) (Codec, error) {
	i := slices.IndexFunc(all, func(c Codec) bool { return c.Kind == k })
	if i < 0 {
		return Codec{}, fmt.Errorf("kind %q: %w", k, game.ErrDamaged)
	}
	return all[i], nil
}

// AsType returns a value as a kind's own type. A value of another type is a bug, since a
// match's kind determines its types.
func AsType[T any](v any) (T, error) {
	own, ok := v.(T)
	if !ok {
		return own, fmt.Errorf("a %T, not a %T: %w", v, own, game.ErrKind)
	}
	return own, nil
}

// Unmarshal reads JSON, and never quotes it in its error.
func Unmarshal(data json.RawMessage, v any) error {
	if json.Unmarshal(data, v) != nil {
		return game.ErrDamaged
	}
	return nil
}

// textOf returns the text of a JSON string; it may share memory with data. A string without
// escapes needs no second pass of package json.
func textOf(data json.RawMessage) ([]byte, error) {
	if len(data) >= 2 && data[0] == '"' && bytes.IndexByte(data, '\\') < 0 {
		return data[1 : len(data)-1], nil
	}
	var text string
	err := Unmarshal(data, &text)
	return []byte(text), err
}
