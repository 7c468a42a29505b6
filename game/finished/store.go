package finished

import (
	"context"
	"time"

	"fivefold/game"
)

// Store keeps finished matches; the Store of package storage implements it. It is safe for concurrent use, and every method obeys
// its context while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they apply.
type Store interface {
	// History returns the finished matches that pass a filter, newest first. It spends no time on matches that other players
	// played alone.
	History(ctx context.Context, f Filter) ([]Entry, error)

	// Finished returns a match of a history. The error is [game.ErrNotInHistory] or [game.ErrForgotten].
	Finished(ctx context.Context, match game.MatchID) (game.Finished, error)

	// Numbers returns the numbers that results have in the history of a community. Places are the results' places in the log.
	Numbers(ctx context.Context, community string, places ...uint64) ([]uint64, error)

	// PositionOf returns the place in the log of the result with this number in the history of a community. The error is
	// [game.ErrNotInHistory] for a number not reached yet, or [game.ErrForgotten].
	PositionOf(ctx context.Context, community string, number uint64) (place uint64, err error)

	// Results returns up to limit results after a place in the log. Places follow the times at which matches ended, by the clock
	// of requests. Results of one community or player have places in the order in which they were counted.
	Results(ctx context.Context, after uint64, limit int) ([]game.Result, error)

	// Reviews returns the given matches in their order, all read at once. It leaves out matches that are in no history or cannot
	// be read. A match without a saved review has a nil Review. Contributions are not set.
	Reviews(ctx context.Context, matches ...game.MatchID) ([]Reviewed, error)

	// SaveReview keeps the first review of a match that is in a history. It does not wait for the disk: a review that is lost can
	// be made again.
	SaveReview(ctx context.Context, match game.Match, r game.Review) error

	// Share sets the [game.Match.Shared] of a finished match durably, unless it is set. From then on, everyone's history has the
	// match. The error is ErrNotInHistory for a match that no history has.
	Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error

	// ShareIn adds a guild to the [game.Match.Guilds] of a finished daily puzzle durably, and counts its result there, unless it
	// counts there already. If the puzzle's month is open at the given time, all of the player's month counts in the guild's
	// tables: see [game.Match.Outside]. The error is that of Share.
	ShareIn(ctx context.Context, match game.MatchID, guild game.GuildID, at time.Time) error

	// Held returns how many records are a player's, by topic: topics of what only the player has, of totals, and "player" for the
	// finished matches that name the player.
	Held(ctx context.Context, player game.PlayerID) (map[string]int, error)

	// Export returns all records that name a player as a JSON file of up to most bytes, newest matches first, with others as
	// "player 2" and so on. It leaves out the answers that are hidden from the player. If not everything fits, rest is what to pass as
	// before to get the next part, else 0, and the file has no matches that ended before until. 0 as before is the first part.
	Export(ctx context.Context, player game.PlayerID, before uint64, most int, hides func(game.Result) (bool, error)) (file []byte, rest uint64, until time.Time, err error)

	// Delete makes a player anonymous, durably. It may take many commits, and returns once all is done. After an error, or if ctx
	// ends first, the rest is done later, if need be after the next start. A repeated request changes nothing.
	Delete(ctx context.Context, c Deletion) error

	// Forget removes the matches that ended before a time, with their results, reviews and requests, and returns how many. It
	// stops at the first result of the log that is to stay. Statistics still count removed matches, and no other match gets their
	// numbers. Forget takes many commits; after an error, the matches removed so far stay removed.
	Forget(ctx context.Context, before time.Time) (removed int, err error)
}

// Deletion asks to make a player anonymous in every match and race: see [game.Match.Without]. The player's totals and places in
// leaderboards go, and all that is the player's alone. A finished match without other participants leaves the history with its
// review, and loses every name; no other match gets its number. What the player plays alone must have ended before. In the table
// of a closed month, an empty name takes the player's place. In a month that is open at the time, the player can have no place
// any more.
type Deletion struct {
	Player  game.PlayerID
	Request game.RequestID
	At      time.Time // as in [matches.Change]
	// Mark are slots of the player for daily puzzles. A slot whose match has ended stays closed until the month is: see
	// [game.ErrDeleted].
	Mark []game.Slot
}
