package finished

import (
	"context"
	"time"

	"fivefold/game"
)

// Store keeps finished matches: the Store of package storage does. It is safe for concurrent use, and every method obeys its
// context while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they apply.
type Store interface {
	// History returns the finished matches that pass a filter, newest first. Others' matches that they played alone cost it no
	// time.
	History(ctx context.Context, f Filter) ([]Entry, error)

	// Finished returns a match of a history, [game.ErrNotInHistory], or [game.ErrForgotten].
	Finished(ctx context.Context, match game.MatchID) (game.Finished, error)

	// Numbers returns the numbers, in the history of a community, of results at places in the log.
	Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error)

	// PositionOf returns the place in the log of a number in the history of a community, [game.ErrNotInHistory] for a number that
	// was not reached, or [game.ErrForgotten].
	PositionOf(ctx context.Context, community string, number uint64) (place uint64, err error)

	// Results returns up to limit results after a place in the log. Places follow the times at which matches ended, by the clock
	// of requests; those of one community or player are in the order of their counting.
	Results(ctx context.Context, after uint64, limit int) ([]game.Result, error)

	// Reviews returns those of the matches that are in a history and can be read, in their order, without contributions and with
	// a nil review if none was saved. It reads all at once.
	Reviews(ctx context.Context, matches ...game.MatchID) ([]Reviewed, error)

	// SaveReview keeps the first review of a match that is in a history. It does not wait for the disk: a review that is lost can
	// be made again.
	SaveReview(ctx context.Context, match game.Match, r game.Review) error

	// Share sets the [game.Match.Shared] of a finished match durably, unless it is set: from then on the match is in the history
	// of all. The error is ErrNotInHistory for a match that is in none.
	Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error

	// ShareIn adds a guild to the [game.Match.Guilds] of a finished daily puzzle durably, and counts its result there, unless it
	// counts there. If its month is open at the time given, all of the player's month counts in the guild's tables: see
	// [game.Match.Outside]. The error is that of Share.
	ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID, at time.Time) error

	// Clear makes a player anonymous, durably. It may take many commits, and returns once all is done. After an error, or if ctx
	// ends first, the rest is done later, if need be after the next start. A repeated request changes nothing.
	Clear(ctx context.Context, c ClearRequest) error

	// Forget removes the matches that ended before a time, with their results, reviews and requests, and returns how many. It
	// stops at the first result of the log that is to stay. Statistics still count what was removed, and its numbers are not
	// given again. It takes many commits; after an error, what was removed so far is gone.
	Forget(ctx context.Context, before time.Time) (removed int, err error)
}

// ClearRequest asks to make a player anonymous in every finished match: see [game.Match.Without]. The player's totals and places
// in leaderboards go. A match without other participants leaves the history with its review, and loses every name; its number is
// not given again. A match that is being played stays as it is. In months that are open at the time, the player can have no place
// any more; in the tables of closed ones an empty name takes the player's place.
type ClearRequest struct {
	Player  game.PlayerID
	Request game.RequestID
	At      time.Time // as in [matches.Change]
	// Mark are slots of the player. Where a match has ended in one, a mark stays for about a day: see [game.ErrCleared].
	Mark []game.Slot
}
