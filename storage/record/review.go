package record

import (
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// EncodeReview returns the stored form of a review.
func EncodeReview(r game.Review) ([]byte, error) { return Encode(r) }

// DecodeReview reads what [EncodeReview] writes of a match of a kind, like [Codecs.DecodeMatch].
func (all Codecs) DecodeReview(k game.Kind, data []byte) (game.Review, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	r, err := codec.ReadReview(data)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	return r, nil
}

// ReadReview is [Codec.ReadReview] for a kind whose guesses are a G.
func ReadReview[G comparable](data []byte) (game.Review, error) {
	r, err := Decode[grade.Review[G]](data)
	if err != nil {
		return nil, err
	}
	for _, g := range r.Guesses {
		// Cut has no bounds: it is below 0 where the hidden word has left the list of answers, and
		// more other words fit than answers did.
		if g.Guess == *new(G) || g.Best == *new(G) || g.Before <= 0 || g.After <= 0 || g.Skill < 0 || g.Skill > grade.Max || g.Luck < 0 || g.Luck > grade.Max ||
			g.BestMissed < 0 || g.Missed < g.BestMissed || g.Missed > g.Before {
			return nil, game.ErrDamaged
		}
	}
	if slices.ContainsFunc(r.Line, func(t marks.Turn[G]) bool { return t.Guess == *new(G) }) {
		return nil, game.ErrDamaged
	}
	return r, nil
}
