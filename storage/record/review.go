package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

const reviewFormat = 1

// Judged is what a review says about a guess, whatever the kind of game.
type Judged struct {
	Before       int     `json:"before"`
	After        int     `json:"after"`
	Expected     float64 `json:"expected"`
	BestExpected float64 `json:"best_expected"`
	Skill        float64 `json:"skill"`
	Luck         float64 `json:"luck"`
	Cut          float64 `json:"cut"`
	Proven       bool    `json:"proven,omitempty"`
}

// Valid reports whether the figures are within their bounds. Cut has none: it is below 0 where
// the hidden word has left the list of answers, and more other words fit than answers did.
func (g Judged) Valid() bool {
	return g.Before > 0 && g.After > 0 && 0 <= g.Skill && g.Skill <= 99 && 0 <= g.Luck && g.Luck <= 99
}

// EncodeReview returns the stored form of a review of a match of a kind: the JSON of
// its codec with a format number.
func (all Codecs) EncodeReview(k game.Kind, r game.Review) ([]byte, error) {
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	fields, err := codec.review(r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(reviewFields{Format: reviewFormat, Review: fields})
}

// reviewFields writes a format number and the fields of a review as one object.
type reviewFields struct {
	Format int
	Review any
}

// MarshalJSON implements [json.Marshaler].
func (f reviewFields) MarshalJSON() ([]byte, error) {
	review, err := json.Marshal(f.Review)
	if err != nil {
		return nil, err
	}
	begin := fmt.Sprintf(`{"format":%d`, f.Format)
	if string(review) == "{}" {
		return []byte(begin + "}"), nil
	}
	return []byte(begin + "," + string(review[1:])), nil
}

// DecodeReview reads what [Codecs.EncodeReview] writes, like
// [Codecs.DecodeMatch].
func (all Codecs) DecodeReview(k game.Kind, data []byte) (game.Review, error) {
	var only struct {
		Format int `json:"format"`
	}
	if err := decode(data, reviewFormat, &only, &only.Format); err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	codec, err := all.Of(k)
	if err != nil {
		return nil, err
	}
	r, err := codec.readReview(data)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	return r, nil
}
