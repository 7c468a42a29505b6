package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
)

// Codec reads and writes what is stored of one kind of game. Its functions are pure.
// Errors never contain what is stored.
type Codec struct {
	Kind game.Kind
	// Byte identifies the kind in indexes. It must never change.
	Byte byte
	// Start returns the JSON form of a game without its guesses, and Guesses those of the
	// guesses, in their order.
	Start   func(game.State) (any, error)
	Guesses func(game.State) []any
	// ReadStart and ReadGuess are the inverse: ReadGuess returns the state after one more
	// guess.
	ReadStart func(json.RawMessage) (game.State, error)
	ReadGuess func(game.State, json.RawMessage) (game.State, error)
	// Hint returns the JSON form of what a hint shows, and ReadHint is its inverse.
	Hint     func(game.HintContent) (any, error)
	ReadHint func(game.HintKind, json.RawMessage) (game.HintContent, error)
	// Review returns the JSON form of a review, and ReadReview is its inverse.
	Review     func(game.Review) (any, error)
	ReadReview func(json.RawMessage) (game.Review, error)
}

// Codecs are those of every kind of game, each once.
type Codecs []Codec

// All returns the codecs of every kind of game.
func All() Codecs { return Codecs{wordleCodec, pokleCodec} }

// Of returns the codec of a kind, or an error that wraps [game.ErrDamaged]: only a damaged
// store has a kind that this release does not know.
func (all Codecs) Of(k game.Kind) (Codec, error) {
	i := slices.IndexFunc(all, func(c Codec) bool { return c.Kind == k })
	if i < 0 {
		return Codec{}, fmt.Errorf("kind %q: %w", k, game.ErrDamaged)
	}
	return all[i], nil
}

// asType returns a value as a kind's own type. A value of another type is a bug, since a
// match's kind determines its types.
func asType[T any](v any) (T, error) {
	own, ok := v.(T)
	if !ok {
		return own, fmt.Errorf("a %T, not a %T: %w", v, own, game.ErrKind)
	}
	return own, nil
}

// unmarshal reads JSON, and never quotes it in its error.
func unmarshal(data json.RawMessage, v any) error {
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
	err := unmarshal(data, &text)
	return []byte(text), err
}
