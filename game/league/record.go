package league

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fivefold/game"
	"fivefold/game/marks"
)

// Attempts is the number of guesses in the newspaper's puzzle.
const Attempts = 6

// Is reports whether a kind is one of this package.
func Is(k game.Kind) bool { return k == Official || k == Claimed }

// The errors of [Result.Check].
var (
	ErrFuture  = errors.New("a result of a puzzle that is not out yet")
	ErrInvalid = errors.New("not a result")
)

// Check returns nil if by, a request with a time, can bring the result along. Otherwise the error wraps [ErrInvalid], [ErrFuture] or, for a
// claim of another player, [game.ErrNotOwn].
func (r Result) Check(by game.Origin) error {
	switch {
	case r.Number < 0, r.Won && (r.Guesses < 1 || r.Guesses > Attempts), r.Player == "" && CheckName(by, r.Name) != nil:
		return ErrInvalid
	case r.Number > Latest(by.Made):
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

// Record is all that was brought along of one player's result.
type Record struct {
	Name    string   `json:",omitzero"` // the player's global display name, if it is known
	Sources []Source `json:",omitzero"`
}

// Of returns the source that says how it went: the first official one or, without any, the first. Without a source it is zero.
func (r Record) Of() Source {
	of := slices.IndexFunc(r.Sources, func(s Source) bool { return s.Official })
	return append(slices.Clip(r.Sources), Source{})[max(0, of)]
}

// With returns the record with one more source, and whether that was added. Of those in one server, under one name, the first
// stays.
func (r Record) With(s Source) (with Record, added bool) {
	if slices.ContainsFunc(r.Sources, func(o Source) bool { return o.Guild == s.Guild && o.Alias == s.Alias && o.Official == s.Official }) {
		return r, false
	}
	r.Sources = append(slices.Clip(r.Sources), s)
	return r, true
}

// Result is the record as statistics count it: as a daily puzzle, in every server where it was imported. Without a source it is zero.
func (r Record) Result(player game.PlayerID, number int) game.Result {
	if len(r.Sources) == 0 {
		return game.Result{}
	}
	of, kind, status := r.Of(), Claimed, game.Won
	if of.Official {
		kind = Official
	}
	if !of.Won {
		of.Guesses, status = Attempts, game.Lost
	}
	counts := game.Result{
		Match: "league", Kind: kind, Mode: game.Daily, Puzzle: game.NewspaperPuzzle(number), Status: status, Attempts: of.Guesses, Limit: Attempts,
		Hard:         map[bool]marks.Hardness{true: marks.Hard}[of.Hard],
		Participants: []game.Participant{{Player: player, Guesses: of.Guesses, Outcome: status}}, Names: game.Names{}.With(player, r.Name),
	}
	for _, s := range r.Sources {
		if s.Guild != "" && !slices.Contains(counts.Guilds, s.Guild) {
			counts.Guilds = append(counts.Guilds, s.Guild)
		}
	}
	return counts
}

// Results are a player's records, in the order in which statistics count them: that of their numbers.
func Results(player game.PlayerID, records map[int]Record) (all []game.Result) {
	for _, number := range slices.Sorted(maps.Keys(records)) {
		all = append(all, records[number].Result(player, number))
	}
	return all
}
