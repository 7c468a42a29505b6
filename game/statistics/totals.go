// Package statistics counts results: totals, leaderboards and the results of a day.
package statistics

import (
	"cmp"
	"slices"

	"fivefold/game"
)

// Scope is what totals and leaderboards are for: a kind of game in a guild or, for the empty guild, everywhere.
type Scope struct {
	Kind  game.Kind
	Guild game.GuildID
	Month string // whose daily puzzles count, and nothing else, such as "2026-11"; empty for all time
}

// Kept returns the scope that the [Total] is stored under: that of a month has no guild.
func (s Scope) Kept() Scope {
	if s.Month != "" {
		s.Guild = ""
	}
	return s
}

// Totals are a player's statistics in a scope.
type Totals struct {
	Player game.PlayerID
	// Name is the player's global display name, as of the latest daily puzzle; empty if it is not known. It is stored only in the
	// scope of all guilds and all time; rows of leaderboards have it too.
	Name   string `json:",omitzero"`
	Daily  Counts `json:",omitzero"` // of daily puzzles: what leaderboards go by
	Other  Counts `json:",omitzero"` // of all other matches
	Streak Streak `json:",omitzero"` // other matches won since the last one lost
	// Days is the streak of daily puzzles solved, with numbers in a row. LastDay is the number of the latest puzzle. Only the
	// scope of all guilds and all time has them: in a guild, a puzzle may count after later ones.
	Days    Streak `json:",omitzero"`
	LastDay int    `json:",omitzero"`
}

// Counts is how a player did in some matches.
type Counts struct {
	Played, Won  int   `json:",omitzero"`
	Distribution []int `json:",omitzero"` // of the matches won, by number of guesses from 1; no longer than needed
	Missed       int   `json:",omitzero"` // guesses that the lost matches count for: one more than each had
	Hints        int   `json:",omitzero"` // that the player took
	Hinted       int   `json:",omitzero"` // matches with a hint of the player's
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

// add returns the totals of a scope after one more result: see [game.Participant].
func (t Totals) add(s Scope, r game.Result, p game.Participant) Totals {
	t.Player = p.Player
	won := p.Outcome == game.Won
	switch number, _ := r.Puzzle.Day(); {
	case r.Month() == "":
		t.Other = t.Other.add(r, p)
		if p.Outcome != "" {
			t.Streak.add(won)
		}
		return t
	case s == Scope{Kind: s.Kind} && (number > t.LastDay || t.Daily.Played == 0): // an earlier daily only counts as lost now, and a streak that goes on began after it
		if won && number > t.LastDay+1 {
			t.Days.Now = 0
		}
		t.Days.add(won)
		t.LastDay = number
	}
	if s == (Scope{Kind: s.Kind}) {
		t.Name = cmp.Or(r.Names[p.Player], t.Name)
	}
	t.Daily = t.Daily.add(r, p)
	return t
}

func (c Counts) add(r game.Result, p game.Participant) Counts {
	one := Counts{Hints: p.Hints}
	if p.Outcome != "" {
		one.Played, one.Hinted = 1, min(p.Hints, 1)
	}
	switch p.Outcome {
	case game.Won:
		one.Won, one.Distribution = 1, append(make([]int, r.Attempts-1), 1)
	case game.Lost:
		one.Missed = r.Limit + 1
	}
	return c.Plus(one)
}

// Plus returns the counts of both.
func (c Counts) Plus(d Counts) Counts {
	c.Distribution = append(slices.Clone(c.Distribution), make([]int, max(0, len(d.Distribution)-len(c.Distribution)))...)
	for i, n := range d.Distribution {
		c.Distribution[i] += n
	}
	c.Played, c.Won, c.Missed, c.Hints, c.Hinted = c.Played+d.Played, c.Won+d.Won, c.Missed+d.Missed, c.Hints+d.Hints, c.Hinted+d.Hinted
	return c
}

// Guesses is the sum of the guesses of the matches won.
func (c Counts) Guesses() (sum int) {
	for i, matches := range c.Distribution {
		sum += (i + 1) * matches
	}
	return sum
}

// Score is the sum that an average of daily puzzles divides: the guesses of those solved, one more than a puzzle has for each that
// was lost, and 1 for each hint.
func (c Counts) Score() int { return c.Guesses() + c.Missed + c.Hints }

// Average is the score per puzzle, or 0 without a puzzle.
func (c Counts) Average() float64 {
	if c.Played == 0 {
		return 0
	}
	return float64(c.Score()) / float64(c.Played)
}

// DayStreak returns the streak of daily puzzles on the day of puzzle today. A streak that reaches puzzle today-1 still counts.
func (t Totals) DayStreak(today int) int {
	if t.LastDay < today-1 {
		return 0
	}
	return t.Days.Now
}
