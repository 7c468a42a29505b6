package game

import (
	"context"
	"time"
)

// Store keeps everything there is to know about matches. It is safe for concurrent use, and
// every method obeys its context while it waits. Errors wrap [ErrDamaged] and [ErrNewer]
// where they apply.
type Store interface {
	MatchStore
	HistoryStore
	RaceStore
	Statistics

	// Close releases everything. Nothing may be called after it.
	Close() error
}

// MatchStore is what matches are played with.
type MatchStore interface {
	// Load returns the latest match of a slot, ErrNoMatch, ErrCleared, or ErrUnreadable.
	Load(ctx context.Context, s Slot) (Match, error)

	// LoadSlots returns what Load returns for each of the slots, in their order, and reads them
	// all at once. If playing is set and any match is being played, those that have ended are left
	// out, with ErrEnded. The error is one that concerns all of them.
	LoadSlots(ctx context.Context, slots []Slot, playing bool) ([]Loaded, error)

	// Playing returns the matches that are being played in slots, all read at once. [PuzzleSlot] with a mode
	// in place of a puzzle stands for the player's slots of that mode in all communities. What cannot be read is left out.
	Playing(ctx context.Context, slots ...Slot) ([]Match, error)

	// Repeated returns what a request in the slot led to: the match as it is now, and
	// the version that the request gave it. The version is 0 when the request has
	// changed nothing so far.
	Repeated(ctx context.Context, s Slot, request RequestID) (Match, uint64, error)

	// Unfinished returns the matches that are being played, limit at most, in the order in
	// which they began, beginning with the one that follows after; the zero value comes
	// before all. Times are those of the requests by Discord's clock, where their ids hold
	// it. A match that cannot be read is left out.
	Unfinished(ctx context.Context, after Unfinished, limit int) ([]Unfinished, error)

	// LoadToStart reads at once what a new match in a slot depends on: the latest match, as Load returns it, but
	// ErrNoMatch for one that has ended in a slot without a puzzle; and the latest answers of a list, oldest first, as
	// many as the last commit that added one asked to keep: see [RecentList]. There are none of the list "".
	LoadToStart(ctx context.Context, s Slot, list string) (latest Match, answers []string, err error)

	// Puzzle returns a puzzle that matches share, as a game without a guess, and reports
	// whether any match of it was started.
	Puzzle(ctx context.Context, k Kind, p PuzzleID) (State, bool, error)

	// Secret returns 32 random bytes that were made once, with the store, or again because
	// the first ones could not be read.
	Secret(ctx context.Context) ([]byte, error)

	// Commit stores a change, whole and durably, or not at all. It returns
	// ErrConflict, with nothing changed, when the change does not follow what is
	// stored: see [Change], ErrNotSaved when the disk takes no changes, and ErrExpired
	// when the request of ctx had expired before: see [Origin.ForCommit]. After a
	// cancelled context the change may or may not have been stored.
	Commit(ctx context.Context, c Change) error
}

// HistoryStore is what finished matches are looked up in.
type HistoryStore interface {
	// History returns the finished matches that pass a filter, newest first. Matches that
	// players other than the viewer played alone cost it no time.
	History(ctx context.Context, f Filter) ([]Entry, error)

	// Finished returns a match of a history without its number, [ErrNotInHistory], or [ErrForgotten] where there
	// is no such match.
	Finished(ctx context.Context, match MatchID) (Finished, error)

	// Numbers returns the numbers, in the history of a community, of results at places in the log.
	Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error)

	// PlaceOf returns the place in the log of a number in the history of a community, [ErrNotInHistory] for a
	// number that has not been reached, or [ErrForgotten].
	PlaceOf(ctx context.Context, community string, number uint64) (place uint64, err error)

	// Reviews returns those of the matches that are in a history and can be read, in their order and without
	// contributions. The review of one for which none was saved is nil. It reads all at once.
	Reviews(ctx context.Context, matches ...MatchID) ([]Reviewed, error)

	// SaveReview keeps the review of a match in the history. The first one stays: saving
	// another one, or one of a match that is in no history, changes nothing. It does not
	// wait for the disk: a review that is lost can be made again.
	SaveReview(ctx context.Context, match Match, r Review) error

	// Share sets the [Match.Shared] of a finished match, and of its result, to a channel,
	// durably, unless it is set already: from then on the match is in the history of all.
	// The error is ErrNotInHistory for a match that is in none.
	Share(ctx context.Context, match MatchID, channel ChannelID) error

	// ShareIn adds a guild to the [Match.Guilds] of a finished daily puzzle, and counts its result
	// there, durably, unless it counts there already. If its month is not closed at the time given, all of the
	// player's month counts in the guild's tables from now on: see [Match.Outside]. The error is that of Share.
	ShareIn(ctx context.Context, match MatchID, guild GuildID, at time.Time) error

	// Clear makes a player anonymous, durably. It may take many commits, with those of
	// others between them, and returns once all is done. After an error, or if ctx ends
	// first, it may have begun; the rest is then done later, if need be after the next
	// start. A request that cleared a history before changes nothing.
	Clear(ctx context.Context, c ClearRequest) error

	// Forget removes the matches that ended before a time, with their results, reviews and
	// requests, and returns how many it has removed. It begins with the first result of the
	// log and stops at the first one that is to stay. Statistics still count what was
	// removed, and its numbers are not given again. It takes many commits, with those of
	// others between them; after an error, what was removed so far is gone.
	Forget(ctx context.Context, before time.Time) (removed int, err error)
}

// Loaded is the latest match of a slot. Err is nil, [ErrNoMatch], [ErrCleared], [ErrUnreadable] or, where that was
// asked for, [ErrEnded].
type Loaded struct {
	Match    Match
	Requests []RequestID // that led to its versions 1, 2, …; none once it has ended
	Err      error
}

// Change is one commit.
type Change struct {
	// Match is the new state. Version 1 starts a match, also in the place of one that cannot
	// be read, which is set aside. It conflicts with a match that is being played in its
	// slot, with any match there, or its mark, if the slot is for one puzzle, and with an earlier
	// match of its puzzle that has another answer. A later version conflicts unless the version before
	// is stored.
	Match Match
	// Request must not have led to a change before; otherwise the change conflicts.
	Request RequestID
	// At is when the change was made. A store may forget, a day later, that the
	// request was made: fronts deliver nothing again after so long.
	At time.Time
	// Recent is, at version 1, the list that remembers the answer.
	Recent RecentList
}

// RecentList names a list of answers that should not come again soon. The answer of the match is added to
// Latest, which [MatchStore.LoadToStart] returned, and the last Keep are stored, soon after the match: of
// matches that start at the same moment, or just before a crash, an answer may be missing. If Keep is 0, or the
// match's puzzle was started before, the list does not change.
type RecentList struct {
	Name   string
	Keep   int
	Latest []string
}

// ClearRequest asks to make a player anonymous in every finished match: the player's name
// is removed ([Match.Without]), and so are the player's totals and places in leaderboards.
// A match without other participants leaves the history, as does its review, and loses
// every name; its number is not given again. A match that is being played stays as it is.
// In the months that are open at the time, the player can have no place any more; in the tables of
// closed ones an empty name takes the player's place.
type ClearRequest struct {
	Player  PlayerID
	Request RequestID
	At      time.Time // as in [Change]
	// Mark are slots of the player. Where a match has ended in one, it keeps the mark that something was
	// played there, for about a day: see [ErrCleared].
	Mark []Slot
}
