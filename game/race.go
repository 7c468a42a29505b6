package game

import (
	"cmp"
	"slices"
	"time"
)

// Race is a puzzle that several players solve at the same time, each in a match of their own. Their [Standing] is in those
// matches alone. It begins when its starter says so, or a moment after the second player has joined. Whether a guess counts
// depends only on when it was made.
type Race struct {
	ID       MatchID // also the id of the puzzle
	Version  uint64  // counts the commits
	Kind     Kind
	Location Location
	Starter  PlayerID
	Hard     bool
	Time     time.Duration // from its beginning to its end
	// Posted, Begins and Ends are by Discord's clock, where the ids of requests hold it. Begins is zero until it is known; then
	// it never changes. Until then, Ends is when the race is withdrawn.
	Posted, Begins, Ends time.Time
	Racers               []Racer    // as they joined
	Over                 time.Time  // when its end was stored; zero until then
	Challenge            *Challenge `json:",omitempty"` // set if the starter has given the puzzle
	// Given is the puzzle of a challenge when it is stored first, and nil otherwise.
	Given State `json:"-"`
}

// Racer is a player in a race, with their match.
type Racer struct {
	Player PlayerID
	Match  MatchID
}

// MostRacers is how many players a race can have. It takes from 1 to MostRaceMinutes, as its starter wants.
const (
	MostRacers      = 16
	MostRaceMinutes = 60
)

// RaceWaits is how long a race waits for its beginning before it is withdrawn. Countdown is the time from when the second player
// joins to its beginning. raceKept is how long it is kept after its end, so that its board can still be shown. raceGrace is how
// long after its end guesses may still come that were made before it.
const (
	RaceWaits = 10 * time.Minute
	Countdown = 15 * time.Second
	raceKept  = time.Hour
	raceGrace = 3 * time.Second
)

// Mode returns the mode of the racers' matches.
func (r Race) Mode() Mode {
	if r.Challenge != nil {
		return Challenged
	}
	return Racing
}

// Withdrawn reports whether it ended before it began.
func (r Race) Withdrawn() bool {
	return !r.Over.IsZero() && (r.Begins.IsZero() || !r.Begins.Before(r.Ends))
}

// WithBeginning returns the race with its beginning, unless that is known already.
func (r Race) WithBeginning(at time.Time) Race {
	if r.Begins.IsZero() {
		r.Begins, r.Ends = at, at.Add(r.Time)
	}
	return r
}

// racePrefix begins the ids of races, which are those of their puzzles too.
const racePrefix = "race-"

// RaceID returns the id of the race that a request starts.
func RaceID(r RequestID) MatchID { return racePrefix + MatchID(r) }

// Puzzle returns the id of the puzzle that the racers share.
func (r Race) Puzzle() PuzzleID { return PuzzleID(r.ID) }

// Due returns when something is to be done about the race without a request: when it is to end or, once it is over, when it need
// not be kept any longer.
func (r Race) Due() time.Time {
	if r.Over.IsZero() {
		return r.Ends.Add(raceGrace)
	}
	return r.Over.Add(raceKept)
}

// Closed reports whether the race takes no more guesses: it is over, or its challenge was removed.
func (r Race) Closed() bool { return !r.Over.IsZero() || r.Removed() }

// Removed reports whether it was a challenge that a moderator has removed.
func (r Race) Removed() bool { return r.Challenge != nil && !r.Challenge.Shown() }

// Runs reports whether the race can be joined at a time. Once it does not, it never does again.
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
	Rank   int   // from 1, of those who have solved it; players who are level share one; 0 for all others
}

// Is reports whether the racer's match is kept and has the status.
func (s Standing) Is(status Status) bool { return s.Match.Version > 0 && s.Match.Status() == status }

// gone is more than the version of any match of a race.
const gone = 1 << 8

// BoardVersion returns the version of what is shown of a race with its standings. It grows with every commit of the race and of
// its matches, so that a guess changes no record that the racers share. It never falls: a match that is no longer kept, since its
// player has cleared the history, counts more than it did.
func (r Race) BoardVersion(all []Standing) uint64 {
	version := r.Version
	for _, s := range all {
		version += cmp.Or(s.Match.Version, gone)
	}
	return version
}
