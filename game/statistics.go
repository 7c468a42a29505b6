package game

import (
	"cmp"
	"context"
)

// Statistics are counted from the log of results, including those that [HistoryStore.Forget]
// has removed.
type Statistics interface {
	// Totals returns a player's totals; all zero for a player who never took part.
	Totals(ctx context.Context, s Scope, player PlayerID) (Totals, error)

	// Leaderboard returns the top rows of a kind of game in a guild and the player's
	// own one. The scope's guild must not be empty.
	Leaderboard(ctx context.Context, s Scope, player PlayerID, top int) (Leaderboard, error)

	// Daily returns the results of a daily puzzle in a guild, the best first, of up to limit players.
	Daily(ctx context.Context, k Kind, g GuildID, number, limit int) (DailyResults, error)

	// SolvedDays returns which of the daily puzzles from one number to another anybody has solved in a
	// guild, in their order.
	SolvedDays(ctx context.Context, k Kind, g GuildID, from, to int) ([]int, error)

	// Results returns up to limit results in the order of their numbers, from the first whose
	// number is greater than after. Numbers follow the times at which matches ended, by Discord's
	// clock where requests hold it; those of one community, and those that count for one player,
	// are in the order in which they were counted.
	Results(ctx context.Context, after uint64, limit int) ([]Result, error)
}

// Scope is what totals and leaderboards are kept for: a kind of game in a guild or,
// for the empty guild, everywhere.
type Scope struct {
	Kind  Kind
	Guild GuildID
	Month string // whose daily puzzles count, and nothing else, such as "2026-11"; empty for all time
}

// Totals are a player's statistics in a scope.
type Totals struct {
	Player PlayerID
	Daily  Counts `json:",omitzero"` // of daily puzzles: what leaderboards go by
	Other  Counts `json:",omitzero"` // of all other matches
	Streak Streak `json:",omitzero"` // of other matches, won since the last one lost
	// Days is the streak of daily puzzles solved whose numbers follow one another, and LastDay the
	// last of them. They are kept everywhere only: in a guild, a puzzle may count after later ones.
	Days    Streak `json:",omitzero"`
	LastDay int    `json:",omitzero"`
}

// Counts is how a player did in some matches.
type Counts struct {
	Played, Won  int              `json:",omitzero"`
	Distribution [MaxAttempts]int // of the matches won by number of guesses, from 1
	Hints        int              `json:",omitzero"` // that the player took
	Hinted       int              `json:",omitzero"` // matches with a hint of the player's
}

// Streak is a number of successes in a row.
type Streak struct {
	Now, Best int `json:",omitzero"`
}

func (s *Streak) add(won bool) {
	if !won {
		s.Now = 0
		return
	}
	s.Now++
	s.Best = max(s.Best, s.Now)
}

// Add returns the totals of a scope after one more result: see [Participant].
func (t Totals) Add(s Scope, r Result, p Participant) Totals {
	t.Player = p.Player
	number, daily := r.Puzzle.Daily()
	won := p.Outcome == Won
	switch {
	case !daily || r.Mode != Daily:
		t.Other = t.Other.add(r, p)
		if p.Outcome != "" {
			t.Streak.add(won)
		}
		return t
	case s.Guild == "" && number > t.LastDay: // an earlier one can only be lost, and ended no streak that goes on
		if won && number > t.LastDay+1 {
			t.Days.Now = 0
		}
		t.Days.add(won)
		t.LastDay = number
	}
	t.Daily = t.Daily.add(r, p)
	return t
}

func (c Counts) add(r Result, p Participant) Counts {
	c.Hints += p.Hints
	if p.Outcome == "" {
		return c
	}
	c.Played++
	if p.Hints > 0 {
		c.Hinted++
	}
	if p.Outcome == Won {
		c.Won++
		c.Distribution[r.Attempts-1]++
	}
	return c
}

// Guesses is the sum of the guesses of the matches won.
func (c Counts) Guesses() (sum int) {
	for i, matches := range c.Distribution {
		sum += (i + 1) * matches
	}
	return sum
}

// lostCounts is what a lost daily puzzle counts as in the score.
const lostCounts = MaxAttempts + 1

