package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Target says which match a player means: the one of a kind and mode or, for
// [Current], the one that the player is playing in the channel.
type Target struct {
	Kind Kind
	Mode Mode
	// Match is the match that is meant, or empty for whichever is the latest one in the
	// slot. If the latest one is another, the error is an *[OtherMatchError].
	Match MatchID
}

// check returns an *OtherMatchError if the target names another match than the slot's
// latest one.
func (t Target) check(latest Match) error {
	if t.Match != "" && latest.ID != t.Match {
		return &OtherMatchError{latest}
	}
	return nil
}

// explain returns an *OtherMatchError if the target names a match but the slot has none,
// and any other error as it is.
func (t Target) explain(err error) error {
	if t.Match != "" && errors.Is(err, ErrNoMatch) {
		return &OtherMatchError{}
	}
	return err
}

// slot returns the slot of the match that a target means, and the match if it had to be
// loaded; there may be none in the slot yet. The error is [ErrKind], [ErrMode],
// [ErrAmbiguous] or one of the store.
//
// For [Current] it looks at the channel's match and at the player's own, and returns the
// slot of the one that is being played. If several are, the error is an [*AmbiguousError]; if
// none is, it returns the slot whose match ended last. Own matches that were started in
// another channel of the community count only if no match started here does; those of
// other communities never count. Yesterday's daily match counts until it is over or the
// player starts today's. A repeated request means the match that it was made in.
func (m *Manager) slot(ctx context.Context, o Origin, t Target) (Slot, Match, error) {
	if _, err := m.rules(t.Kind); err != nil {
		return Slot{}, Match{}, err
	}
	if !t.Mode.Known() && t.Mode != Current {
		return Slot{}, Match{}, fmt.Errorf("%q: %w", t.Mode, ErrMode)
	}
	channel := ChannelSlot(t.Kind, o.Location.Channel)
	solo := SoloSlot(t.Kind, o.Player, o.Location)
	switch t.Mode {
	case Together:
		return channel, Match{}, nil
	case Solo:
		return solo, Match{}, nil
	}
	load, err := m.loadFirst(ctx, t, o)
	if err != nil {
		return Slot{}, Match{}, err
	}
	daily, latest, err := m.dailySlot(ctx, t.Kind, o.Player, load)
	if err == nil && latest.Version > 0 {
		daily, latest, err = m.repeatedDaily(ctx, o, daily, latest)
	}
	if err != nil && !errors.Is(err, ErrUnreadable) || t.Mode == Daily {
		return daily, latest, err
	}
	unreadable := err // the daily match, or nil
	type candidate struct {
		slot  Slot
		match Match
	}
	var found []candidate
	var lost *Slot // one whose match cannot be read, and may be the one that is played
	for _, s := range []Slot{channel, solo, daily} {
		match, err := latest, unreadable
		if s != daily {
			match, err = load(ctx, s)
		}
		switch {
		case errors.Is(err, ErrUnreadable):
			lost = &s
		case errors.Is(err, ErrNoMatch) || err == nil && (match.Version == 0 || match.Location.Community() != o.Location.Community()):
		case err != nil:
			return Slot{}, Match{}, err
		default:
			found = append(found, candidate{s, match})
		}
	}
	// nearest returns those that are being played, or are not: the ones started here or,
	// if there are none, the others.
	nearest := func(playing bool) []candidate {
		var here, elsewhere []candidate
		for _, c := range found {
			switch {
			case (c.match.Status() == Playing) != playing:
			case c.match.Location == o.Location:
				here = append(here, c)
			default:
				elsewhere = append(elsewhere, c)
			}
		}
		if len(here) > 0 {
			return here
		}
		return elsewhere
	}
	playing := nearest(true)
	switch len(playing) {
	case 0:
		if lost != nil {
			return *lost, Match{}, nil
		}
		ended := nearest(false)
		if len(ended) == 0 {
			return channel, Match{}, nil
		}
		last := slices.MaxFunc(ended, func(a, b candidate) int { return a.match.Ended().Compare(b.match.Ended()) })
		return last.slot, last.match, nil
	case 1:
		return playing[0].slot, playing[0].match, nil
	}
	several := new(AmbiguousError)
	for _, p := range playing {
		several.Modes = append(several.Modes, p.match.Mode)
		if made, ok, err := m.repeated(ctx, o, p.slot); ok || err != nil {
			return p.slot, made, err
		}
	}
	return Slot{}, Match{}, several
}

// loadFirst returns the function by which [Manager.slot] loads slots. For [Current] it loads
// all of them at once beforehand, if the store can do that.
func (m *Manager) loadFirst(ctx context.Context, t Target, o Origin) (load func(context.Context, Slot) (Match, error), err error) {
	store, ok := m.Store.(SlotsLoader)
	if !ok || t.Mode != Current {
		return m.Store.Load, nil
	}
	today := m.Today()
	slots := []Slot{
		ChannelSlot(t.Kind, o.Location.Channel), SoloSlot(t.Kind, o.Player, o.Location),
		PuzzleSlot(t.Kind, o.Player, DailyPuzzle(today)), PuzzleSlot(t.Kind, o.Player, DailyPuzzle(today-1)),
	}
	all, err := store.LoadSlots(ctx, slots)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, s Slot) (Match, error) {
		if i := slices.Index(slots, s); i >= 0 {
			return all[i].Match, all[i].Err
		}
		return m.Store.Load(ctx, s) // midnight has passed
	}, nil
}

// dailySlot returns the player's slot for yesterday's puzzle if that is still being
// played and today's has not been started, and otherwise the slot for today's. It also
// returns the slot's match, which is zero if there is none.
func (m *Manager) dailySlot(ctx context.Context, k Kind, p PlayerID, load func(context.Context, Slot) (Match, error)) (Slot, Match, error) {
	number := m.Today()
	today, yesterday := PuzzleSlot(k, p, DailyPuzzle(number)), PuzzleSlot(k, p, DailyPuzzle(number-1))
	match, err := load(ctx, today)
	if !errors.Is(err, ErrNoMatch) {
		return today, match, err
	}
	match, err = load(ctx, yesterday)
	switch {
	case err == nil && match.Status() == Playing:
		return yesterday, match, nil
	case errors.Is(err, ErrNoMatch), errors.Is(err, ErrUnreadable):
		err = nil
	}
	return today, Match{}, err
}

// repeatedDaily returns a daily puzzle's slot and match or, if the request was made in
// the slot of one of the two puzzles before, that slot and what it led to there. Such a
// request comes again after midnight, or after the player has started the later puzzle,
// and must not count there as well. It comes within a day, so two puzzles are enough:
// the request may have been for yesterday's puzzle then.
func (m *Manager) repeatedDaily(ctx context.Context, o Origin, s Slot, match Match) (Slot, Match, error) {
	number, _ := s.Puzzle.Daily()
	for n := number - 1; n >= number-2; n-- {
		earlier := s
		earlier.Puzzle = DailyPuzzle(n)
		if made, ok, err := m.repeated(ctx, o, earlier); ok || err != nil {
			return earlier, made, err
		}
	}
	return s, match, nil
}
