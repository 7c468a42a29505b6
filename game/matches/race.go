package matches

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/work"
)

// RaceOptions are the choices of a player who starts a race.
type RaceOptions struct {
	Kind game.Kind
	Hard marks.Hardness
	Time time.Duration // at least a minute
	// Again begins a race that the player has started before and that still waits.
	Again bool
}

// StartRace starts a race in the channel and has the player join it, or joins the race that is already on there. The error is
// [game.ErrKind], [game.ErrMode] or as in [Manager.JoinRace].
func (m *Manager) StartRace(ctx context.Context, o game.Origin, opts RaceOptions) (game.Race, game.Match, error) {
	_, err := m.racing(opts.Kind)
	if err := errors.Join(err, o.Check()); err != nil {
		return game.Race{}, game.Match{}, err
	}
	at := m.made(o)
	r := game.Race{
		ID: game.RaceID(o.Request), Version: 1, Kind: opts.Kind, Location: o.Location, Starter: o.Player, Hard: opts.Hard,
		Time: opts.Time, Posted: at, Ends: at.Add(game.RaceWaits), Names: game.Names(nil).With(o.Player, o.Name),
	}
	for range 2 { // twice, since another process may start a race at the same moment
		all, err := m.Store.Races(ctx, opts.Kind, o.Location.Channel)
		if err != nil {
			return game.Race{}, game.Match{}, err
		}
		if i := slices.IndexFunc(all, func(r game.Race) bool { return r.Runs(at) && r.Challenge == nil }); i >= 0 {
			if opts.Again && all[i].Starter == o.Player && all[i].ID != r.ID {
				return m.BeginRace(ctx, o, opts.Kind, all[i].ID)
			}
			return m.join(ctx, o, all[i])
		}
		switch own, err := m.Store.Load(ctx, game.OwnSlot(r.Kind, game.Racing, o.Player, o.Location)); {
		case err != nil:
		case own.ID == game.MatchID(o.Request): // a repeated request
			return game.Race{}, game.Match{}, game.ErrRaceOver
		case own.Status() == game.Playing:
			if err := m.leave(ctx, o, own); err != nil {
				return game.Race{}, own, err
			}
		}
		if err = m.Store.CommitRace(o.ForCommit(ctx), r); err == nil {
			return m.join(ctx, o, r)
		}
		if !errors.Is(err, game.ErrConflict) {
			return game.Race{}, game.Match{}, err
		}
	}
	return game.Race{}, game.Match{}, game.ErrRaceOver // also for a repeated request
}

// racing returns the rules of a kind that can be raced.
func (m *Manager) racing(k game.Kind) (game.Rules, error) {
	rules, err := m.RulesOf(k)
	if err == nil && !rules.Races() {
		err = game.ErrMode
	}
	return rules, err
}

// JoinRace has a player join a race of the channel, and returns the player's match in it, the same match at every call. The error
// is [game.ErrRaceOver], [game.ErrFull], [game.ErrGiver], [game.ErrAlreadyPlaying] with the match of another race that the
// player is in, or one of the store.
func (m *Manager) JoinRace(ctx context.Context, o game.Origin, k game.Kind, id game.MatchID) (game.Race, game.Match, error) {
	r, err := m.Store.Race(ctx, k, o.Location.Channel, id)
	if err != nil {
		return game.Race{}, game.Match{}, err
	}
	return m.join(ctx, o, r)
}

// BeginRace begins a race that the player has started, and has the player join it. If the beginning is known, it stays. The error
// is [game.ErrNotAllowed] for other players, or as in [Manager.JoinRace].
func (m *Manager) BeginRace(ctx context.Context, o game.Origin, k game.Kind, id game.MatchID) (game.Race, game.Match, error) {
	r, err := m.askedOfRace(ctx, o, k, id, func(r game.Race, at time.Time) (game.Race, error) {
		switch {
		case r.Starter != o.Player:
			return r, game.ErrNotAllowed
		case !r.Begins.IsZero():
			return r, errUnchanged
		}
		return r.WithBeginning(at), nil
	})
	if err != nil {
		return r, game.Match{}, err
	}
	return m.join(ctx, o, r)
}