// Score is what an average of daily puzzles is made of: the guesses of those solved, 7 for each that
// was lost, and 1 for each hint.
func (c Counts) Score() int { return c.Guesses() + lostCounts*(c.Played-c.Won) + c.Hints }

// Average is the score by puzzle, or 0 without any.
func (c Counts) Average() float64 {
	if c.Played == 0 {
		return 0
	}
	return float64(c.Score()) / float64(c.Played)
}

// PlaceFrom is how many daily puzzles a player needs for a place in a leaderboard.
const PlaceFrom = 5

// Placed reports whether the player has a place in a leaderboard.
func (t Totals) Placed() bool { return t.Daily.Played >= PlaceFrom }

// DayStreak returns the streak of daily puzzles on the day of a puzzle: it goes on until that one is
// lost, or the next one is there.
func (t Totals) DayStreak(today int) int {
	if t.LastDay < today-1 {
		return 0
	}
	return t.Days.Now
}

// Compare orders leaderboards: it is negative when t ranks above u. The smaller average comes
// first, then more puzzles.
func (t Totals) Compare(u Totals) int {
	return cmp.Or(cmp.Compare(t.Daily.Score()*u.Daily.Played, u.Daily.Score()*t.Daily.Played), cmp.Compare(u.Daily.Played, t.Daily.Played))
}

// Leaderboard is the top of a guild's order, among the players who are [Totals.Placed].
type Leaderboard struct {
	Players int // how many have a place
	Top     []Row
	Own     Row // of the player who asked; Place is 0 without one
}

// Row is one player's line. Players who compare equal share a place; after two in
// first place comes the third.
type Row struct {
	Place int // from 1
	Totals
}

// DailyResults are the results of a daily puzzle in a guild.
type DailyResults struct {
	Players int // how many have finished it
	Solved  int // how many of those listed have solved it
	Listed  []DailyResult
}

// MaxDailyResults is how many results of a daily puzzle are read at most, to find the best ones.
const MaxDailyResults = 1000

// DailyResult is one player's result of a daily puzzle, in a server where it counts.
type DailyResult struct {
	Player  PlayerID
	Match   MatchID
	Won     bool
	Guesses int
	Hints   int
}

// Score is what the result counts as in an average: see [Counts.Score].
func (d DailyResult) Score() int {
	if !d.Won {
		return lostCounts + d.Hints
	}
	return d.Guesses + d.Hints
}

// Tally computes all totals again from a log of all results, in its order: the same as a
// store keeps. Players who have cleared their history have none.
func Tally(results []Result) map[Scope]map[PlayerID]Totals {
	all := map[Scope]map[PlayerID]Totals{}
	for _, r := range results {
		for _, c := range r.Counted() {
			if all[c.Scope] == nil {
				all[c.Scope] = map[PlayerID]Totals{}
			}
			all[c.Scope][c.Player] = all[c.Scope][c.Player].Add(c.Scope, r, c.Participant)
		}
	}
	return all
}

// Counted is a player for whom a result counts, in one scope.
type Counted struct {
	Scope Scope
	Participant
}

// Counted returns for whom the result counts, and where. Those who have cleared their history are left out.
func (r Result) Counted() (all []Counted) {
	for _, scope := range r.Scopes() {
		for _, p := range r.Participants {
			if p.Player != "" {
				all = append(all, Counted{scope, p})
			}
		}
	}
	return all
}

// Scopes returns the scopes in which the result counts: everywhere and, outside direct messages,
// its guild. A daily puzzle also counts in its month there, and in the guilds where its player
// has shared it.
func (r Result) Scopes() []Scope {
	scopes := []Scope{{Kind: r.Kind}}
	number, daily := r.Puzzle.Daily()
	for _, guild := range r.CountsIn() {
		scopes = append(scopes, Scope{Kind: r.Kind, Guild: guild})
		if daily && r.Mode == Daily {
			scopes = append(scopes, Scope{r.Kind, guild, DailyMonth(number)})
		}
	}
	return scopes
}

// CountsIn returns the guilds in which the result counts.
func (r Result) CountsIn() []GuildID {
	if r.Location.Guild == "" {
		return r.Guilds
	}
	return append([]GuildID{r.Location.Guild}, r.Guilds...)
}
