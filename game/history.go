package game

import (
	"context"
	"slices"
)

// Entry is a finished match as lists show it.
type Entry struct {
	// Number is the match's number in the history of its community, from 1 in the order
	// in which matches ended. It never changes. In a history of all communities it is
	// [Result.Number].
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
	Status    Status // Won, Lost or Stopped
	PlayedOut bool   // only matches that were won or lost
	Answer    string // as in [State]
	Before    uint64 // only smaller numbers
	From      uint64 // only this number and greater ones
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
	// HasOlder and HasNewer report whether there is more. Older and Newer are then the
	// [Filter.Before] of the next page in that direction: 0 for the newest page.
	HasOlder, HasNewer bool
	Older, Newer       uint64
}

// narrows reports whether the filter selects matches by what was played in them, and not
// only by their numbers.
func (f Filter) narrows() bool {
	return f.Player != "" || f.Kind != "" || f.Status != "" || f.Answer != ""
}

// History returns the page of a history that the filter asks for, as the viewer may see
// it. The filter needs no Viewer, and must have no From; its Community is that of the
// viewer's location, or empty. If the filter narrows the history, matches that the viewer
// may not see are left out. If it asks for an answer, so are matches whose answer is
// secret: listing one would confirm its answer.
func (m *Manager) History(ctx context.Context, by Viewer, f Filter) (Page, error) {
	v := m.view(by)
	f.Viewer = by.Player
	size := f.Limit
	f.Limit++ // one more, to see whether there is more
	entries, err := v.search(ctx, f)
	if err != nil {
		return Page{}, err
	}
	p := Page{Entries: entries[:min(size, len(entries))]}
	if len(entries) > size {
		p.HasOlder = true
		p.Older = entries[size-1].Number
	}
	for i, e := range p.Entries {
		if p.Entries[i], err = v.see(ctx, e); err != nil {
			return Page{}, err
		}
	}
	if f.Before == 0 {
		return p, nil
	}
	f.From, f.Before = f.Before, 0
	newer, err := v.search(ctx, f)
	if err != nil {
		return Page{}, err
	}
	p.HasNewer = len(newer) > 0
	if len(newer) > size {
		p.Newer = newer[0].Number
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
			f.From = entries[0].Number + 1
		} else {
			f.Before = entries[len(entries)-1].Number
		}
	}
}

// Finished is a finished match and its number in the history of its community.
type Finished struct {
	Number uint64
	Match  Match
}

// Finished returns a match by its number in the history of the viewer's community. For 0 it
// looks at the latest match in each of the channel's and the viewer's slots, of every kind,
// and returns the one that ended last; matches that began in other channels of the
// community count only if none began here. The error is [ErrNotInHistory], also for a match
// that another player has played alone and not shared, [ErrForgotten], [ErrRemoved], [ErrOtherChannel], a
// *[SecretError] or one of the store; for 0 it can also be [ErrNoMatch], or [ErrNotFinished]
// with the match that is being played.
func (m *Manager) Finished(ctx context.Context, by Viewer, number uint64) (Finished, error) {
	f, err := m.finished(ctx, by, number)
	if c := f.Match.Challenge; err == nil && c != nil && !c.Shown() {
		return Finished{}, ErrRemoved
	}
	return f, err
}

func (m *Manager) finished(ctx context.Context, by Viewer, number uint64) (Finished, error) {
	if number == 0 {
		return m.lastFinished(ctx, by.Location, by.Player)
	}
	community := by.Location.Community()
	entries, err := m.Store.History(ctx, Filter{Viewer: by.Player, Community: community, Before: number + 1, Limit: 1})
	if err != nil {
		return Finished{}, err
	}
	if len(entries) == 0 || entries[0].Number != number {
		return Finished{}, m.notInHistory(ctx, community, number)
	}
	result := entries[0].Result
	if !m.view(by).mayRead(ctx, result) {
		return Finished{}, ErrOtherChannel
	}
	secret, err := m.secretFrom(ctx, by.Player, result.Kind, result.Puzzle)
	switch {
	case err != nil:
		return Finished{}, err
	case secret != nil:
		return Finished{}, secret
	}
	return m.Store.Finished(ctx, result.Match)
}

// lastFinished is [Manager.Finished] without a number.
func (m *Manager) lastFinished(ctx context.Context, l Location, player PlayerID) (Finished, error) {
	var all []found
	for _, rules := range m.Rules {
		more, err := m.around(ctx, Origin{Location: l, Player: player}, rules.Kind, false)
		if err != nil {
			return Finished{}, err
		}
		all = append(all, more...)
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

// NumberOf returns the number of a finished match in the history of its community. The
// error is [ErrNotInHistory] or one of the store.
func (m *Manager) NumberOf(ctx context.Context, match MatchID) (uint64, error) {
	f, err := m.Store.Finished(ctx, match)
	return f.Number, err
}

// notInHistory returns why a community's history has no match with a number.
func (m *Manager) notInHistory(ctx context.Context, community string, number uint64) error {
	forgotten, err := m.Store.Forgotten(ctx, community)
	switch {
	case err != nil:
		return err
	case number <= forgotten:
		return ErrForgotten
	}
	return ErrNotInHistory
}