// join is JoinRace for a race that is loaded. It stores the match before the race, so that every racer has a match.
func (m *Manager) join(ctx context.Context, o game.Origin, r game.Race) (game.Race, game.Match, error) {
	rules, err := m.racing(r.Kind)
	at := m.made(o)
	switch {
	case err != nil:
		return r, game.Match{}, err
	case !r.Runs(at):
		return r, game.Match{}, game.ErrRaceOver
	case r.Challenge != nil && r.Starter == o.Player:
		return r, game.Match{}, game.ErrGiver
	}
	if i := r.Index(o.Player); i >= 0 {
		own := r
		own.Racers = r.Racers[i : i+1]
		standings, err := m.Standings(ctx, own)
		if err != nil {
			return r, game.Match{}, err
		}
		match := standings[0].Match
		if match.Version == 0 { // the player has deleted it
			err = game.ErrRaceOver
		}
		return r, match, err
	}
	if len(r.Racers) >= game.MostPlayers {
		return r, game.Match{}, game.ErrFull
	}
	match, err := m.enter(ctx, o, rules, r)
	if err != nil {
		return r, match, err
	}
	r, err = m.changeRace(ctx, r, func(r game.Race) (game.Race, error) {
		switch {
		case !r.Runs(at):
			return r, game.ErrRaceOver
		case r.Index(o.Player) >= 0:
			return r, errUnchanged
		case len(r.Racers) >= game.MostPlayers:
			return r, game.ErrFull
		}
		r.Racers = append(slices.Clip(r.Racers), game.Racer{Player: o.Player, Match: match.ID})
		r.Names = r.Names.With(o.Player, o.Name)
		if len(r.Racers) == 2 {
			r = r.WithBeginning(at.Add(game.Countdown))
		}
		return r, nil
	})
	if errors.Is(err, game.ErrRaceOver) || errors.Is(err, game.ErrFull) { // meanwhile
		return r, game.Match{}, cmp.Or(m.endAnyway(ctx, match, game.Origin{}), err)
	}
	return r, match, err
}

// enter starts a racer's match. The error can be [game.ErrAlreadyPlaying], with the match of another race.
func (m *Manager) enter(ctx context.Context, o game.Origin, rules game.Rules, r game.Race) (game.Match, error) {
	start := func() (game.Match, error) {
		return m.startIn(ctx, o, rules, game.OwnSlot(r.Kind, r.Mode(), o.Player, r.Location), game.Match{Mode: r.Mode(), Puzzle: r.Puzzle(), HintLimit: game.HintLimit{Limited: true}}, r.Hard)
	}
	match, err := start()
	if errors.Is(err, game.ErrAlreadyPlaying) && match.Puzzle != r.Puzzle() {
		if err = m.leave(ctx, o, match); err == nil {
			match, err = start()
		}
	}
	switch other := match.Puzzle != r.Puzzle(); {
	case other && err == nil: // a repeated request, for another race
		return game.Match{}, game.ErrRaceOver
	case !other: // the match of this race was started before
		err = nil
	}
	return match, err
}

// leave ends a match if its race was over when the request was made. Otherwise the error is [game.ErrAlreadyPlaying].
func (m *Manager) leave(ctx context.Context, o game.Origin, match game.Match) error {
	r, err := m.RaceOf(ctx, match)
	if err != nil || r.Runs(m.made(o)) {
		return cmp.Or(err, game.ErrAlreadyPlaying)
	}
	return m.endAnyway(ctx, match, game.Origin{})
}

// errUnchanged means that there is nothing to change.
var errUnchanged = errors.New("unchanged")

// changeRace stores the change of the race with r's id, and calls RaceChanged. The changes of a race follow one another in this
// process, so RaceChanged gets them in their order.
func (m *Manager) changeRace(ctx context.Context, r game.Race, change func(game.Race) (game.Race, error)) (game.Race, error) {
	unlock, _, err := m.slots.Lock(ctx, game.Slot{Kind: r.Kind, Channel: r.Location.Channel, Puzzle: r.Puzzle()})
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
		if !errors.Is(err, game.ErrConflict) {
			return r, err
		}
	}
	return r, err
}

// askedOfRace is changeRace for a request about a race of its channel. The error is [game.ErrRaceOver] unless the race ran when
// the request was made. A removed challenge stays as it is.
func (m *Manager) askedOfRace(ctx context.Context, o game.Origin, k game.Kind, id game.MatchID, change func(r game.Race, at time.Time) (game.Race, error)) (game.Race, error) {
	if err := o.Check(); err != nil {
		return game.Race{}, err
	}
	return m.changeRace(o.ForCommit(ctx), game.Race{ID: id, Kind: k, Location: o.Location}, func(r game.Race) (game.Race, error) {
		switch at := m.made(o); {
		case r.Removed():
			return r, errUnchanged
		case !r.Runs(at):
			return r, game.ErrRaceOver
		default:
			return change(r, at)
		}
	})
}

// tell calls RaceChanged.
func (m *Manager) tell(r game.Race, err error) {
	if m.RaceChanged != nil {
		m.RaceChanged(r, err)
	}
}

// moveTime returns the time of a guess or hint in a match. In a race that is when the request was made, since the first to solve
// the puzzle wins; otherwise it is now. The error is [game.ErrRaceOver], a *[game.NotBegunError], [game.ErrGiver] or one of the
// store.
func (m *Manager) moveTime(ctx context.Context, o game.Origin, match game.Match) (time.Time, error) {
	if match.Challenge != nil && o.Player == match.Starter {
		return time.Time{}, game.ErrGiver
	}
	if !match.Mode.Raced() {
		return m.Clock(), nil
	}
	at := m.made(o)
	switch r, err := m.RaceOf(ctx, match); {
	case err != nil:
		return at, err
	case !r.Runs(at):
		return at, game.ErrRaceOver
	case r.Begins.IsZero() || at.Before(r.Begins):
		return at, &game.NotBegunError{Race: r}
	}
	return at, nil
}

