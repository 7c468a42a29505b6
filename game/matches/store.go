package matches

import (
	"context"
	"time"

	"fivefold/game"
)

// Store keeps the matches that are being played, and races: the Store of package storage does. It is safe for concurrent use, and
// every method obeys its context while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they apply.
type Store interface {
	RaceStore

	// Load returns the latest match of a slot, ErrNoMatch, ErrCleared, or ErrUnreadable.
	Load(ctx context.Context, s game.Slot) (game.Match, error)

	// LoadSlots returns what Load returns for each slot, all read at once. If playing is set and any match is being played, those
	// that have ended are left out, with ErrEnded. The error is one that concerns all slots.
	LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]Loaded, error)

	// Playing returns the matches that are being played in slots, all read at once. [game.PuzzleSlot] with a mode in place of a
	// puzzle stands for the player's slots of that mode in all communities. What cannot be read is left out.
	Playing(ctx context.Context, slots ...game.Slot) ([]game.Match, error)

	// Repeated returns what a request in the slot led to: the match as it is now, and the version that the request gave it, 0 if
	// it has changed nothing so far.
	Repeated(ctx context.Context, s game.Slot, request game.RequestID) (game.Match, uint64, error)

	// Unfinished returns the matches that are being played, limit at most, in the order in which they began, from the one after
	// another; the zero value comes before all. What cannot be read is left out.
	Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error)

	// LoadToStart reads at once what a new match in a slot depends on: the latest match, as Load returns it, but ErrNoMatch for
	// one that has ended in a slot without a puzzle; and the latest answers of a list, oldest first: see [RecentList].
	LoadToStart(ctx context.Context, s game.Slot, list string) (latest game.Match, answers []string, err error)

	// Finished returns a finished match, [game.ErrNotInHistory], or [game.ErrForgotten].
	Finished(ctx context.Context, match game.MatchID) (game.Finished, error)

	// Puzzle returns a puzzle that matches share, as a game without a guess, and reports whether any match of it was started.
	Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error)

	// Secret returns 32 random bytes, the same as long as they can be read.
	Secret(ctx context.Context) ([]byte, error)

	// Commit stores a change, whole and durably, or not at all. The error is ErrConflict for a change that does not follow what
	// is stored: see [Change]; ErrNotSaved when the disk takes no changes; and ErrExpired if the request of ctx had expired
	// before: see [game.Origin.ForCommit]. After a cancelled context the change may have been stored.
	Commit(ctx context.Context, c Change) error
}

// Loaded is the latest match of a slot. Err is one of [Store.Load] or, where that was asked for, [game.ErrEnded].
type Loaded struct {
	Match    game.Match
	Requests []game.RequestID // that led to its versions 1, 2, …; none once it has ended
	Err      error
}

// Change is one commit.
type Change struct {
	// Match is the new state. Version 1 starts a match, also in the place of one that cannot be read, which is set aside. It
	// conflicts with a match that is being played in its slot, with any match there, or its mark, if the slot is for one puzzle,
	// and with an earlier match of its puzzle that has another answer. A later version follows the version before.
	Match game.Match
	// Request must not have led to a change before; otherwise the change conflicts.
	Request game.RequestID
	// At is when the request was made. The log of results is ordered by it. A day later, a store may forget the request: fronts
	// deliver nothing again after so long.
	At time.Time
	// Recent is, at version 1, the list that remembers the answer.
	Recent RecentList
}

// RecentList names a list of answers that should not come again soon. The answer of the match is added to Latest, which
// [Store.LoadToStart] returned, and the last Keep are stored, soon after the match: of matches that start at the same moment, or
// just before a crash, an answer may be missing. The list stays as it is if Keep is 0 or the match's puzzle was started before.
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
	// DueRaces returns races whose [game.Race.Due] is not after a time, the earliest first, limit at most.
	DueRaces(ctx context.Context, by time.Time, limit int) ([]game.Race, error)
	// CommitRace stores a race durably. It returns [game.ErrConflict] unless the version before is stored: none before version 1,
	// and then no other race that is run in the channel, apart from challenges.
	CommitRace(ctx context.Context, r game.Race) error
	// RemoveRace removes a race that is over, with its puzzle and its board message.
	RemoveRace(ctx context.Context, r game.Race) error
}
