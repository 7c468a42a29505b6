package schema

import (
	"bytes"
	"fmt"
	"time"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// SecretBytes is the length of the secret of daily puzzles.
const SecretBytes = 32

// Value returns the value of a pair, or an error if it is damaged.
func Value(p ordered.Pair) ([]byte, error) {
	if p.Damaged {
		return nil, damaged(p)
	}
	return p.Value, nil
}

func damaged(p ordered.Pair) error { return fmt.Errorf("%s: %w", TopicOf(p.Key), game.ErrDamaged) }

// Differs reports whether a record is missing, damaged or other than wanted.
func Differs(there, want ordered.Pair) bool {
	return there.Damaged || there.Value == nil || !bytes.Equal(there.Value, want.Value)
}

// SetAside returns a copy of an unreadable record under [TopicAside], for when another record takes its key.
func SetAside(p ordered.Pair) ordered.Pair {
	return ordered.Pair{Key: TopicAside + p.Key, Value: p.Value}
}

// DecodeAs reads a record that [record.Encode] wrote; a missing record is zero.
func DecodeAs[T any](p ordered.Pair) (v T, err error) {
	b, err := Value(p)
	if err == nil && b != nil {
		if v, err = record.Decode[T](b); err != nil {
			err = fmt.Errorf("%s: %w", TopicOf(p.Key), err)
		}
	}
	return v, err
}

// DecodeSession reads a player's session of /solve; a missing session is empty.
func DecodeSession(p ordered.Pair, player game.PlayerID) (solve.Session, error) {
	v, err := DecodeAs[solve.Session](p)
	v.Player = player
	return v, err
}

// Receipt is the version of a match that a request made. A request to delete a player's data has no match and version 0.
type Receipt struct {
	Version uint64       `json:",omitzero"`
	At      time.Time    // time of the request, by Discord's clock if the id has the time
	Match   game.MatchID `json:",omitzero"`
}

// Running is the race that runs in a channel.
type Running struct {
	Race game.MatchID
	Ends time.Time
}

// Work says who does a regular task, and until when. Each process uses its own clock, which suffices: the lease only saves
// others useless work.
type Work struct {
	Due        time.Time
	Owner      string
	Lease      time.Time // the owner has the work until then
	Generation uint64
}

// DecodeRace reads a race; a missing race is zero.
func DecodeRace(p ordered.Pair) (game.Race, error) {
	r, err := DecodeAs[game.Race](p)
	if err == nil && p.Value != nil && (RaceKey(r) != p.Key || r.Version == 0) {
		return game.Race{}, damaged(p)
	}
	return r, err
}
