package game

import (
	"context"
	"errors"
	"slices"
)

// Entry is a finished match as lists show it.
type Entry struct {
	// Number is the match's number in the history of its community, from 1 in the order in which matches
	// ended, in a page of [Manager.History]. A match that ended at the same moment, on another
	// machine, may still come before it for some seconds; after that it never changes.
	Number uint64
	Result Result
	// Sight is how much of the match the viewer may see, in a page of [Manager.History]. The
	// result is without the answer, or empty, accordingly.
	Sight Sight
}

// Filter says which finished matches to list: those that meet every condition that is
// set. A zero field sets none. Whatever the filter says, a match played alone is listed
// only if it is the viewer's own or was shared.
type Filter struct {
	// Viewer is who asks; if empty, no match played alone is the viewer's own.
	Viewer PlayerID
	// Community is whose history it is: see [Location.Community]. If it is empty, it is the
	// viewer's own history, in all communities, and Player must be the viewer.
	Community string
	Player    PlayerID // named in the match: see [Match.Named]
	Kind      Kind
	Status    Status // Won, Lost, which includes what counts as lost, or Stopped
	PlayedOut bool   // only matches that were won or lost
	Answer    string // as in [State]
	Before    uint64 // only smaller places in the log
	From      uint64 // only this place and greater ones
	// Without are channels whose matches are left out, except those that the viewer played
	// alone and has not shared: see [Result.Channel].
	Without []ChannelID
	// Limit is how many to list at most: the newest ones or, with a From, those that
	// follow it.
	Limit int
}

// Page is a part of a history, newest first, and how to get the pages next to it.
type Page struct {
	Entries []Entry
	// HasOlder and HasNewer report whether there is more. Older and Newer are then the number that
	// the next page in that direction comes before: 0 for the newest page.
	HasOlder, HasNewer bool
	Older, Newer       uint64
}

// narrows reports whether the filter selects matches by what was played in them, and not
// only by when they ended.
func (f Filter) narrows() bool {
	return f.Player != "" || f.Kind != "" || f.Status != "" || f.Answer != ""
}

// History returns the page of the viewer's community that the filter asks for, as the viewer may see it: of
// matches with numbers smaller than before, or the newest for 0. The filter needs no Viewer, Community, Before or
// From. If the filter narrows the history, matches that the viewer may not see are left out. If it asks for an
// answer, so are matches whose answer is secret: listing one would confirm its answer.
func (m *Manager) History(ctx context.Context, by Viewer, f Filter, before uint64) (p Page, err error) {
	v := m.view(by)
	f.Viewer, f.Community = by.Player, by.Location.Community()
	if before > 0 {
		switch f.Before, err = m.Store.PlaceOf(ctx, f.Community, before); {
		case errors.Is(err, ErrNotInHistory): // the newest
		case errors.Is(err, ErrForgotten):
			f.Before = 1 // nothing is left
		case err != nil:
			return Page{}, err
		}
	}
	size := f.Limit
	f.Limit++ // one more, to see whether there is more
	entries, err := v.search(ctx, f)
	if err != nil {
		return Page{}, err
	}
	page := entries[:min(size, len(entries))]
	var newer []Entry
	if f.Before > 0 {
		f.From, f.Before = f.Before, 0
		if newer, err = v.search(ctx, f); err != nil {
			return Page{}, err
		}
	}
	places := Each(slices.Concat(page, newer), func(e Entry) uint64 { return e.Result.Place })
	numbers, err := m.Store.Numbers(ctx, f.Community, places...)
	if err != nil {
		return Page{}, err
	}
	for i, e := range page {
		e.Number = numbers[i]
		if page[i], err = v.see(ctx, e); err != nil {
			return Page{}, err
		}
	}
	p = Page{Entries: page, HasOlder: len(entries) > size, HasNewer: len(newer) > 0}
	if p.HasOlder {
		p.Older = numbers[size-1]
	}
	if len(newer) > size {
		p.Newer = numbers[len(page)]
	}
	return p, nil
}

