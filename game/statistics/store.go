package statistics

import (
	"context"

	"fivefold/game"
)

// Store keeps statistics. They are counted from the log of results, including results that have been removed since. It is safe
// for concurrent use.
type Store interface {
	// Totals returns a player's totals; all zero for a player who never took part.
	Totals(ctx context.Context, s Scope, player game.PlayerID) (Totals, error)

	// Leaderboard returns rows of the leaderboard of a scope. It also returns the row of player, unless player is empty. The
	// scope's guild must not be empty.
	Leaderboard(ctx context.Context, s Scope, player game.PlayerID, rows Rows) (Leaderboard, error)

	// Daily returns the results of a daily puzzle in a guild, the best first, of up to limit players.
	Daily(ctx context.Context, k game.Kind, g game.GuildID, number, limit int) (DailyResults, error)

	// Days returns the results of the daily puzzles in a guild from one number to another, puzzle by puzzle: those of a player or,
	// if player is empty, of up to [MaxDailyResults] players each. Without a guild, it returns all of a player's in the newspaper's
	// puzzle, and none of our games.
	Days(ctx context.Context, k game.Kind, g game.GuildID, player game.PlayerID, from, to int) ([][]DailyResult, error)

	// SolvedDays returns the numbers of the daily puzzles that any player has solved in a guild, of those from one number to
	// another, in ascending order.
	SolvedDays(ctx context.Context, k game.Kind, g game.GuildID, from, to int) ([]int, error)
}
