package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/solver/grade"
)

// Codec converts games of one kind to their stored form and back. Its methods are pure; states must be of the kind, and errors
// never contain stored data. The types Game of bot/kinds/wordgame and bot/kinds/pokergame implement it.
type Codec interface {
	Kind() game.Kind
	// Byte identifies the kind in indexes. It must never change.
	Byte() byte
	// Form returns the form of a game; for nil, an empty form to read into.
	Form(game.State) Form
	// ReadHint reads the JSON of what a hint shows.
	ReadHint(game.HintKind, json.RawMessage) (game.HintContent, error)
	// ReadReview reads a review that [Encode] wrote.
	ReadReview(data []byte) (game.Review, error)
}

// Form is a pointer to the value that JSON reads and writes for a game.
type Form interface {
	// State returns the game, or an error if there is no such game.
	State() (game.State, error)
}

// Replay makes stored guesses in a game. A refused or zero guess is game.ErrDamaged.
func Replay[S game.State, G comparable](s S, guesses []G, guess func(S, G) (S, error)) (game.State, error) {
	for _, g := range guesses {
		var err error
		if s, err = guess(s, g); err != nil || g == *new(G) {
			return nil, game.ErrDamaged
		}
	}
	return s, nil
}

// ReadReview is [Codec.ReadReview] for a kind whose guesses have type G.
func ReadReview[G any](data []byte) (game.Review, error) {
	r, err := Decode[grade.Review[G]](data)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Codecs has one codec for each kind of game.
type Codecs []Codec

// Of returns the codec of a kind. An unknown kind, which only a damaged store has, gives an error that wraps [game.ErrDamaged].
func (all Codecs) Of(k game.Kind) (Codec, error) {
	i := slices.IndexFunc(all, func(c Codec) bool { return c.Kind() == k })
	if i < 0 {
		return nil, fmt.Errorf("kind %q: %w", k, game.ErrDamaged)
	}
	return all[i], nil
}

// Unmarshal reads JSON. Its error is game.ErrDamaged, and so never quotes the JSON.
func Unmarshal(data json.RawMessage, v any) error {
	if json.Unmarshal(data, v) != nil {
		return game.ErrDamaged
	}
	return nil
}
