package statistics

import (
	"cmp"

	"fivefold/game"
)

// RankedFrom is how many daily puzzles a player needs for a place in a leaderboard of a closed month or of all time.
const RankedFrom = 5

// RankedFromIn returns how many daily puzzles a player needs for a place in the leaderboard of a month. In the running month that
// is half of the days so far, rounded up, and at most [RankedFrom].
func RankedFromIn(month string, today int) int {
	if month != game.DailyMonth(today) {
		return RankedFrom
	}
	return min(RankedFrom, (game.DailyDate(today).Day()+1)/2)
}

// Compare orders leaderboards: it is negative when t ranks above u. The smaller average comes first, then more puzzles.
func (t Totals) Compare(u Totals) int {
	return cmp.Or(cmp.Compare(t.Daily.Score()*u.Daily.Played, u.Daily.Score()*t.Daily.Played), cmp.Compare(u.Daily.Played, t.Daily.Played))
}

// Rows says which rows of a leaderboard are wanted.
type Rows struct {
	RankedFrom int // puzzles that a place takes: 1 to the constant RankedFrom
	Skip       int // how many rows to skip, at most [MostRows]
	Limit      int
}

// MostRows is how many rows of a leaderboard can be skipped.
const MostRows = 1000

// Leaderboard is a part of a guild's order: first the players with a place, then those with too few puzzles for one.
type Leaderboard struct {
	Players int // how many have a place
	Rows    []Row
	More    bool // whether more rows follow
	Own     Row  // of the player who asked
}

// Row is one player's line. Players who compare equal share a place; after two in first place comes the third.
type Row struct {
	Rank int // from 1; 0 for a player with too few puzzles
	Totals
}