// search is [Store.History], but leaves out what a filter that narrows a history must not
// find. Channels that the viewer may not read become a part of the filter, so that the
// store skips their matches.
func (v *view) search(ctx context.Context, f Filter) ([]Entry, error) {
	if !f.narrows() {
		return v.m.Store.History(ctx, f)
	}
	var found []Entry
	for {
		entries, err := v.m.Store.History(ctx, f)
		if err != nil {
			return nil, err
		}
		var open []Entry
		closed := f.Without
		for _, e := range entries {
			if f.Community != "" && !v.mayRead(ctx, e.Result) { // otherwise all are the viewer's
				if c := e.Result.Channel(); !slices.Contains(closed, c) {
					closed = append(slices.Clip(closed), c)
				}
				continue
			}
			secret := false
			if f.Answer != "" {
				if secret, err = v.secret(ctx, e.Result); err != nil {
					return nil, err
				}
			}
			if !secret {
				open = append(open, e)
			}
		}
		if len(closed) > len(f.Without) {
			f.Without = closed
			continue
		}
		all := len(entries) < f.Limit
		if f.From > 0 { // going upwards, so newer entries go in front
			found = append(open, found...)
			found = found[max(0, len(found)-f.Limit):]
		} else {
			found = append(found, open...)
			found = found[:min(len(found), f.Limit)]
		}
		if all || len(found) == f.Limit {
			return found, nil
		}
		if f.From > 0 {
			f.From = entries[0].Result.Place + 1
		} else {
			f.Before = entries[len(entries)-1].Result.Place
		}
	}
}

// Past says which finished match is meant: by its id or, without one, by its number in the history of the
// viewer's community. The zero value is the latest one.
type Past struct {
	Match  MatchID
	Number uint64
}

// Finished is a finished match and its place in the log.
type Finished struct {
	Place uint64
	Match Match
}

// Finished returns a match of the viewer's community. For the latest one it looks at the latest match in each of
// the channel's and the viewer's slots, of every kind, and returns the one that ended last; matches that began in
// other channels of the community count only if none began here. The error is [ErrNotInHistory], also for a match
// that another player has played alone and not shared, [ErrForgotten], [ErrRemoved], [ErrOtherChannel], a
// *[SecretError] or one of the store; for the latest it can also be [ErrNoMatch], or [ErrNotFinished]
// with the match that is being played.
func (m *Manager) Finished(ctx context.Context, by Viewer, which Past) (f Finished, err error) {
	if which == (Past{}) {
		f, err = m.lastFinished(ctx, by.Location, by.Player, false)
	} else {
		f, err = m.finished(ctx, by, which)
	}
	if c := f.Match.Challenge; err == nil && c != nil && !c.Shown() {
		err = ErrRemoved
	}
	if err == nil {
		err = m.secretIn(ctx, by.Player, f.Match.Result())
	}
	if err != nil && !errors.Is(err, ErrNotFinished) {
		return Finished{}, err
	}
	return f, err
}

func (m *Manager) finished(ctx context.Context, by Viewer, which Past) (Finished, error) {
	community := by.Location.Community()
	if which.Match == "" {
		place, err := m.Store.PlaceOf(ctx, community, which.Number)
		if err != nil {
			return Finished{}, err
		}
		results, err := m.Store.Results(ctx, place-1, 1)
		if err != nil {
			return Finished{}, err
		}
		if len(results) == 0 || results[0].Place != place { // it was removed a moment ago
			return Finished{}, ErrForgotten
		}
		which.Match = results[0].Match
	}
	f, err := m.Store.Finished(ctx, which.Match)
	if err != nil {
		return Finished{}, err
	}
	result := f.Match.Result()
	switch {
	case result.Location.Community() != community, !result.Public() && f.Match.Starter != by.Player:
		return Finished{}, ErrNotInHistory
	case !m.view(by).mayRead(ctx, result):
		return Finished{}, ErrOtherChannel
	}
	return f, nil
}

// lastFinished is [Manager.Finished] for the latest match; if alone is set, of those that the player has played alone.
func (m *Manager) lastFinished(ctx context.Context, l Location, player PlayerID, alone bool) (Finished, error) {
	var all []found
	for _, rules := range m.Rules {
		more, err := m.around(ctx, Origin{Location: l, Player: player}, rules.Kind, false)
		if err != nil {
			return Finished{}, err
		}
		all = append(all, more...)
	}
	if alone {
		all = slices.DeleteFunc(all, func(f found) bool { return !f.match.Mode.Personal() })
	}
	here := func(of []found) bool { return len(of) > 0 && of[0].match.Location == l }
	switch playing, ended := nearest(all, l, true), nearest(all, l, false); {
	case len(ended) > 0 && (here(ended) || !here(playing)):
		return m.Store.Finished(ctx, lastOf(ended).match.ID)
	case len(playing) > 0:
		return Finished{Match: playing[0].match}, ErrNotFinished
	case len(all) > 0:
		return Finished{}, ErrUnreadable
	}
	return Finished{}, ErrNoMatch
}

// NumberOf returns the number of a finished match in the history of its community: see [Entry].
func (m *Manager) NumberOf(ctx context.Context, f Finished) (uint64, error) {
	numbers, err := m.Store.Numbers(ctx, f.Match.Location.Community(), f.Place)
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}
