package matches

import (
	"context"
	"time"

	"fivefold/game"
)

// Store keeps the matches that are being played, and races; the Store of package storage implements it. It is safe for concurrent
// use, and every method obeys its context while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they apply.
type Store interface {
	RaceStore

	// Load returns the latest match of a slot. The error is ErrNoMatch, ErrDeleted or ErrUnreadable.
	Load(ctx context.Context, s game.Slot) (game.Match, error)

	// LoadSlots returns what Load returns for each slot, all read at once. If playing is set and any match is being played, ended
	// matches are left out: their Err is ErrEnded. The error returned beside them concerns all slots.
	LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]Loaded, error)

	// Playing returns the matches that are being played in slots, all read at once. [game.PuzzleSlot] with a mode in place of a
	// puzzle stands for the player's slots of that mode in all communities. Matches that cannot be read are left out.
	Playing(ctx context.Context, slots ...game.Slot) ([]game.Match, error)

	// Repeated returns the match that a request in the slot has changed, as the match is now, and the version that the request
	// gave it. The version is 0 if the request has changed nothing so far.
	Repeated(ctx context.Context, s game.Slot, request game.RequestID) (game.Match, uint64, error)

	// Unfinished returns up to limit matches that are being played, in the order in which they began, following the match after.
	// The zero Unfinished comes before all. Matches that cannot be read are left out.
	Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error)

	// LoadToStart reads at once what a new match in a slot depends on. Latest is the match of Load; in a slot without a puzzle,
	// the error for an ended match is ErrNoMatch. Answers are the latest ones of a list, oldest first: see [RecentList].
	LoadToStart(ctx context.Context, s game.Slot, list string) (latest game.Match, answers []string, err error)

	// Finished returns a finished match. The error is [game.ErrNotInHistory] or [game.ErrForgotten].
	Finished(ctx context.Context, match game.MatchID) (game.Finished, error)

	// Puzzle returns a puzzle that matches share, as a game without a guess, and reports whether any match of it was started.
	Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error)

	// Secret returns 32 random bytes: the same at every call, as long as they can be read.
	Secret(ctx context.Context) ([]byte, error)

	// Commit stores a change, whole and durably, or not at all. The error is ErrConflict for a change that does not follow the
	// stored match: see [Change]. It is ErrNotSaved when the disk takes no changes, and ErrExpired if the request of ctx had
	// expired before: see [game.Origin.ForCommit]. After a cancelled context the change may have been stored.
	Commit(ctx context.Context, c Change) error
}

// Loaded is the latest match of a slot. Err is one of [Store.Load], or [game.ErrEnded] as in [Store.LoadSlots].
type Loaded struct {
	Match    game.Match
	Requests []game.RequestID // that led to its versions 1, 2, …; none once it has ended
	Err      error
}

// Change is one commit.
type Change struct {
	// Match is the new state. A later version than 1 follows the version before. Version 1 starts a match, and sets aside one
	// that cannot be read. It conflicts with a match that is being played in its slot. If the slot is for one puzzle, it
	// conflicts with any match or mark there. It also conflicts with an earlier match of its puzzle that has another answer.
	Match game.Match
	// Request must not have led to a change before; otherwise the change conflicts.
	Request game.RequestID
	// At is when the request was made. The log of results is ordered by it. A day later, a store may forget the request: fronts
	// deliver nothing again after so long.
	At time.Time
	// Recent is, at version 1, the list that remembers the answer.
	Recent RecentList
}

// RecentList names a list of answers that should not come again soon. The store adds the match's answer to Latest, which
// [Store.LoadToStart] returned, and stores the last Keep of them soon after the match. An answer may be missing if matches start
// at the same moment or just before a crash. The list stays as it is if Keep is 0 or the match's puzzle was started before.
type RecentList struct {
	Name   string
	Keep   int
	Latest []string
}

// RaceStore keeps races. It is safe for concurrent use.
type RaceStore interface {
	// Race returns a race of a channel, or [game.ErrRaceOver] if it is not kept.
	Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error)
	// Races returns the races of a channel that are kept, in the order of their ids.
	Races(ctx context.Context, k game.Kind, c game.ChannelID) ([]game.Race, error)
	// Due returns races whose [game.Race.Due], and matches whose [game.Order.Due], is not after a time: the earliest first, limit at
	// most in all.
	Due(ctx context.Context, by time.Time, limit int) ([]game.Race, []game.Match, error)
	// CommitRace stores a race durably. It returns [game.ErrConflict] unless the version before is the stored one. For version 1,
	// none may be stored, and no other race may run in the channel, apart from challenges.
	CommitRace(ctx context.Context, r game.Race) error
	// RemoveRace removes a race that is over, with its puzzle and its board message.
	RemoveRace(ctx context.Context, r game.Race) error
}