// RaceOf returns the race of a match. It is zero for a match in another mode, and once the race is no longer kept.
func (m *Manager) RaceOf(ctx context.Context, match game.Match) (game.Race, error) {
	if !match.Mode.Raced() {
		return game.Race{}, nil
	}
	r, err := m.Store.Race(ctx, match.Kind, match.Location.Channel, game.MatchID(match.Puzzle))
	if errors.Is(err, game.ErrRaceOver) {
		err = nil
	}
	return r, err
}

// StillRacing reports whether others may still be in the race of a match.
func (m *Manager) StillRacing(ctx context.Context, match game.Match) (bool, error) {
	r, err := m.RaceOf(ctx, match)
	return r.Runs(m.Clock()), err
}

// Conceals reports whether a racer with this status must not see the answer. That is so after giving up or losing while the race
// runs, and after the challenge was removed.
func (m *Manager) Conceals(r game.Race, s game.Status) bool {
	return s != game.Playing && s != game.Won && (r.Runs(m.Clock()) || r.Removed())
}

// afterRaceMove announces a change in a racer's match, and ends the race if all racers are done. A lone racer ends it only before
// it begins, since others may still join.
func (m *Manager) afterRaceMove(ctx context.Context, match game.Match) {
	if !match.Mode.Raced() || match.Version == 1 {
		return
	}
	r, err := m.RaceOf(ctx, match)
	if err == nil && r.Version == 0 {
		return
	}
	if err == nil && match.Status() != game.Playing && r.Challenge == nil && (len(r.Racers) > 1 || r.Begins.IsZero()) {
		var all []game.Standing
		all, err = m.Standings(ctx, r)
		if err == nil && !slices.ContainsFunc(all, func(s game.Standing) bool { return s.Is(game.Playing) }) {
			_, err = m.endRace(ctx, r)
		}
	}
	m.tell(r, err)
}

// endRace stores that a race is over, unless a player has joined or begun it meanwhile. It returns the race.
func (m *Manager) endRace(ctx context.Context, was game.Race) (game.Race, error) {
	return m.changeRace(ctx, was, func(r game.Race) (game.Race, error) {
		if len(r.Racers) > len(was.Racers) || !r.Ends.Equal(was.Ends) || !r.Over.IsZero() {
			return r, errUnchanged
		}
		r.Over = m.Clock()
		return r, nil
	})
}

// EndRace ends a race for all players. If the race is a challenge, EndRace also marks it as removed. The error is
// [game.ErrRaceOver], [game.ErrNotAllowed] or one of the store.
func (m *Manager) EndRace(ctx context.Context, o game.Origin, k game.Kind, id game.MatchID, mayManage bool) (game.Race, error) {
	r, err := m.askedOfRace(ctx, o, k, id, func(r game.Race, at time.Time) (game.Race, error) {
		if !r.MayEnd(o.Player, mayManage) {
			return r, game.ErrNotAllowed
		}
		if r.Challenge != nil {
			r.Challenge = &game.Challenge{Clue: r.Challenge.Clue, Report: game.Removed}
		}
		r.Ends = at // if this call is cut off below, MeetDeadlines finishes it
		return r, nil
	})
	if err == nil {
		err = m.stopRacers(ctx, r, game.Origin{Player: o.Player, Name: o.Name, Made: r.Ends})
	}
	if err != nil {
		return r, err
	}
	return m.endRace(ctx, r)
}

const (
	dueAtOnce    = 50              // due races and matches that are read at once
	deadlineWork = time.Minute     // how long one process keeps others from carrying out deadlines
	deadlineTick = 2 * time.Second // between looks for races and matches that are due
)

// MeetDeadlines ends the races whose time is over, with the matches that are still played, and removes those that ended long ago.
// In matches in turns or by vote that are due, it passes the turn or plays the most wanted proposal. If that fails for one, it
// goes on with the others.
func (m *Manager) MeetDeadlines(ctx context.Context) error {
	races, due, err := m.Store.Due(ctx, m.Clock(), dueAtOnce)
	if err != nil || len(races)+len(due) == 0 {
		return err
	}
	done, err := work.Take(ctx, m.Work, "deadlines", deadlineWork)
	if done == nil {
		return err
	}
	defer done()
	for _, match := range due {
		err = errors.Join(err, m.meet(ctx, match))
	}
	for _, r := range races {
		failed := m.stopRacers(ctx, r, game.Origin{}) // also if the race is over: its end may have been cut off
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

// stopRacers stops the open matches of a race, even if their players guess meanwhile: see [Manager.end].
func (m *Manager) stopRacers(ctx context.Context, r game.Race, by game.Origin) error {
	all, err := m.Standings(ctx, r)
	for _, s := range all {
		if s.Is(game.Playing) {
			err = errors.Join(err, m.endAnyway(ctx, s.Match, by))
		}
	}
	return err
}

// KeepDeadlines calls [Manager.MeetDeadlines] every few seconds until ctx ends. The first call comes after half a minute: by then, a
// machine that has just started has set its clock.
func (m *Manager) KeepDeadlines(ctx context.Context, log *slog.Logger) {
	work.Keep(ctx, log, "could not carry out deadlines", time.Minute/2, deadlineTick, func() error { return m.MeetDeadlines(ctx) })
}
