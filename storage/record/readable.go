package record

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"fivefold/game"
)

// ErrUnreadable: a record that was about to be stored cannot be read back as what it was
// made from.
var ErrUnreadable = errors.New("it would not be read back as it is")

// EncodeReadable is [Codecs.EncodeMatch], but also reads the record back, and that of the
// result if the match has ended: a match that is stored unreadable is lost. If the match is
// not the same, or the result cannot be read, the error wraps [ErrUnreadable]. That takes
// some 30 µs of a commit.
func (all Codecs) EncodeReadable(m game.Match) ([]byte, error) {
	data, err := all.EncodeMatch(m)
	if err != nil {
		return nil, err
	}
	read, err := all.DecodeMatch(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if read.ID != m.ID || read.Version != m.Version || read.Slot() != m.Slot() || read.Location != m.Location ||
		!reflect.DeepEqual(read.State, m.State) || !slices.Equal(read.Named(), m.Named()) || len(read.Moves) != len(m.Moves) ||
		len(read.Hints) != len(m.Hints) || read.HintLimit != m.HintLimit || !slices.Equal(read.Cuts, m.Cuts) || !read.Started.Equal(m.Started) || !read.Ended().Equal(m.Ended()) {
		return nil, ErrUnreadable
	}
	if m.Status() == game.Playing {
		return data, nil
	}
	result, err := EncodeResult(m.Result())
	if err != nil {
		return nil, err
	}
	if _, err := all.DecodeResult(result); err != nil {
		return nil, fmt.Errorf("%w: its result: %w", ErrUnreadable, err)
	}
	return data, nil
}
