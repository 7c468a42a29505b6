package matches

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
)

// Target says which match a player means: that of a kind and mode. The mode [game.Current] means the match that the player is
// playing in the channel.
type Target struct {
	Kind game.Kind
	Mode game.Mode
	// Match is the match that is meant, or empty for the latest one in the slot. If another match is the latest one, the error is
	// an *[game.OtherMatchError].
	Match game.MatchID

	found   *located // where the caller has found Match; nil if find must look for it
	version uint64   // which Match must still have, else the error is errMoved; 0 for any
}

// errMoved means that a match has changed since it was read.
var errMoved = errors.New("the match has changed meanwhile")

// check returns an error if the slot's latest match, which was loaded with err, is not the target's match or version. Otherwise
// it returns err.
func (t Target) check(latest game.Match, err error) error {
	if err == nil && t.version > 0 && (latest.ID != t.Match || latest.Version != t.version) {
		return errMoved
	}
	if (err == nil || errors.Is(err, game.ErrNoMatch)) && t.Match != "" && latest.ID != t.Match {
		return &game.OtherMatchError{Match: latest}
	}
	return err
}

// playing is check for a target that must still be played. If it is not, the error is [game.ErrEnded].
func (t Target) playing(latest game.Match, err error) error {
	if err = t.check(latest, err); err == nil && latest.Status() != game.Playing {
		return game.ErrEnded
	}
	return err
}

// located is a slot with its latest match, or with the error of [Store.Load]. Before the slot is loaded, it has neither.
type located struct {
	slot  game.Slot
	match game.Match
	err   error
}

// load loads the match of a slot, unless it is loaded.
func (m *Manager) load(ctx context.Context, at located) located {
	if at.match.Version == 0 && at.err == nil {
		at.match, at.err = m.Store.Load(ctx, at.slot)
	}
	return at
}

// find returns the slot that a target means. If it had to load slots to choose one, it returns the match too. [game.Current]
// means the match that is being played or, without one, the match that ended last. Matches that began in this channel go before
// the player's other ones of the community. A repeated request means the match that it was made in. The error is [game.ErrKind],
// [game.ErrMode], an [*game.AmbiguousError] if several matches are being played, or one of the store.
func (m *Manager) find(ctx context.Context, o game.Origin, t Target) (located, error) {
	if t.found != nil {
		return *t.found, nil
	}
	if _, err := m.RulesOf(t.Kind); err != nil {
		return located{}, err
	}
	channel := game.ChannelSlot(t.Kind, o.Location.Channel)
	switch t.Mode {
	case game.Together, game.Turns, game.Vote:
		return located{slot: channel}, nil
	case game.Racing, game.Challenged:
		if t.Match != "" { // the match may have begun in another community than the button's
			all, err := m.Store.Playing(ctx, game.PuzzleSlot(t.Kind, o.Player, game.PuzzleID(t.Mode)))
			for _, match := range all {
				if match.ID == t.Match {
					return located{slot: match.Slot(), match: match}, nil
				}
			}
			if err != nil {
				return located{}, err
			}
		}
		fallthrough
	case game.Solo, game.Practice:
		return located{slot: game.OwnSlot(t.Kind, t.Mode, o.Player, o.Location)}, nil
	case game.Daily:
		return m.daily(ctx, o, t.Kind)
	case game.Current:
		return m.current(ctx, o, t.Kind)
	}
	return located{}, fmt.Errorf("%q: %w", t.Mode, game.ErrMode)
}

// current is find for [game.Current].
func (m *Manager) current(ctx context.Context, o game.Origin, k game.Kind) (located, error) {
	all, err := m.candidates(ctx, o, k, true)
	if err != nil {
		return located{}, err
	}
	switch playing := nearest(all, o.Location, true); {
	case len(playing) == 1:
		return playing[0], nil
	case len(playing) > 1:
		if made, ok, err := m.repeated(ctx, o, playing[0].slot); ok || err != nil { // a repeated request, made in a match that has ended
			return located{slot: made.Slot(), match: made}, err
		}
		return located{}, &game.AmbiguousError{Modes: game.Each(playing, func(l located) game.Mode { return l.match.Mode })}
	}
	for _, f := range all {
		if f.err != nil { // it cannot be read, and may be the one that is played
			return f, nil
		}
	}
	if ended := nearest(all, o.Location, false); len(ended) > 0 {
		return lastOf(ended), nil
	}
	return located{slot: game.ChannelSlot(k, o.Location.Channel)}, nil
}

// candidates returns the matches that a player may mean in a channel: the channel's, and the player's own ones of the community.
// A slot whose match cannot be read is a candidate, too. If the request was made in a match that is still played, that match is
// the only candidate. If playing is set and one of the matches is being played, ended ones may be left out, which saves reading
// them.
func (m *Manager) candidates(ctx context.Context, o game.Origin, k game.Kind, playing bool) ([]located, error) {
	slots := []game.Slot{game.ChannelSlot(k, o.Location.Channel)}
	for _, mode := range []game.Mode{game.Solo, game.Racing, game.Challenged, game.Practice} {
		slots = append(slots, game.OwnSlot(k, mode, o.Player, o.Location))
	}
	n := len(slots)
	slots = append(slots, m.dailySlots(k, o.Player)...)
	loaded, err := m.Store.LoadSlots(ctx, slots, playing)
	if err != nil {
		return nil, err
	}
	if i := madeIn(o.Request, loaded); i >= 0 {
		return []located{{slot: slots[i], match: loaded[i].Match}}, nil
	}
	leftOut := slices.ContainsFunc(loaded, func(l Loaded) bool { return errors.Is(l.Err, game.ErrEnded) })
	var all []located
	for i, l := range loaded[:n] {
		all = append(all, located{slots[i], l.Match, l.Err})
	}
	all = append(all, latestDaily(o.Request, slots[n:], loaded[n:]))
	all = slices.DeleteFunc(all, func(l located) bool {
		return l.err != nil && !errors.Is(l.err, game.ErrUnreadable) || l.err == nil && l.match.Location.Community() != o.Location.Community()
	})
	if leftOut && len(nearest(all, o.Location, true)) == 0 { // the one that is being played is of another community
		return m.candidates(ctx, o, k, false)
	}
	return all, nil
}

