// Package record is the stored form of what a store keeps: JSON with a format number, the same in every store.
package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

// format is the format of all records. Fields may be added to it; a change of meaning needs a new number, and this one must
// stay readable for ever: testdata has samples.
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

// decode reads a record, in which is points to the format number.
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
