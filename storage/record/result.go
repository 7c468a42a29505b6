package record

import (
	"fmt"

	"fivefold/game"
)

// EncodeResult returns the stored form of a result, without its number.
func EncodeResult(r game.Result) ([]byte, error) { return Encode(r) }

// DecodeResult reads what [EncodeResult] writes, like [Codecs.DecodeMatch].
func (all Codecs) DecodeResult(data []byte) (game.Result, error) {
	r, err := Decode[game.Result](data)
	if err != nil {
		return game.Result{}, fmt.Errorf("result: %w", err)
	}
	_, err = all.Of(r.Kind)
	known := r.Status == game.Won && r.Attempts > 0 || r.Status == game.Lost || r.Status == game.Stopped
	if err != nil || !known || r.Answer == "" && r.Status != game.Stopped || r.Match == "" || r.Attempts < 0 || r.Attempts > game.MaxAttempts {
		return game.Result{}, fmt.Errorf("result of match %s: %w", r.Match, game.ErrDamaged)
	}
	for _, p := range r.Participants {
		if p.Outcome == game.Won && r.Attempts == 0 || p.Outcome != game.Won && p.Outcome != game.Lost && p.Outcome != "" {
			return game.Result{}, fmt.Errorf("result of match %s: outcome: %w", r.Match, game.ErrDamaged)
		}
	}
	return r, nil
}