// nearest returns the matches that are being played or, without playing, those that have ended. If any of them began here, it
// returns only these.
func nearest(all []located, here game.Location, playing bool) []located {
	var near, far []located
	for _, f := range all {
		switch {
		case f.err != nil || (f.match.Status() == game.Playing) != playing:
		case f.match.Location == here:
			near = append(near, f)
		default:
			far = append(far, f)
		}
	}
	if len(near) > 0 {
		return near
	}
	return far
}

// lastOf returns which of several matches ended last.
func lastOf(ended []located) located {
	return slices.MaxFunc(ended, func(a, b located) int { return a.match.Ended().Compare(b.match.Ended()) })
}

// daily is find for [game.Daily].
func (m *Manager) daily(ctx context.Context, o game.Origin, k game.Kind) (located, error) {
	slots := m.dailySlots(k, o.Player)
	loaded, err := m.Store.LoadSlots(ctx, slots, true)
	if err != nil {
		return located{}, err
	}
	latest := latestDaily(o.Request, slots, loaded)
	if errors.Is(latest.err, game.ErrEnded) { // it was left out
		latest.err = nil
	}
	return latest, nil
}

// Open returns a match of one of the kinds that the request's player has begun and can still play, in any community: the daily, the race or
// the challenge solved alone. The match is zero if there is none. The error is one of the store.
func (m *Manager) Open(ctx context.Context, o game.Origin, kinds ...game.Kind) (game.Match, error) {
	var slots []game.Slot
	for _, k := range kinds {
		slots = append(append(slots, m.dailySlots(k, o.Player)[:2]...), game.PuzzleSlot(k, o.Player, game.PuzzleID(game.Racing)), game.PuzzleSlot(k, o.Player, game.PuzzleID(game.Challenged)))
	}
	all, err := m.Store.Playing(ctx, slots...)
	for _, match := range all {
		r, err := m.RaceOf(ctx, match)
		open := r.Runs(m.made(o))
		if match.Mode == game.Daily {
			err = m.Secret(ctx, o.Player, match.Kind, match.Puzzle)
			_, open = errors.AsType[*game.SecretError](err)
		}
		switch {
		case open:
			return match, nil
		case err != nil:
			return game.Match{}, err
		}
	}
	return game.Match{}, err
}

// dailySlots are the player's slots for the puzzles of today, yesterday and the day before.
func (m *Manager) dailySlots(k game.Kind, p game.PlayerID) (slots []game.Slot) {
	today := m.Today()
	for n := range 3 {
		slots = append(slots, game.PuzzleSlot(k, p, game.DailyPuzzle(today-n)))
	}
	return slots
}

// latestDaily chooses one of dailySlots. For a repeated request it is the slot that the request was made in. Otherwise it is
// yesterday's, if that match is still being played and today's has not been started, else today's.
func latestDaily(request game.RequestID, slots []game.Slot, loaded []Loaded) located {
	latest := max(0, madeIn(request, loaded))
	today, yesterday := loaded[0], loaded[1]
	if latest == 0 && errors.Is(today.Err, game.ErrNoMatch) && !errors.Is(today.Err, game.ErrDeleted) && yesterday.Err == nil && yesterday.Match.Status() == game.Playing {
		latest = 1
	}
	return located{slots[latest], loaded[latest].Match, loaded[latest].Err}
}

// madeIn returns the index of the match that a request was made in, or -1. A request may be repeated after midnight, or after the
// player has started a later match, and must not count there as well. Repetitions come within a day, and the request may have
// been for the puzzle of the day before, so three daily puzzles are enough. Ended matches are not found here: [Store.Repeated]
// knows their requests.
func madeIn(request game.RequestID, loaded []Loaded) int {
	return slices.IndexFunc(loaded, func(l Loaded) bool { return slices.Contains(l.Requests, request) })
}

// LastFinished returns the match that ended last. It looks at the latest match in each of the channel's and the player's slots,
// of every kind. If alone is set, only matches that the player has played alone count. Matches that began in other channels of
// the community count only if none began here. The error is [game.ErrNoMatch], [game.ErrUnreadable], [game.ErrNotFinished] with
// the match that is being played, or one of the store.
func (m *Manager) LastFinished(ctx context.Context, l game.Location, player game.PlayerID, alone bool) (game.Finished, error) {
	var all []located
	for _, rules := range m.Rules {
		more, err := m.candidates(ctx, game.Origin{Location: l, Player: player}, rules.Kind(), false)
		if err != nil {
			return game.Finished{}, err
		}
		all = append(all, more...)
	}
	if alone {
		all = slices.DeleteFunc(all, func(f located) bool { return !f.match.Mode.Personal() })
	}
	here := func(of []located) bool { return len(of) > 0 && of[0].match.Location == l }
	switch playing, ended := nearest(all, l, true), nearest(all, l, false); {
	case len(ended) > 0 && (here(ended) || !here(playing)):
		return m.Store.Finished(ctx, lastOf(ended).match.ID)
	case len(playing) > 0:
		return game.Finished{Match: playing[0].match}, game.ErrNotFinished
	case len(all) > 0:
		return game.Finished{}, game.ErrUnreadable
	}
	return game.Finished{}, game.ErrNoMatch
}
