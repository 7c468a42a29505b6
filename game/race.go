package game

import (
	"cmp"
	"fivefold/game/marks"
	"slices"
	"time"
)

// Race is a puzzle that several players solve at the same time, each in a match of their own. These matches alone hold the
// players' [Standing]. The race begins when its starter says so, or a moment after the second player has joined. Whether a guess
// counts depends only on when it was made.
type Race struct {
	ID       MatchID // also the id of the puzzle
	Version  uint64  // counts the commits
	Kind     Kind
	Location Location
	Starter  PlayerID
	Hard     marks.Hardness `json:",omitzero"`
	Time     time.Duration  // from its beginning to its end
	// Posted, Begins and Ends go by the clock of requests: see [Origin.Made]. Begins is zero until the beginning is known; then
	// it never changes. While Begins is zero, Ends is when the race is withdrawn.
	Posted, Begins, Ends time.Time
	Racers               []Racer    // as they joined
	Over                 time.Time  // when its end was stored; zero until then
	Challenge            *Challenge `json:",omitempty"` // set if the starter has given the puzzle
	Names                Names      `json:",omitempty"` // of the starter and the racers, as each had it when joining
	// Given is the puzzle of a challenge that is stored for the first time, else nil.
	Given State `json:"-"`
}

// Racer is a player in a race, with their match.
type Racer struct {
	Player PlayerID
	Match  MatchID
}

// MostPlayers is how many players can join a race, or a match in turns or by vote. The starter of a race chooses a time of 1 to MostRaceMinutes minutes.
const (
	MostPlayers     = 16
	MostRaceMinutes = 60
)

// RaceWaits is how long a race waits for its beginning before it is withdrawn. Countdown is the time from the second player's
// joining to the beginning. raceKept is how long a race is kept after its end, so that its board can still be shown. raceGrace is
// how long after the end of a race guesses may still arrive that were made before.
const (
	RaceWaits = 10 * time.Minute
	Countdown = 15 * time.Second
	raceKept  = time.Hour
	raceGrace = 3 * time.Second
)

// Without returns the race with a player made anonymous, as [Match.Without] does.
func (r Race) Without(p PlayerID) Race { return r.Renamed(anonymous(p)) }

// Renamed is [Match.Renamed] for a race.
func (r Race) Renamed(as func(PlayerID) PlayerID) Race {
	r.Challenge = r.Challenge.renamed(r.Starter, as)
	r.Starter, r.Names = as(r.Starter), r.Names.Of(func(p PlayerID) bool { return as(p) == p })
	r.Racers = Each(r.Racers, func(racer Racer) Racer { return Racer{as(racer.Player), racer.Match} })
	return r
}

// Named reports whether the race names a player.
func (r Race) Named(p PlayerID) bool { return r.Starter == p || r.Index(p) >= 0 }

// Mode returns the mode of the racers' matches.
func (r Race) Mode() Mode {
	if r.Challenge != nil {
		return Challenged
	}
	return Racing
}

// Withdrawn reports whether the race ended before it began.
func (r Race) Withdrawn() bool {
	return !r.Over.IsZero() && (r.Begins.IsZero() || !r.Begins.Before(r.Ends))
}

// WithBeginning returns the race as beginning at a time, unless its beginning is known already.
func (r Race) WithBeginning(at time.Time) Race {
	if r.Begins.IsZero() {
		r.Begins, r.Ends = at, at.Add(r.Time)
	}
	return r
}

// racePrefix begins the ids of races. A race's puzzle has the same id.
const racePrefix = "race-"

// RaceID returns the id of the race that a request starts.
func RaceID(r RequestID) MatchID { return racePrefix + MatchID(r) }

// Puzzle returns the id of the puzzle that the racers share.
func (r Race) Puzzle() PuzzleID { return PuzzleID(r.ID) }

// Due returns when [matches.Manager.MeetDeadlines] is to end the race or, once the race is over, to remove it.
func (r Race) Due() time.Time {
	if r.Over.IsZero() {
		return r.Ends.Add(raceGrace)
	}
	return r.Over.Add(raceKept)
}

// Closed reports whether the race takes no more guesses: it is over, or its challenge was removed.
func (r Race) Closed() bool { return !r.Over.IsZero() || r.Removed() }

// Removed reports whether the race was a challenge that has been removed.
func (r Race) Removed() bool { return r.Challenge != nil && !r.Challenge.Shown() }

// Runs reports whether the race can be joined at a time. A race that no longer runs never runs again.
func (r Race) Runs(at time.Time) bool { return !r.Closed() && at.Before(r.Ends) }

// Index returns which of the racers a player is, or -1.
func (r Race) Index(p PlayerID) int {
	return slices.IndexFunc(r.Racers, func(racer Racer) bool { return racer.Player == p })
}

// MayEnd reports whether a player may end a race for everybody: one who may manage its channel or, for a challenge, its giver.
func (r Race) MayEnd(p PlayerID, mayManage bool) bool {
	return mayManage || r.Challenge != nil && r.Starter == p
}

// Standing is how a player does in a race.
type Standing struct {
	Player PlayerID
	Match  Match // zero if it is no longer kept
	Rank   int   // from 1, shared by players who are level; 0 for players who have not solved the puzzle
}

// Is reports whether the racer's match is kept and has the status.
func (s Standing) Is(status Status) bool { return s.Match.Version > 0 && s.Match.Status() == status }

// gone is more than the version of any match of a race.
const gone = 1 << 8

// BoardVersion returns the version of the race's board: the sum of the versions of the race and of its matches. It grows with
// every commit of these, so a guess need not change a record that the racers share. It never falls: a match that is no longer
// kept, since its player has deleted their data, counts as gone.
func (r Race) BoardVersion(all []Standing) uint64 {
	version := r.Version
	for _, s := range all {
		version += cmp.Or(s.Match.Version, gone)
	}
	return version
}
