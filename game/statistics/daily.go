package statistics

import "fivefold/game"

// DailyResults are the results of a daily puzzle in a guild.
type DailyResults struct {
	Players int // how many have finished it
	Listed  []DailyResult
}

// MaxDailyResults is how many results of a daily puzzle are read at most, to find the best ones.
const MaxDailyResults = 1000

// DailyResult is one player's result of a daily puzzle, in a server where it counts.
type DailyResult struct {
	Player  game.PlayerID
	Name    string // the player's global display name; empty if it is not known
	Match   game.MatchID
	Won     bool
	Guesses int
	Limit   int // guesses that the puzzle had
	Hints   int
}

// Score is the result's part of an average: see [Counts.Score].
func (d DailyResult) Score() int { return CountsOf(d).Score() }
