package record

import (
	"fmt"

	"fivefold/game"
	"fivefold/solver/grade"
)

const reviewFormat = 1

// reviewRecord is the stored form of a review of a kind whose guesses are of type G.
type reviewRecord[G comparable] struct {
	Guesses []judgedRecord[G] `json:"guesses,omitempty"`
	Line    []turnRecord[G]   `json:"line,omitempty"`
}

// judgedRecord has the feedback as a text.
type judgedRecord[G comparable] struct {
	grade.Judged[G]
	Feedback string
}

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
	rec := reviewRecord[G]{Line: newTurns(own.Line)}
	for _, g := range own.Guesses {
		rec.Guesses = append(rec.Guesses, judgedRecord[G]{g, g.Feedback.String()})
	}
	return Encode(reviewFormat, rec)
}

func (t Typed[S, R, G]) decodeReview(data []byte) (game.Review, error) {
	rec, err := Decode[reviewRecord[G]](data, reviewFormat)
	if err != nil {
		return nil, err
	}
	var r grade.Review[G]
	for _, judged := range rec.Guesses {
		g := judged.Judged
		g.Turn, err = turnRecord[G]{g.Guess, judged.Feedback}.turn()
		// Cut has no bounds: it is below 0 where the hidden word has left the list of answers, and
		// more other words fit than answers did.
		if err != nil || g.Best == *new(G) || g.Before <= 0 || g.After <= 0 || g.Skill < 0 || g.Skill > grade.Max || g.Luck < 0 || g.Luck > grade.Max ||
			g.BestMissed < 0 || g.Missed < g.BestMissed || g.Missed > g.Before {
			return nil, game.ErrDamaged
		}
		r.Guesses = append(r.Guesses, g)
	}
	for _, line := range rec.Line {
		t, err := line.turn()
		if err != nil {
			return nil, game.ErrDamaged
		}
		r.Line = append(r.Line, t)
	}
	return r, nil
}
