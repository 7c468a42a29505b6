package finished

import (
	"context"
	"time"

	"fivefold/game"
)

// Store keeps finished matches. It is safe for concurrent use, and every method obeys its context
// while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they apply.
type Store interface {
	// History returns the finished matches that pass a filter, newest first. Matches that
	// players other than the viewer played alone cost it no time.
	History(ctx context.Context, f Filter) ([]Entry, error)

	// Match returns a match of a history without its number, [game.ErrNotInHistory], or [game.ErrForgotten] where there
	// is no such match.
	Finished(ctx context.Context, match game.MatchID) (game.Finished, error)

	// Numbers returns the numbers, in the history of a community, of results at places in the log.
	Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error)

	// PositionOf returns the place in the log of a number in the history of a community, [game.ErrNotInHistory] for a
	// number that has not been reached, or [game.ErrForgotten].
	PositionOf(ctx context.Context, community string, number uint64) (place uint64, err error)

	// Results returns up to limit results in the order of their numbers, from the first whose
	// number is greater than after. Numbers follow the times at which matches ended, by Discord's
	// clock where requests hold it; those of one community, and those that count for one player,
	// are in the order in which they were counted.
	Results(ctx context.Context, after uint64, limit int) ([]game.Result, error)

	// Reviews returns those of the matches that are in a history and can be read, in their order and without
	// contributions. The review of one for which none was saved is nil. It reads all at once.
	Reviews(ctx context.Context, matches ...game.MatchID) ([]Reviewed, error)

	// SaveReview keeps the review of a match in the history. The first one stays: saving
	// another one, or one of a match that is in no history, changes nothing. It does not
	// wait for the disk: a review that is lost can be made again.
	SaveReview(ctx context.Context, match game.Match, r game.Review) error

	// Share sets the [game.Match.Shared] of a finished match, and of its result, to a channel,
	// durably, unless it is set already: from then on the match is in the history of all.
	// The error is ErrNotInHistory for a match that is in none.
	Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error

	// ShareIn adds a guild to the [game.Match.Guilds] of a finished daily puzzle, and counts its result
	// there, durably, unless it counts there already. If its month is not closed at the time given, all of the
	// player's month counts in the guild's tables from now on: see [game.Match.Outside]. The error is that of Share.
	ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID, at time.Time) error

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

// ClearRequest asks to make a player anonymous in every finished match: the player's name
// is removed ([game.Match.Without]), and so are the player's totals and places in leaderboards.
// A match without other participants leaves the history, as does its review, and loses
// every name; its number is not given again. A match that is being played stays as it is.
// In the months that are open at the time, the player can have no place any more; in the tables of
// closed ones an empty name takes the player's place.
type ClearRequest struct {
	Player  game.PlayerID
	Request game.RequestID
	At      time.Time // as in [matches.Change]
	// Mark are slots of the player. Where a match has ended in one, it keeps the mark that something was
	// played there, for about a day: see [game.ErrCleared].
	Mark []game.Slot
}
