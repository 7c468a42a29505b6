// Package ordered is an ordered map of keys to values: the seam between records and where they are. Package storage gives the
// keys meaning; a bbolt file and a PostgreSQL database are the two engines.
//
// Keys are compared byte by byte. A caller reads pairs, plans a change, and commits it on condition that the pairs are still
// the same. So engines don't know what a change means, and hold no lock between reading and writing.
package ordered

import (
	"context"

	"fivefold/game"
)

// Map is an ordered map. It is safe for concurrent use, and every method obeys its context while it waits. Errors wrap
// [game.ErrNotSaved] if a change was certainly not stored. It is implemented by Map in storage/bolt and storage/postgres.
type Map interface {
	// Get returns the pairs of keys in one round trip, in their order. The value of a missing key is nil. The results of Get
	// and Read belong to the caller.
	Get(ctx context.Context, keys ...string) ([]Pair, error)

	// Read answers all queries in one round trip, in their order. In a file all answers are of one moment; in a
	// database a later answer may be newer.
	Read(ctx context.Context, queries ...Query) ([][]Pair, error)

	// Count returns how many keys each query matches, in one round trip; it ignores Skip and Limit.
	Count(ctx context.Context, queries ...Query) ([]int, error)

	// Commit stores a change, whole and durably, or not at all. It returns [game.ErrConflict] if a condition does not hold, and
	// [game.ErrExpired] if the request of ctx has expired before the change began: see [game.Committing]. After a cancelled
	// context the change may or may not have been stored.
	//
	// An engine that lost its connection tries again, and the change may then conflict with itself. Everything that a caller
	// reads after a conflict is durable.
	Commit(ctx context.Context, c Change) error

	// Close waits for commits in progress and releases everything.
	Close() error
}

// Pair is a key and its value. The value nil means a missing key or, in a change, a key to remove. An empty value is not nil.
type Pair struct {
	Key   string
	Value []byte
	// Damaged means, in an answer, that the value is not the one that was stored. A condition may still name this value.
	Damaged bool
}

// Change is what one commit does.
type Change struct {
	// If has the conditions: each key still has this value. A condition may occur twice. If the change does not set a missing
	// key of a condition, another change may add the key at the same moment.
	If []Pair
	// Set has the pairs to store. Each key occurs once.
	Set []Pair
}

// Removed returns the pairs that remove the keys of others.
func Removed(pairs []Pair) []Pair {
	return game.Each(pairs, func(p Pair) Pair { return Pair{Key: p.Key} })
}
