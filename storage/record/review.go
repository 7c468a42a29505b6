package record

import (
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

const reviewFormat = 1

// EncodeReview returns the stored form of a review of a match of a kind.
func (all Codecs) EncodeReview(k game.Kind, r game.Review) ([]byte, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	return codec.encodeReview(r)
}

// DecodeReview reads what [Codecs.EncodeReview] writes, like
// [Codecs.DecodeMatch].
func (all Codecs) DecodeReview(k game.Kind, data []byte) (game.Review, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	r, err := codec.decodeReview(data)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	return r, nil
}

func (t Typed[S, R, G]) encodeReview(r game.Review) ([]byte, error) {
	own, err := AsType[grade.Review[G]](r)
	if err != nil {
		return nil, err
	}
	return Encode(reviewFormat, own)
}

func (t Typed[S, R, G]) decodeReview(data []byte) (game.Review, error) {
	r, err := Decode[grade.Review[G]](data, reviewFormat)
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
