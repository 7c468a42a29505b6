package game

import (
	"cmp"
	"context"
	"slices"
)

// Statistics are counted from the log of results, including those that [HistoryStore.Forget]
// has removed.
type Statistics interface {
	// Totals returns a player's totals; all zero for a player who never took part.
	Totals(ctx context.Context, s Scope, player PlayerID) (Totals, error)

	// Leaderboard returns rows of a kind of game in a guild, and the row of a player unless that is empty.
	// The scope's guild must not be empty.
	Leaderboard(ctx context.Context, s Scope, player PlayerID, rows Rows) (Leaderboard, error)

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

// Scope is what totals and leaderboards are for: a kind of game in a guild or,
// for the empty guild, everywhere.
type Scope struct {
	Kind  Kind
	Guild GuildID
	Month string // whose daily puzzles count, and nothing else, such as "2026-11"; empty for all time
}

// Kept returns the scope whose [Total] has the totals of this one.
func (s Scope) Kept() Scope {
	if s.Month != "" {
		s.Guild = ""
	}
	return s
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

// add returns the totals of a scope after one more result: see [Participant].
func (t Totals) add(s Scope, r Result, p Participant) Totals {
	t.Player = p.Player
	won := p.Outcome == Won
	switch number, _ := r.Puzzle.Daily(); {
	case r.Month() == "":
		t.Other = t.Other.add(r, p)
		if p.Outcome != "" {
			t.Streak.add(won)
		}
		return t
	case s == Scope{Kind: s.Kind} && number > t.LastDay: // an earlier one can only be lost, and ended no streak that goes on
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

// plus returns the counts of both.
func (c Counts) plus(d Counts) Counts {
	for i, n := range d.Distribution {
		c.Distribution[i] += n
	}
	c.Played, c.Won, c.Hints, c.Hinted = c.Played+d.Played, c.Won+d.Won, c.Hints+d.Hints, c.Hinted+d.Hinted
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

// PlaceFrom is how many daily puzzles a place takes in a leaderboard of a closed month or of all time.
const PlaceFrom = 5

// PlaceFromIn returns how many a place takes in the leaderboard of a month: in the running one half of the days so far,
// rounded up, and at most [PlaceFrom].
func PlaceFromIn(month string, today int) int {
	if month != DailyMonth(today) {
		return PlaceFrom
	}
	return min(PlaceFrom, (DailyDate(today).Day()+1)/2)
}

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

// Rows says which rows of a leaderboard are wanted.
type Rows struct {
	PlaceFrom int // puzzles for a place, from 1 to the constant
	Skip      int // the first ones, at most [MostRows]
	Limit     int
}

// MostRows is how many rows of a leaderboard can be skipped.
const MostRows = 1000

// Leaderboard is a part of a guild's order: first the players with a place, then those with too few puzzles for one.
type Leaderboard struct {
	Players int // how many have a place
	Rows    []Row
	More    bool // after the rows
	Own     Row  // of the player who asked
}

// Row is one player's line. Players who compare equal share a place; after two in
// first place comes the third.
type Row struct {
	Place int // from 1; 0 for a player with too few puzzles
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

// Total is what is kept of a player in a scope. A month is kept once, everywhere, with the guilds where it counts.
type Total struct {
	Place uint64 // in the log, of the result counted last
	Totals
	Guilds []GuildID `json:",omitzero"` // in whose leaderboards a month counts, in their order
}

// MostGuilds is in how many guilds a player's month can count.
const MostGuilds = 20

// Tally is what is kept of one player.
type Tally map[Scope]Total

// TallyOf counts all totals again from a log of results, in its order: the same as a store keeps. Players who have cleared
// their history have none.
func TallyOf(results []Result) map[PlayerID]Tally {
	all := map[PlayerID]Tally{}
	for _, r := range results {
		for _, p := range r.Known() {
			if all[p.Player] == nil {
				all[p.Player] = Tally{}
			}
			all[p.Player].Add(r, p)
		}
	}
	return all
}

// Of returns the totals of a scope.
func (t Tally) Of(s Scope) Totals {
	total := t[s.Kept()]
	if s != s.Kept() && !slices.Contains(total.Guilds, s.Guild) {
		return Totals{}
	}
	return total.Totals
}

// Add counts a result. A daily puzzle counts in every guild in which its month does. Add returns the guilds in which the
// month may not count, as [Tally.Enter] says.
func (t Tally) Add(r Result, p Participant) (outside []GuildID) {
	scopes, month := r.Scopes(), Scope{Kind: r.Kind, Month: r.Month()}
	if month.Month != "" {
		scopes = append(scopes[:2], scopesIn(r.Kind, t[month].Guilds)...) // in place of the guilds of its own tables
	}
	for _, s := range scopes {
		total := t[s]
		total.Totals, total.Place = total.add(s, r, p), max(total.Place, r.Place)
		t[s] = total
	}
	for _, month.Guild = range r.Tables() {
		if month.Month != "" && !t.Enter(month) {
			outside = append(outside, month.Guild)
		}
	}
	return outside
}

// Enter has all of a month count in the scope's guild from now on, and reports whether it does: not if it counts in
// [MostGuilds] others.
func (t Tally) Enter(s Scope) bool {
	month := t[s.Kept()]
	at, there := slices.BinarySearch(month.Guilds, s.Guild)
	if there || len(month.Guilds) >= MostGuilds {
		return there
	}
	month.Guilds = slices.Insert(slices.Clone(month.Guilds), at, s.Guild)
	always := Scope{Kind: s.Kind, Guild: s.Guild}
	total := t[always]
	total.Player, total.Place, total.Daily = month.Player, max(total.Place, month.Place), total.Daily.plus(month.Daily)
	t[s.Kept()], t[always] = month, total
	return true
}

// Month returns the month in whose tables the result of a daily puzzle counts; "" for another match.
func (r Result) Month() string {
	number, daily := r.Puzzle.Daily()
	if !daily || r.Mode != Daily {
		return ""
	}
	return DailyMonth(number)
}

// Scopes returns the scopes in which the result counts: everywhere and in the guilds of its tables; a daily puzzle also
// in its month.
func (r Result) Scopes() []Scope {
	scopes := []Scope{{Kind: r.Kind}}
	if month := r.Month(); month != "" {
		scopes = append(scopes, Scope{Kind: r.Kind, Month: month})
	}
	return append(scopes, scopesIn(r.Kind, r.Tables())...)
}

func scopesIn(k Kind, guilds []GuildID) []Scope {
	return Each(guilds, func(g GuildID) Scope { return Scope{Kind: k, Guild: g} })
}

// CountsIn returns the guilds in which the result counts. A daily puzzle that counts in a guild is one of the results of
// its day there.
func (r Result) CountsIn() []GuildID {
	if r.Location.Guild == "" {
		return r.Guilds
	}
	return append([]GuildID{r.Location.Guild}, r.Guilds...)
}

// Tables returns those guilds in whose tables the result counts by itself. It may count in others' as a part of its month.
func (r Result) Tables() []GuildID {
	return slices.DeleteFunc(slices.Clone(r.CountsIn()), func(g GuildID) bool { return slices.Contains(r.Outside, g) })
}
