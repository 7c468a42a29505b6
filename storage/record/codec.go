package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
)

// Codec reads and writes what is stored of one kind of game: see [Typed].
type Codec struct {
	Kind game.Kind
	Byte byte
	forms
}

// forms are the methods of a [Typed].
type forms interface {
	encodeMatch(m game.Match, requests []game.RequestID) ([]byte, error)
	decodeMatch(data []byte) (game.Match, []game.RequestID, error)
	encodePuzzle(s game.State) ([]byte, error)
	decodePuzzle(data []byte) (game.State, error)
	encodeReview(r game.Review) ([]byte, error)
	decodeReview(data []byte) (game.Review, error)
}

// Typed is a codec in the types of its kind: S are its states, R what is stored of one without its guesses, and G its
// guesses; R and G are stored as JSON has them. Its functions are pure, and all must be set. Errors never contain what is stored.
type Typed[S game.State, R any, G comparable] struct {
	Kind game.Kind
	// Byte identifies the kind in indexes. It must never change.
	Byte byte
	// Start returns what is stored of a game without its guesses, and New is its inverse.
	Start func(S) R
	New   func(R) (S, error)
	// Turns are the guesses of a game, in their order, and Move makes one.
	Turns func(S) []marks.Turn[G]
	Move  func(S, G) (S, error)
	// Hint returns the JSON form of what a hint shows, and ReadHint is its inverse.
	Hint     func(game.HintContent) (any, error)
	ReadHint func(game.HintKind, json.RawMessage) (game.HintContent, error)
}

// Codec returns the codec for values of any kind. Those of another kind are refused.
func (t Typed[S, R, G]) Codec() Codec { return Codec{t.Kind, t.Byte, t} }

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
