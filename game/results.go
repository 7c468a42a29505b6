package game

import (
	"cmp"
	"time"
)

// Result is what a finished match leaves in the log.
type Result struct {
	Number       uint64 // in the log, from 1; given by the store
	Match        MatchID
	Location     Location
	Kind         Kind
	Mode         Mode
	Puzzle       PuzzleID
	Status       Status // Won, Lost or Stopped
	Answer       string // as in [State]
	Hard         bool
	Attempts     int // accepted guesses, of all players
	Started      time.Time
	Ended        time.Time
	Winner       PlayerID // the player who found the answer, or ""
	Participants []Participant
	Shared       ChannelID // as in [Match]
}

// Participant is a player who guessed or took a hint in a match.
type Participant struct {
	Player  PlayerID
	Guesses int // accepted ones
	Hints   int
}

// Result returns the log entry of an ended match, not yet numbered. Its
// participants are in the order in which they first guessed, then took a hint.
func (m Match) Result() Result {
	r := Result{
		Match:    m.ID,
		Location: m.Location,
		Kind:     m.Kind,
		Mode:     m.Mode,
		Puzzle:   m.Puzzle,
		Status:   m.Status(),
		Answer:   m.State.Answer(),
		Hard:     m.State.Hard(),
		Attempts: m.Used(),
		Started:  m.Started,
		Ended:    m.Ended(),
		Winner:   m.Winner(),
		Shared:   m.Shared,
	}
	index := map[PlayerID]int{}
	participant := func(p PlayerID) *Participant {
		i, ok := index[p]
		if !ok {
			i = len(r.Participants)
			index[p] = i
			r.Participants = append(r.Participants, Participant{Player: p})
		}
		return &r.Participants[i]
	}
	for _, move := range m.Moves {
		participant(move.Player).Guesses++
	}
	for _, h := range m.Hints {
		participant(h.Player).Hints++
	}
	return r
}

// Totals are a player's statistics in one guild or everywhere.
type Totals struct {
	Player PlayerID
	Played int // matches won or lost in which the player made an accepted guess
	Won    int
	// Attempts is the sum, over the matches won, of the guesses they took.
	Attempts     int
	Streak       int // matches won since the last one lost
	BestStreak   int
	Distribution [MaxAttempts]int // matches won by number of guesses, from 1
	Hints        int              // taken, in every match
}

// Add returns the totals after one more result.
//
// A win or a loss counts for each player who made an accepted guess. A stopped match
// counts for nobody, since one player must not end the streaks of others by stopping
// it; only its hints count.
func (t Totals) Add(r Result, p Participant) Totals {
	t.Player = p.Player
	t.Hints += p.Hints
	if p.Guesses == 0 || r.Status == Stopped {
		return t
	}
	t.Played++
	if r.Status != Won {
		t.Streak = 0
		return t
	}
	t.Won++
	t.Attempts += r.Attempts
	t.Distribution[r.Attempts-1]++
	t.Streak++
	t.BestStreak = max(t.BestStreak, t.Streak)
	return t
}

// WinRate returns the fraction of matches won, 0 to 1; 0 before the first match.
func (t Totals) WinRate() float64 {
	if t.Played == 0 {
		return 0
	}
	return float64(t.Won) / float64(t.Played)
}

// Average returns the mean number of guesses of the matches won, or 0 before
// the first win.
func (t Totals) Average() float64 {
	if t.Won == 0 {
		return 0
	}
	return float64(t.Attempts) / float64(t.Won)
}

// Compare orders leaderboards: it is negative when t ranks above u. More wins come
// first, then the higher win rate, then the smaller average. Of players with equally
// many wins, the one who played less has the higher win rate, and the one with fewer
// attempts the smaller average, so it compares whole numbers only. Of players without a
// win, the one with fewer losses comes first.
func (t Totals) Compare(u Totals) int {
	return cmp.Or(cmp.Compare(u.Won, t.Won), cmp.Compare(t.Played, u.Played), cmp.Compare(t.Attempts, u.Attempts))
}

// Leaderboard is the top of a guild's order. Only players who guessed in a match
// that was won or lost have a place in it.
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

// Tally computes everybody's totals again from a log of all results, in its order: the
// same as a store keeps. Players who have cleared their history have none.
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
