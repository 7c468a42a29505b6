package league

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fivefold/game"
	"fivefold/game/statistics"
)

// Is reports whether a kind is one of this package.
func Is(k game.Kind) bool { return k == Official || k == Claimed }

// The errors of [Result.Check].
var (
	ErrFuture  = errors.New("a result of a puzzle that is not out yet")
	ErrInvalid = errors.New("not a result")
)

// Check returns nil if the player of by can bring the result along. Otherwise the error wraps [ErrInvalid], [ErrFuture] or, for a
// claim of another player, [game.ErrNotOwn].
func (r Result) Check(by game.Origin, at time.Time) error {
	switch {
	case r.Number < 0, r.Won && (r.Guesses < 1 || r.Guesses > game.MaxAttempts), r.Player == "" && CheckName(by, r.Name) != nil:
		return ErrInvalid
	case r.Number > Latest(at):
		return ErrFuture
	case !r.Official && r.Player != by.Player:
		return game.ErrNotOwn
	}
	return nil
}

// CheckName returns nil if a name can be in a summary where by asks: in a server, and of up to 128 bytes of UTF-8 without NUL.
// Otherwise it returns [ErrInvalid].
func CheckName(by game.Origin, name string) error {
	if by.Location.Guild == "" || name == "" || len(name) > 32*utf8.UTFMax || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
		return ErrInvalid
	}
	return nil
}

// Latest returns the number of the latest puzzle that somebody can have solved at a time: in the zone that is the furthest ahead,
// days begin fourteen hours before UTC.
func Latest(at time.Time) int { return game.NewspaperNumber(at.Add(14 * time.Hour)) }

// Source is one way in which a result was brought along.
type Source struct {
	Guild    game.GuildID `json:",omitzero"` // where it was imported, and so counts; empty outside servers
	Alias    string       `json:",omitzero"` // the name in the summary, if that is how its player was known
	Official bool         `json:",omitzero"`
	Won      bool         `json:",omitzero"`
	Guesses  int          `json:",omitzero"`
	Hard     bool         `json:",omitzero"`
}

// Record is all that was brought along of one player's result. The first official source says how it went or, without any, the
// first.
type Record struct {
	Name    string   `json:",omitzero"` // the player's global display name, if it is known
	Sources []Source `json:",omitzero"`
}

// Of returns the source that says how it went. The record must have one.
func (r Record) Of() Source {
	return r.Sources[max(0, slices.IndexFunc(r.Sources, func(s Source) bool { return s.Official }))]
}

// Kind is the kind of the result.
func (r Record) Kind() game.Kind {
	if r.Of().Official {
		return Official
	}
	return Claimed
}

// With returns the record with one more source, and whether that was added. Of those in one server, under one name, the first
// stays, and of more than [statistics.MostGuilds] of a kind the first ones.
func (r Record) With(s Source) (with Record, added bool) {
	of := 0
	for _, there := range r.Sources {
		if there.Official == s.Official {
			if of++; there.Guild == s.Guild && there.Alias == s.Alias || of == statistics.MostGuilds {
				return r, false
			}
		}
	}
	r.Sources = append(slices.Clip(r.Sources), s)
	return r, true
}

// Without returns the record without the sources of a name in a server, and these.
func (r Record) Without(guild game.GuildID, alias string) (without Record, gone []Source) {
	without.Name = r.Name
	for _, s := range r.Sources {
		if s.Guild == guild && s.Alias == alias {
			gone = append(gone, s)
		} else {
			without.Sources = append(without.Sources, s)
		}
	}
	return without, gone
}

// Result is the record as statistics count it: as a daily puzzle, in every server where it was imported.
func (r Record) Result(player game.PlayerID, number int) game.Result {
	of := r.Of()
	status := map[bool]game.Status{true: game.Won, false: game.Lost}[of.Won]
	if !of.Won {
		of.Guesses = game.MaxAttempts
	}
	counts := game.Result{
		Match: "league", Kind: r.Kind(), Mode: game.Daily, Puzzle: game.NewspaperPuzzle(number), Status: status, Hard: of.Hard, Attempts: of.Guesses,
		Participants: []game.Participant{{Player: player, Guesses: of.Guesses, Outcome: status}}, Names: game.Names{}.With(player, r.Name),
	}
	for _, s := range r.Sources {
		if s.Guild != "" && !slices.Contains(counts.Guilds, s.Guild) {
			counts.Guilds = append(counts.Guilds, s.Guild)
		}
	}
	return counts
}

// Tally counts a player's totals from all records, by number.
//
// The log position of totals everywhere is the number of sources that they count. So every change of a record changes totals, and of
// two changes that meet, a store notices the second.
func Tally(player game.PlayerID, records map[int]Record) statistics.Tally {
	tally, sources := statistics.Tally{}, map[statistics.Scope]uint64{}
	for _, number := range slices.Sorted(maps.Keys(records)) {
		if r := records[number]; len(r.Sources) > 0 {
			result := r.Result(player, number)
			tally.Add(result, result.Participants[0])
			sources[statistics.Scope{Kind: result.Kind}] += uint64(len(r.Sources))
		}
	}
	for scope, n := range sources {
		total := tally[scope]
		total.LogPosition = n
		tally[scope] = total
	}
	return tally
}
