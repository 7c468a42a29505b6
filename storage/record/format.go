// Package record encodes records as JSON with a format number, the same in every engine.
package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

// format is the format of all records. New fields keep the number; a change of meaning needs a new one. Format 1 must stay
// readable for ever: testdata has samples.
const format = 1

// versioned is the stored form of a value.
type versioned[T any] struct {
	Format int
	Value  T
}

// Encode returns the stored form of a value.
func Encode[T any](v T) ([]byte, error) { return json.Marshal(versioned[T]{format, v}) }

// Decode reads what [Encode] writes. The error wraps [game.ErrNewer] or [game.ErrDamaged] and never contains the record.
func Decode[T any](data []byte) (T, error) {
	var r versioned[T]
	if err := decode(data, &r, &r.Format); err != nil {
		return versioned[T]{}.Value, err
	}
	return r.Value, nil
}

// decode reads JSON into a record, and checks the record's format number, to which is points.
func decode(data []byte, record any, is *int) error {
	if json.Unmarshal(data, record) != nil {
		// A newer format may not fit today's fields, but has its number in the same field.
		var only struct{ Format int }
		if json.Unmarshal(data, &only) != nil || only.Format <= format {
			return game.ErrDamaged // not json's error, which could quote the hidden word
		}
		*is = only.Format
	}
	switch {
	case *is > format:
		return fmt.Errorf("format %d: %w", *is, game.ErrNewer)
	case *is < 1:
		return fmt.Errorf("format %d: %w", *is, game.ErrDamaged)
	}
	return nil
}
