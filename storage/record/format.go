// Package record is the stored form of what a store keeps: JSON objects with a format
// number, the same in every store. Fields may be added to a format; a change of meaning
// needs a new number, and the old one must stay readable for ever: testdata has samples.
package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

// versioned is the stored form of a value.
type versioned[T any] struct {
	Format int
	Value  T
}

// Encode returns the stored form of a value in a format.
func Encode[T any](format int, v T) ([]byte, error) { return json.Marshal(versioned[T]{format, v}) }

// Decode reads what [Encode] writes, of a format from 1 to the newest. The error wraps [game.ErrNewer] or
// [game.ErrDamaged] and never contains the record.
func Decode[T any](data []byte, newest int) (T, error) {
	var r versioned[T]
	if err := decode(data, newest, &r, &r.Format); err != nil {
		return versioned[T]{}.Value, err
	}
	return r.Value, nil
}

// decode reads a record. format points to its format number, which must be between 1 and
// newest.
func decode(data []byte, newest int, record any, format *int) error {
	err := json.Unmarshal(data, record)
	if err != nil {
		// A newer format may not fit today's fields, but has its number in the same field.
		var only struct {
			Format int `json:"format"`
		}
		if json.Unmarshal(data, &only) != nil || only.Format <= newest {
			return game.ErrDamaged // not json's error, which could quote the hidden word
		}
		*format = only.Format
	}
	switch {
	case *format > newest:
		return fmt.Errorf("format %d: %w", *format, game.ErrNewer)
	case *format < 1:
		return fmt.Errorf("format %d: %w", *format, game.ErrDamaged)
	}
	return nil
}
