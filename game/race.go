package game

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"
)

// Race is a puzzle that several players solve at the same time, each in a match of their own. How they do is in
// those matches alone: see [Manager.Standings]. It begins when its starter says so, or a moment after the second
// player has joined. Whether a guess counts depends only on when it was made.
type Race struct {
	ID       MatchID // also the id of the puzzle
	Version  uint64  // counts the commits
	Kind     Kind
	Location Location
	Starter  PlayerID
	Hard     bool
	Time     time.Duration // from its beginning to its end
	// Posted, Begins and Ends are by Discord's clock, where the ids of requests hold it. Begins is zero until it is
	// known; then it never changes. Until then, Ends is when the race is withdrawn.
	Posted, Begins, Ends time.Time
	Racers               []Racer    // in the order in which they joined
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

// MostRacers is how many players a race can have.
const MostRacers = 16

// raceWaits is how long a race waits for its beginning before it is withdrawn, and Countdown the time from when the
// second player joins to its beginning. raceKept is how long it is kept after its end, so that its board can still be
// shown. raceGrace is how long after its end guesses may still come that were made before it.
const (
	raceWaits = 10 * time.Minute
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

// beginning returns the race with its beginning, unless that is known already.
func (r Race) beginning(at time.Time) Race {
	if r.Begins.IsZero() {
		r.Begins, r.Ends = at, at.Add(r.Time)
	}
	return r
}

// Puzzle returns the id of the puzzle that the racers share.
func (r Race) Puzzle() PuzzleID { return PuzzleID(r.ID) }

// Due returns when something is to be done about the race without a request: when it is to end or, once it
// is over, when it need not be kept any longer.
func (r Race) Due() time.Time {
	if r.Over.IsZero() {
		return r.Ends.Add(raceGrace)
	}
	return r.Over.Add(raceKept)
}

// Closed reports whether nobody is to play in the race any more: it is over, or its challenge was removed.
func (r Race) Closed() bool { return !r.Over.IsZero() || r.removed() }

func (r Race) removed() bool { return r.Challenge != nil && !r.Challenge.Shown() }

// runs reports whether the race can be joined at a time. Once it does not, it never does again.
func (r Race) runs(at time.Time) bool { return !r.Closed() && at.Before(r.Ends) }

// racer returns which of the racers a player is, or -1.
func (r Race) racer(p PlayerID) int {
	return slices.IndexFunc(r.Racers, func(racer Racer) bool { return racer.Player == p })
}

// RaceStore keeps races. It is safe for concurrent use.
type RaceStore interface {
	// Race returns a race of a channel, or [ErrRaceOver] if none is kept.
	Race(ctx context.Context, k Kind, c ChannelID, id MatchID) (Race, error)
	// Races returns the races of a channel that are kept, in the order of their ids.
	Races(ctx context.Context, k Kind, c ChannelID) ([]Race, error)
	// DueRaces returns races whose [Race.Due] is not after a time, the earliest first, limit at most.
	DueRaces(ctx context.Context, by time.Time, limit int) ([]Race, error)
	// CommitRace stores a race durably. It returns [ErrConflict] unless the version before is stored: none
	// before version 1, and then no other race that is run in the channel, apart from challenges.
	CommitRace(ctx context.Context, r Race) error
	// RemoveRace removes a race that is over, with its puzzle and its board message.
	RemoveRace(ctx context.Context, r Race) error
}

// RaceOptions are what a player chooses when starting a race.
type RaceOptions struct {
	Kind Kind
	Hard bool
	Time time.Duration // at least a minute
	// Again has a race begin that the player has started before and that still waits.
	Again bool
}

// StartRace starts a race in the channel and has the player join it. If one is run there already, also one that
// another process has started at the same moment, the player joins that. It returns the player's match too. The
// error is [ErrKind], [ErrMode] or as in [Manager.JoinRace].
func (m *Manager) StartRace(ctx context.Context, o Origin, opts RaceOptions) (Race, Match, error) {
	_, err := m.racing(opts.Kind)
	if err := errors.Join(err, o.Check()); err != nil {
		return Race{}, Match{}, err
	}
	at := o.Request.MadeOr(m.now())
	r := Race{
		ID: MatchID(racePrefix + string(o.Request)), Version: 1, Kind: opts.Kind, Location: o.Location, Starter: o.Player, Hard: opts.Hard,
		Time: opts.Time, Posted: at, Ends: at.Add(raceWaits),
	}
	for range 2 {
		all, err := m.Store.Races(ctx, opts.Kind, o.Location.Channel)
		if err != nil {
			return Race{}, Match{}, err
		}
		if i := slices.IndexFunc(all, func(r Race) bool { return r.runs(at) && r.Challenge == nil }); i >= 0 {
			if opts.Again && all[i].Starter == o.Player && all[i].ID != r.ID {
				return m.BeginRace(ctx, o, opts.Kind, all[i].ID)
			}
			return m.join(ctx, o, all[i])
		}
		switch own, err := m.Store.Load(ctx, OwnSlot(r.Kind, Racing, o.Player, o.Location)); {
		case err != nil:
		case own.ID == MatchID(o.Request): // a repeated request
			return Race{}, Match{}, ErrRaceOver
		case own.Status() == Playing:
			if err := m.leave(ctx, o, own); err != nil {
				return Race{}, own, err
			}
		}
		if err = m.Store.CommitRace(o.ForCommit(ctx), r); err == nil {
			return m.join(ctx, o, r)
		}
		if !errors.Is(err, ErrConflict) {
			return Race{}, Match{}, err
		}
	}
	return Race{}, Match{}, ErrRaceOver // of a repeated request, too
}

// racing returns the rules of a kind that can be raced.
func (m *Manager) racing(k Kind) (Rules, error) {
	rules, err := m.rules(k)
	if err == nil && !rules.Races {
		err = ErrMode
	}
	return rules, err
}

// JoinRace has a player join a race of the channel, and returns the player's match in it, the same one if
// the player has joined before. The error is [ErrRaceOver], [ErrRaceFull], [ErrGiver], [ErrAlreadyPlaying] with the
// match of another race that the player is in, or one of the store.
func (m *Manager) JoinRace(ctx context.Context, o Origin, k Kind, id MatchID) (Race, Match, error) {
	r, err := m.Store.Race(ctx, k, o.Location.Channel, id)
	if err != nil {
		return Race{}, Match{}, err
	}
	return m.join(ctx, o, r)
}

// BeginRace begins a race that the player has started, and has the player join it. A race that has begun, or is about
// to, stays as it is. The error is [ErrNotAllowed] for other players, or as in [Manager.JoinRace].
func (m *Manager) BeginRace(ctx context.Context, o Origin, k Kind, id MatchID) (Race, Match, error) {
	r, err := m.askedOfRace(ctx, o, k, id, func(r Race, at time.Time) (Race, error) {
		switch {
		case r.Starter != o.Player:
			return r, ErrNotAllowed
		case !r.Begins.IsZero():
			return r, errUnchanged
		}
		return r.beginning(at), nil
	})
	if err != nil {
		return r, Match{}, err
	}
	return m.join(ctx, o, r)
}

// join is JoinRace for a race that was read. The match is stored first, so that nobody is in a race without one.
func (m *Manager) join(ctx context.Context, o Origin, r Race) (Race, Match, error) {
	rules, err := m.racing(r.Kind)
	at := o.Request.MadeOr(m.now())
	switch {
	case err != nil:
		return r, Match{}, err
	case !r.runs(at):
		return r, Match{}, ErrRaceOver
	case r.Challenge != nil && r.Starter == o.Player:
		return r, Match{}, ErrGiver
	}
	if i := r.racer(o.Player); i >= 0 {
		own := r
		own.Racers = r.Racers[i : i+1]
		standings, err := m.Standings(ctx, own)
		if err != nil {
			return r, Match{}, err
		}
		match := standings[0].Match
		if match.Version == 0 { // the player has cleared it from the history
			err = ErrRaceOver
		}
		return r, match, err
	}
	if len(r.Racers) >= MostRacers {
		return r, Match{}, ErrRaceFull
	}
	match, err := m.enter(ctx, o, rules, r)
	if err != nil {
		return r, match, err
	}
	r, err = m.changeRace(ctx, r, func(r Race) (Race, error) {
		switch {
		case !r.runs(at):
			return r, ErrRaceOver
		case r.racer(o.Player) >= 0:
			return r, errUnchanged
		case len(r.Racers) >= MostRacers:
			return r, ErrRaceFull
		}
		r.Racers = append(slices.Clip(r.Racers), Racer{o.Player, match.ID})
		if len(r.Racers) == 2 {
			r = r.beginning(at.Add(Countdown))
		}
		return r, nil
	})
	if errors.Is(err, ErrRaceOver) || errors.Is(err, ErrRaceFull) { // meanwhile
		if failed := m.endAnyway(ctx, match, Stop{Idle: true}); failed != nil {
			err = failed
		}
		return r, Match{}, err
	}
	return r, match, err
}

// enter starts a racer's match. The error can be [ErrAlreadyPlaying], with the match of another race.
func (m *Manager) enter(ctx context.Context, o Origin, rules Rules, r Race) (Match, error) {
	start := func() (Match, error) {
		return m.begin(ctx, o, rules, OwnSlot(r.Kind, r.Mode(), o.Player, r.Location), Match{Mode: r.Mode(), Puzzle: r.Puzzle(), HintLimit: HintLimit{Limited: true}}, r.Hard)
	}
	match, err := start()
	if errors.Is(err, ErrAlreadyPlaying) && match.Puzzle != r.Puzzle() {
		if err = m.leave(ctx, o, match); err == nil {
			match, err = start()
		}
	}
	switch other := match.Puzzle != r.Puzzle(); {
	case other && err == nil: // a repeated request, which had started another race
		return Match{}, ErrRaceOver
	case !other: // it was started before
		err = nil
	}
	return match, err
}

// leave ends a match of a race that was over when the request was made, and that nobody has ended yet. Otherwise the error
// is [ErrAlreadyPlaying].
func (m *Manager) leave(ctx context.Context, o Origin, match Match) error {
	r, err := m.RaceOf(ctx, match)
	if err != nil || r.runs(o.Request.MadeOr(m.now())) {
		return cmp.Or(err, ErrAlreadyPlaying)
	}
	return m.endAnyway(ctx, match, Stop{Idle: true})
}

// errUnchanged: there is nothing to change.
var errUnchanged = errors.New("unchanged")

// changeRace changes the race with an id, and calls RaceChanged.
func (m *Manager) changeRace(ctx context.Context, r Race, change func(Race) (Race, error)) (Race, error) {
	unlock, _, err := m.races.Lock(ctx, string(r.ID))
	if err != nil {
		return r, err
	}
	defer unlock()
	for range maxTries {
		r, err = m.Store.Race(ctx, r.Kind, r.Location.Channel, r.ID)
		if err != nil {
			return r, err
		}
		next, failed := change(r)
		if errors.Is(failed, errUnchanged) {
			return r, nil
		}
		if failed != nil {
			return r, failed
		}
		next.Version++
		if err = m.Store.CommitRace(ctx, next); err == nil {
			m.tell(next, nil)
			return next, nil
		}
		if !errors.Is(err, ErrConflict) {
			return r, err
		}
	}
	return r, err
}

// askedOfRace is changeRace for a request about a race of its channel, which was made at a time. The error is [ErrRaceOver]
// unless the race ran then; nothing is changed in a challenge that was removed.
func (m *Manager) askedOfRace(ctx context.Context, o Origin, k Kind, id MatchID, change func(r Race, at time.Time) (Race, error)) (Race, error) {
	if err := o.Check(); err != nil {
		return Race{}, err
	}
	return m.changeRace(o.ForCommit(ctx), Race{ID: id, Kind: k, Location: o.Location}, func(r Race) (Race, error) {
		switch at := o.Request.MadeOr(m.now()); {
		case r.removed():
			return r, errUnchanged
		case !r.runs(at):
			return r, ErrRaceOver
		default:
			return change(r, at)
		}
	})
}

// tell calls RaceChanged.
func (m *Manager) tell(r Race, err error) {
	if m.RaceChanged != nil {
		m.RaceChanged(r, err)
	}
}

// moment returns the time of a guess or hint in a match: in a race that of the request, since the first
// to solve it wins. The error is [ErrRaceOver], a *[NotBegunError], [ErrGiver] or one of the store.
func (m *Manager) moment(ctx context.Context, o Origin, match Match) (time.Time, error) {
	if match.Challenge != nil && o.Player == match.Starter {
		return time.Time{}, ErrGiver
	}
	if !match.Mode.Raced() {
		return m.now(), nil
	}
	at := o.Request.MadeOr(m.now())
	switch r, err := m.RaceOf(ctx, match); {
	case err != nil:
		return at, err
	case !r.runs(at):
		return at, ErrRaceOver
	case r.Begins.IsZero() || at.Before(r.Begins):
		return at, &NotBegunError{r}
	}
	return at, nil
}

// RaceOf returns the race of a match; a zero one, which is over, for a match in another mode and once the race is no
// longer kept.
func (m *Manager) RaceOf(ctx context.Context, match Match) (Race, error) {
	if !match.Mode.Raced() {
		return Race{}, nil
	}
	r, err := m.Store.Race(ctx, match.Kind, match.Location.Channel, MatchID(match.Puzzle))
	if errors.Is(err, ErrRaceOver) {
		err = nil
	}
	return r, err
}

// StillRacing reports whether the match is of a race that others may still be in, so that its answer must be
// kept from them.
func (m *Manager) StillRacing(ctx context.Context, match Match) (bool, error) {
	r, err := m.RaceOf(ctx, match)
	return r.runs(m.requestNow()), err
}

// Conceals reports whether a match of the race with this status still hides its answer from its own player. It does if the
// player has given up or lost while others may go on, or if the challenge was removed.
func (m *Manager) Conceals(r Race, s Status) bool {
	return s != Playing && s != Won && (r.runs(m.requestNow()) || r.removed())
}

// raced announces a change in a racer's match. It also ends the race if all racers are done; a lone racer ends it only before
// it begins, since others may still join.
func (m *Manager) raced(ctx context.Context, match Match) {
	if !match.Mode.Raced() || match.Version == 1 {
		return
	}
	r, err := m.RaceOf(ctx, match)
	if err == nil && r.Version == 0 {
		return
	}
	if err == nil && match.Status() != Playing && r.Challenge == nil && (len(r.Racers) > 1 || r.Begins.IsZero()) {
		var all []Standing
		all, err = m.Standings(ctx, r)
		if err == nil && !slices.ContainsFunc(all, func(s Standing) bool { return s.is(Playing) }) {
			_, err = m.endRace(ctx, r)
		}
	}
	m.tell(r, err)
}

// endRace notes that a race is over, unless somebody has joined or begun it meanwhile. It returns the race.
func (m *Manager) endRace(ctx context.Context, was Race) (Race, error) {
	return m.changeRace(ctx, was, func(r Race) (Race, error) {
		if len(r.Racers) > len(was.Racers) || !r.Ends.Equal(was.Ends) || !r.Over.IsZero() {
			return r, errUnchanged
		}
		r.Over = m.requestNow()
		return r, nil
	})
}

// MayEnd reports whether a player may end a race for everybody: one who may manage its channel or, for a challenge, its giver.
func (r Race) MayEnd(p PlayerID, mayManage bool) bool {
	return mayManage || r.Challenge != nil && r.Starter == p
}

// EndRace ends a race for everybody, and removes a challenge. The error is [ErrRaceOver], [ErrNotAllowed] or one of the store.
func (m *Manager) EndRace(ctx context.Context, o Origin, k Kind, id MatchID, mayManage bool) (Race, error) {
	r, err := m.askedOfRace(ctx, o, k, id, func(r Race, at time.Time) (Race, error) {
		if !r.MayEnd(o.Player, mayManage) {
			return r, ErrNotAllowed
		}
		if r.Challenge != nil {
			r.Challenge = &Challenge{r.Challenge.Clue, Removed}
		}
		r.Ends = at // EndRaces does what is cut off below
		return r, nil
	})
	if err == nil {
		err = m.stopRacers(ctx, r, Stop{Player: o.Player})
	}
	if err != nil {
		return r, err
	}
	return m.endRace(ctx, r)
}

// racesAtOnce is how many due races are looked at at once.
const racesAtOnce = 50

// raceLease is how long one process keeps others from ending races.
const raceLease = time.Minute

// EndRaces ends the races whose time is over: it stops the matches that are still played. It also removes
// races that ended long ago. If that fails for one, it goes on with the others. Time goes as in
// [Manager.EndIdle].
func (m *Manager) EndRaces(ctx context.Context) error {
	due, err := m.Store.DueRaces(ctx, m.requestNow(), racesAtOnce)
	if err != nil || len(due) == 0 {
		return err
	}
	done, err := m.takeWork(ctx, "races", raceLease)
	if done == nil {
		return err
	}
	defer done()
	for _, r := range due {
		failed := m.stopRacers(ctx, r, Stop{Idle: true}) // of one that is over, too: that may have been cut off
		switch {
		case failed != nil:
		case r.Over.IsZero():
			_, failed = m.endRace(ctx, r)
		default:
			failed = m.Store.RemoveRace(ctx, r)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// stopRacers stops the matches of a race that are still played, also those in which somebody guesses meanwhile.
func (m *Manager) stopRacers(ctx context.Context, r Race, stop Stop) error {
	all, err := m.Standings(ctx, r)
	for _, s := range all {
		if s.is(Playing) {
			err = errors.Join(err, m.endAnyway(ctx, s.Match, stop))
		}
	}
	return err
}

// raceTick is how often races are looked for whose time is over.
const raceTick = 5 * time.Second

// KeepEndingRaces calls [Manager.EndRaces] every few seconds until ctx ends. It begins half a minute after its
// call: the clock of a machine that has just started may not be set yet.
func (m *Manager) KeepEndingRaces(ctx context.Context, log *slog.Logger) {
	Keep(ctx, log, "could not end races", time.Minute/2, raceTick, func() error { return m.EndRaces(ctx) })
}
