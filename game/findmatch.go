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
func (m *Manager) slot(ctx context.Context, o Origin, t Target) (Slot, Match, error) {
	if _, err := m.rules(t.Kind); err != nil {
		return Slot{}, Match{}, err
	}
	switch t.Mode {
	case Together:
		return ChannelSlot(t.Kind, o.Location.Channel), Match{}, nil
	case Solo:
		return SoloSlot(t.Kind, o.Player, o.Location), Match{}, nil
	case Racing:
		return RaceSlot(t.Kind, o.Player, o.Location), Match{}, nil
	case Archive:
		return ArchiveSlot(t.Kind, o.Player, o.Location), Match{}, nil
	case Daily:
		return m.dailyMatch(ctx, o, t.Kind)
	case Current:
		return m.currentSlot(ctx, o, t.Kind)
	}
	return Slot{}, Match{}, fmt.Errorf("%q: %w", t.Mode, ErrMode)
}

// slotMatch is a slot with its latest match.
type slotMatch struct {
	slot  Slot
	match Match
}

// currentSlot is slot for [Current]. It looks at the channel's match and at the player's own, and
// returns the slot of the one that is being played. If several are, the error is an
// [*AmbiguousError]; if none is, it returns the slot whose match ended last. Own matches that were
// started in another channel of the community count only if no match started here does; those of
// other communities never count. Yesterday's daily match counts until it is over or the player
// starts today's. A repeated request means the match that it was made in.
func (m *Manager) currentSlot(ctx context.Context, o Origin, k Kind) (Slot, Match, error) {
	const daily = 4 // where the slots of daily puzzles begin
	channel := ChannelSlot(k, o.Location.Channel)
	slots := append([]Slot{channel, SoloSlot(k, o.Player, o.Location), RaceSlot(k, o.Player, o.Location), ArchiveSlot(k, o.Player, o.Location)}, m.dailySlots(k, o.Player)...)
	all, err := m.Store.LoadSlots(ctx, slots)
	if err != nil {
		return Slot{}, Match{}, err
	}
	slot, match, err := latestDaily(slots[daily:], all[daily:])
	if err == nil && match.Version > 0 {
		slot, match, err = m.repeatedDaily(ctx, o, slot, match)
	}
	slots[daily], all[daily] = slot, Loaded{Match: match, Err: err}
	var found []slotMatch
	var lost *Slot // one whose match cannot be read, and may be the one that is played
	for i, slot := range slots[:daily+1] {
		match, err := all[i].Match, all[i].Err
		switch {
		case errors.Is(err, ErrUnreadable):
			lost = &slot
		case errors.Is(err, ErrNoMatch) || err == nil && (match.Version == 0 || match.Location.Community() != o.Location.Community()):
		case err != nil:
			return Slot{}, Match{}, err
		default:
			found = append(found, slotMatch{slot, match})
		}
	}
	playing, ended := nearest(found, o.Location, true), nearest(found, o.Location, false)
	switch {
	case len(playing) == 1:
		return playing[0].slot, playing[0].match, nil
	case len(playing) > 1:
		return m.ambiguous(ctx, o, playing)
	case lost != nil:
		return *lost, Match{}, nil
	case len(ended) == 0:
		return channel, Match{}, nil
	}
	last := slices.MaxFunc(ended, func(a, b slotMatch) int { return a.match.Ended().Compare(b.match.Ended()) })
	return last.slot, last.match, nil
}

// nearest returns the matches that are being played, or those that are not: the ones started
// here or, if there are none, the others.
func nearest(matches []slotMatch, here Location, playing bool) []slotMatch {
	var near, far []slotMatch
	for _, s := range matches {
		switch {
		case (s.match.Status() == Playing) != playing:
		case s.match.Location == here:
			near = append(near, s)
		default:
			far = append(far, s)
		}
	}
	if len(near) > 0 {
		return near
	}
	return far
}

// ambiguous returns an [*AmbiguousError] or, for a repeated request, the match that it was made in.
func (m *Manager) ambiguous(ctx context.Context, o Origin, playing []slotMatch) (Slot, Match, error) {
	several := new(AmbiguousError)
	for _, p := range playing {
		several.Modes = append(several.Modes, p.match.Mode)
		if made, ok, err := m.repeated(ctx, o, p.slot); ok || err != nil {
			return p.slot, made, err
		}
	}
	return Slot{}, Match{}, several
}

// dailyMatch is slot for [Daily].
func (m *Manager) dailyMatch(ctx context.Context, o Origin, k Kind) (Slot, Match, error) {
	slot, match, err := m.dailySlot(ctx, k, o.Player)
	if err != nil || match.Version == 0 {
		return slot, match, err
	}
	return m.repeatedDaily(ctx, o, slot, match)
}

// dailySlot returns the player's slot for a daily puzzle and its match, as latestDaily does.
func (m *Manager) dailySlot(ctx context.Context, k Kind, p PlayerID) (Slot, Match, error) {
	slots := m.dailySlots(k, p)
	all, err := m.Store.LoadSlots(ctx, slots)
	if err != nil {
		return slots[0], Match{}, err
	}
	return latestDaily(slots, all)
}

// dailySlots are the player's slots for the puzzles of today and yesterday.
func (m *Manager) dailySlots(k Kind, p PlayerID) []Slot {
	today := m.Today()
	return []Slot{PuzzleSlot(k, p, DailyPuzzle(today)), PuzzleSlot(k, p, DailyPuzzle(today-1))}
}

// latestDaily returns the slot of yesterday's puzzle if that is still being played and today's has
// not been started, and otherwise that of today's. It also returns the slot's match, which is zero
// if there is none.
func latestDaily(slots []Slot, all []Loaded) (Slot, Match, error) {
	today, yesterday := all[0], all[1]
	switch {
	case !errors.Is(today.Err, ErrNoMatch):
		return slots[0], today.Match, today.Err
	case yesterday.Err == nil && yesterday.Match.Status() == Playing:
		return slots[1], yesterday.Match, nil
	}
	return slots[0], Match{}, nil
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
