// Package ordered is the seam between what is stored and where: an ordered map of keys to
// values. Everything that has meaning is written once above it, in package storage; a bbolt
// file, a PostgreSQL database and plain memory are the three engines below it.
//
// Keys are compared byte by byte. A change is planned as one batch of reads and one of writes:
// it is committed on condition that what was read has not changed since, so no engine needs to
// know what a change means, and none holds a lock between the two.
package ordered

import (
	"context"

	"fivefold/game"
)

// Map is an ordered map. It is safe for concurrent use, and every method obeys its context
// while it waits. Errors wrap [game.ErrNotSaved] where a change was certainly not stored.
type Map interface {
	// Get returns the pairs of keys in one round trip, in their order. The value of a missing key is nil. What it
	// and Read return belongs to the caller.
	Get(ctx context.Context, keys ...string) ([]Pair, error)

	// Read answers all queries in one round trip, in their order. In a file all answers are of one moment; in a
	// database a later answer may be newer.
	Read(ctx context.Context, queries ...Query) ([][]Pair, error)

	// Count returns how many keys each query matches, in one round trip; it ignores Skip and Limit.
	Count(ctx context.Context, queries ...Query) ([]int, error)

	// Commit stores a change, whole and durably, or not at all. It returns [game.ErrConflict]
	// if a condition does not hold, and [game.ErrExpired] if the request that ctx is for has expired before the
	// change was begun: see [game.Committing]. After a cancelled context the change may or may not have been stored.
	//
	// A conflict may be with this very change, where an engine lost its connection and tried
	// again. All that a caller reads after a conflict is durable.
	Commit(ctx context.Context, c Change) error

	// Later stores a value in the background: with the next commits, or within two seconds.
	// It may be lost. Errors are logged.
	Later(p Pair)

	// Close waits for commits in progress and releases everything.
	Close() error
}

// Pair is a key and its value. As a condition or in a change, the value nil means that the key
// is missing, or is to be removed; a value of no bytes is not nil.
type Pair struct {
	Key   string
	Value []byte
	// Damaged means, in an answer, that the engine can tell that this is not what was stored. The
	// value is then what there is; a condition may still name it.
	Damaged bool
}

// Change is what one commit does.
type Change struct {
	// If has the conditions, of which some may be the same: each key still has this value. A missing key that the change does
	// not set is looked for when the change is committed, but nothing keeps another change from
	// adding it at the same moment.
	If []Pair
	// Set has what to store. Each key occurs once.
	Set []Pair
}

// Removed returns the pairs that remove the keys of others.
func Removed(pairs []Pair) []Pair {
	return game.Each(pairs, func(p Pair) Pair { return Pair{Key: p.Key} })
}
