package schema

import (
	"encoding/binary"
	"fmt"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Codecs encode and decode the records that depend on the kind of a game.
type Codecs struct{ record.Codecs }

// StoredMatch is a match with the requests that led to its versions 1, 2, ….
type StoredMatch struct {
	game.Match
	Requests []game.RequestID
}

// Slot is what a slot holds: a match that is being played, or the id of one that has ended. A match stays in its slot until it
// ends, so that a guess reads and writes one key. An empty slot is zero.
type Slot struct {
	StoredMatch              // the match that is being played; version 0 if there is none
	Ended       game.MatchID // the match that was played here last
}

// EndedIn returns the value of a slot whose match has ended.
func EndedIn(id game.MatchID) []byte { return []byte("=" + string(id)) }

// DecodeSlot reads a slot.
func (all Codecs) DecodeSlot(p ordered.Pair) (v Slot, err error) {
	switch b, err := Value(p); {
	case err != nil || b == nil:
		return v, err
	case len(b) > 1 && b[0] == '=':
		return Slot{Ended: game.MatchID(b[1:])}, nil
	default:
		v.Match, v.Requests, err = all.DecodeMatch(b)
		return v, err
	}
}

// EndedMatch is a match in the histories.
type EndedMatch struct {
	StoredMatch
	Position uint64 // where its result is in the log
}

// EncodeEnded returns the pairs of an ended match and of its result.
func (all Codecs) EncodeEnded(v EndedMatch, r game.Result) ([]ordered.Pair, error) {
	data, err := all.EncodeMatch(v.Match, v.Requests)
	if err != nil {
		return nil, err
	}
	result, err := record.Encode(r)
	if err != nil {
		return nil, err
	}
	return []ordered.Pair{
		{Key: MatchKey(v.ID), Value: append(Number(v.Position), data...)}, {Key: ResultKey(v.Position), Value: result},
	}, nil
}

// DecodeEnded reads an ended match. A missing match is damaged.
func (all Codecs) DecodeEnded(p ordered.Pair) (v EndedMatch, err error) {
	b, err := Value(p)
	id := game.MatchID(p.Key[len(TopicMatch):])
	switch {
	case err != nil:
		return v, err
	case len(b) < 8:
		return v, fmt.Errorf("match %s is missing or too short: %w", id, game.ErrDamaged)
	}
	v.Position = binary.BigEndian.Uint64(b)
	v.Match, v.Requests, err = all.DecodeMatch(b[8:])
	if err == nil && v.ID != id {
		err = fmt.Errorf("match %s says that it is %s: %w", id, v.ID, game.ErrDamaged)
	}
	if err != nil {
		return EndedMatch{}, err
	}
	return v, nil
}

// DecodeResult reads a result of the log. A missing result is damaged.
func DecodeResult(p ordered.Pair) (game.Result, error) {
	r, err := DecodeAs[game.Result](p)
	r.LogPosition = NumberIn(p.Key)
	if err == nil && r.Match == "" {
		err = damaged(p)
	}
	if err != nil {
		return game.Result{}, fmt.Errorf("position %d: %w", r.LogPosition, err)
	}
	return r, nil
}

// spread is the number of bits in a log position for results of one millisecond.
const spread = 22

// LogPosition returns the position in the log of a result, by the time of the request that ended its match. The counter orders
// results of one millisecond.
func LogPosition(at time.Time, counter uint64) uint64 {
	return uint64(max(0, at.UnixMilli()))<<spread | counter&(1<<spread-1)
}

// TimeOf returns the time of a position in the log.
func TimeOf(position uint64) time.Time {
	return time.UnixMilli(int64(position >> spread)).UTC()
}
