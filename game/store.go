package game

import (
	"context"
	"time"

	"fivefold/game/wordle"
)

// Store is the only memory. It is safe for concurrent use, and every method
// obeys its context while it waits. Errors wrap [ErrDamaged] and [ErrNewer]
// where they apply.
type Store interface {
	// Load returns the latest match of a table, or ErrNoMatch.
	Load(ctx context.Context, t Table) (Match, error)

	// Repeated tells what a request at the table led to: the match as it is
	// now, and the version that the request gave it. The version is 0 when the
	// request has changed nothing so far.
	Repeated(ctx context.Context, t Table, request RequestID) (Match, uint64, error)

	// Drawn returns the latest hidden words of a pool, oldest first, as many as
	// the last commit that started a match there asked to keep.
	Drawn(ctx context.Context, pool string) ([]wordle.Word, error)

	// Commit stores a change, whole and durably, or not at all. It returns
	// ErrConflict, with nothing changed, when the change does not follow what is
	// stored: see [Change]. After a cancelled context the change may or may not
	// have been stored.
	Commit(ctx context.Context, c Change) error

	// Totals returns a player's totals; all zero for who never took part.
	Totals(ctx context.Context, s Scope, player PlayerID) (Totals, error)

	// Leaderboard returns the top rows of a game in a guild and the player's own
	// one. The scope's guild must not be empty.
	Leaderboard(ctx context.Context, s Scope, player PlayerID, top int) (Leaderboard, error)

	// Results returns up to limit results in the order in which they were
	// committed, from the first whose number is greater than after.
	Results(ctx context.Context, after uint64, limit int) ([]Result, error)

	// History returns the finished matches that a filter lets through, newest
	// first.
	History(ctx context.Context, f Filter) ([]Entry, error)

	// Finished returns a match of a history, or ErrNoGame.
	Finished(ctx context.Context, match MatchID) (Finished, error)

	// Review returns the review that was saved for a match, and whether one was.
	Review(ctx context.Context, match MatchID) (Review, bool, error)

	// SaveReview keeps the review of a match in the history. The first one stays:
	// saving another one, or one of a match in no history, changes nothing.
	SaveReview(ctx context.Context, match MatchID, r Review) error

	// Clear makes a player anonymous, whole and durably, or not at all. A request
	// that cleared a history before changes nothing.
	Clear(ctx context.Context, c Clearing) error

	// Close releases everything. Nothing may be called after it.
	Close() error
}

// Change is one commit.
type Change struct {
	// Match is the new state. At version 1 it starts a match, which conflicts
	// while another one is being played at its table, after any other one at the
	// table of a daily puzzle, or when its hidden word is among the last KeepDrawn
	// ones of its pool. A later version conflicts
	// unless the stored match has the version before.
	Match Match
	// Request must not have led to a change before; otherwise it conflicts.
	Request RequestID
	// At is when the change was made. A store may forget, a day later, that the
	// request was made: fronts deliver nothing again after so long.
	At time.Time
	// KeepDrawn is, at version 1 of the word game, how many hidden words the pool
	// remembers, this one included.
	KeepDrawn int
}

// Clearing asks to make a player anonymous in every finished match: the player's
// name is gone from it ([Match.Without]), and so are the player's totals and
// places in leaderboards. A match in which nobody else took part leaves the
// history with its review, and loses every name; its number is not given again. A
// match that is being played stays as it is.
type Clearing struct {
	Player  PlayerID
	Request RequestID
	At      time.Time // as in [Change]
}
