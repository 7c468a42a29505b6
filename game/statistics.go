package game

import (
	"cmp"
	"context"
	"math"
)

// Statistics are counted from the log of results, including those that [HistoryStore.Forget]
// has removed.
type Statistics interface {
	// Totals returns a player's totals; all zero for a player who never took part.
	Totals(ctx context.Context, s Scope, player PlayerID) (Totals, error)

	// Leaderboard returns the top rows of a kind of game in a guild and the player's
	// own one. The scope's guild must not be empty.
	Leaderboard(ctx context.Context, s Scope, player PlayerID, top int) (Leaderboard, error)

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
}

// Totals are a player's statistics in one guild or everywhere. Credits are in thousandths
// of a match.
type Totals struct {
	Player PlayerID
	Played int // matches won or lost that count for the player
	Won    int // of them, those won in which no player took a hint
	Helped int // of them, those won with one
	// Credit is the player's credit in the matches that count for the order of leaderboards,
	// and WonCredit the part of it from matches of Won: see [Totals.Compare].
	Credit, WonCredit int
	// Attempts is the sum, over the matches of Won, of the guesses they took times the
	// player's credit.
	Attempts     int
	Streak       int // matches won without a hint since the last one that the order counts as not won
	BestStreak   int
	Distribution [MaxAttempts]int // matches of Won by number of guesses, from 1
	Hints        int              // taken, in every match
}

// Add returns the totals after one more result.
//
// A match counts for each player who made an accepted guess, and for the player whose own
// match it was: see [Result.CountsAs]. A win with hints is not won for the players who took
// them. For the others it is neither won nor lost: one player's hint must neither cost the
// others anything nor earn them a win.
func (t Totals) Add(r Result, p Participant) Totals {
	t.Player = p.Player
	t.Hints += p.Hints
	outcome := r.CountsAs()
	if p.Guesses == 0 && !r.Mode.Personal() || outcome == "" {
		return t
	}
	t.Played++
	if r.Helped() {
		t.Helped++
		if p.Hints == 0 {
			return t
		}
		outcome = Lost
	}
	t.Credit += p.Credit
	if outcome == Lost {
		t.Streak = 0
		return t
	}
	t.Won++
	t.WonCredit += p.Credit
	t.Attempts += r.Attempts * p.Credit
	t.Distribution[r.Attempts-1]++
	t.Streak++
	t.BestStreak = max(t.BestStreak, t.Streak)
	return t
}

// WinRate returns the credit of matches won as a fraction of all credit that counts, 0 to
// 1; 0 without any.
func (t Totals) WinRate() float64 {
	if t.Credit == 0 {
		return 0
	}
	return float64(t.WonCredit) / float64(t.Credit)
}

// Average returns the mean number of guesses of the matches won, each weighed by the
// player's credit, or 0 without any.
func (t Totals) Average() float64 {
	if t.WonCredit == 0 {
		return 0
	}
	return float64(t.Attempts) / float64(t.WonCredit)
}

// LowerBound returns the win rate that a player has at least, with a confidence of 95 %, in
// whole millionths: the lower end of Wilson's score interval. With few matches it is far
// below the win rate, so one lucky win is not worth much.
//
// It is the same on every machine: each product is rounded by itself, since a fused
// multiply-add would give another last bit, and could change the order.
func (t Totals) LowerBound() int {
	if t.WonCredit <= 0 || t.Credit <= 0 {
		return 0
	}
	const (
		z      = 1.959964 // of the normal distribution, for 95 %
		square = z * z
	)
	n := float64(t.Credit) / wholeCredit
	rate := min(1, t.WinRate()) // of damaged totals too
	variance := float64(rate*(1-rate))/n + square/float64(4*float64(n*n))
	low := (rate + square/float64(2*n) - float64(z*math.Sqrt(variance))) / (1 + square/n)
	return max(0, int(float64(low*1_000_000)))
}

// Compare orders leaderboards: it is negative when t ranks above u. The greater lower bound
// of the win rate comes first, then more credit of matches won, then the smaller average, then
// more wins with hints. Where the bound and the credit of matches won are equal, the smaller
// average is that of fewer attempts, so it compares whole numbers only.
func (t Totals) Compare(u Totals) int {
	return cmp.Or(cmp.Compare(u.LowerBound(), t.LowerBound()), cmp.Compare(u.WonCredit, t.WonCredit),
		cmp.Compare(t.Attempts, u.Attempts), cmp.Compare(u.Helped, t.Helped))
}

// Leaderboard is the top of a guild's order. Only players for whom a match
// counts have a place in it.
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

// Tally computes all totals again from a log of all results, in its order: the same as a
// store keeps. Players who have cleared their history have none.
func Tally(results []Result) map[Scope]map[PlayerID]Totals {
	all := map[Scope]map[PlayerID]Totals{}
	for _, r := range results {
		for _, scope := range r.Scopes() {
			for _, p := range r.Participants {
				if p.Player == "" {
					continue
				}
				if all[scope] == nil {
					all[scope] = map[PlayerID]Totals{}
				}
				all[scope][p.Player] = all[scope][p.Player].Add(r, p)
			}
		}
	}
	return all
}

// Scopes returns the scopes in which the result counts: everywhere and, outside direct
// messages, its guild.
func (r Result) Scopes() []Scope {
	everywhere := Scope{Kind: r.Kind}
	if r.Location.Guild == "" {
		return []Scope{everywhere}
	}
	return []Scope{everywhere, {r.Kind, r.Location.Guild}}
}
