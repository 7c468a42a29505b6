package finished

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
)

// Entry is a finished match as lists show it.
type Entry struct {
	// Number is the match's number in the history of its community, from 1 in the order in which matches ended. Only pages of
	// [Matches.History] have it. It can still change for some seconds, if a match ended at the same moment on another machine.
	Number uint64
	Result game.Result
	// Sight is how much of the match the viewer may see; the result lacks the rest. Only pages of [Matches.History] have it.
	Sight Sight
}

// Filter says which finished matches to list: those that meet every condition that is set. A match played alone is listed only if
// it is the viewer's own or was shared.
type Filter struct {
	Viewer game.PlayerID // who asks; if empty, no match played alone is the viewer's own
	// Community names the history to search: see [game.Location.Community]. Empty means the viewer's own history in all
	// communities; Player must then be the viewer.
	Community string
	Player    game.PlayerID // named in the match: see [game.Match.Named]
	Kind      game.Kind
	Status    game.Status // Won, Lost (also stopped matches that count as lost) or Stopped
	PlayedOut bool        // only matches that were won or lost
	Answer    string      // as in [game.State]
	Before    uint64      // only smaller places in the log
	From      uint64      // only this place and greater ones
	// Without are channels to leave out: see [game.Result.Channel]. Matches stay that the viewer played there alone and has not
	// shared.
	Without []game.ChannelID
	Limit   int // the most to list: the newest ones or, with From, the oldest ones
}

// Page is a part of a history, newest first, and how to get the pages next to it.
type Page struct {
	Entries []Entry
	// HasOlder and HasNewer report whether there are older and newer pages. Older and Newer are then the number to pass to
	// [Matches.History] as before; 0 means the newest page.
	HasOlder, HasNewer bool
	Older, Newer       uint64
}

// narrows reports whether the filter selects matches by more than their place in the log.
func (f Filter) narrows() bool {
	return f.Player != "" || f.Kind != "" || f.Status != "" || f.Answer != ""
}

// History returns a page of the history of the viewer's community, as the viewer may see it: matches that pass the filter and
// have numbers below before. A before of 0 means the newest page. The filter needs no Viewer, Community, Before or From.
//
// If the filter narrows the history, History leaves out matches that the viewer may not see. If the filter asks for an answer,
// History also leaves out those whose answer is secret: finding one would confirm the answer.
func (m *Matches) History(ctx context.Context, by game.Viewer, f Filter, before uint64) (p Page, err error) {
	v := m.view(by)
	f.Viewer, f.Community = by.Player, by.Location.Community()
	if before > 0 {
		switch f.Before, err = m.Store.PositionOf(ctx, f.Community, before); {
		case errors.Is(err, game.ErrNotInHistory): // the newest
		case errors.Is(err, game.ErrForgotten):
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
	places := game.Each(slices.Concat(page, newer), func(e Entry) uint64 { return e.Result.LogPosition })
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

// search returns what [Store.History] finds. If the filter narrows the history, search leaves out matches that the viewer may not
// see. If the filter asks for an answer, search also leaves out those whose answer is secret. It adds channels that the viewer
// may not read to the filter, so that the store skips their matches.
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
			f.From = entries[0].Result.LogPosition + 1
		} else {
			f.Before = entries[len(entries)-1].Result.LogPosition
		}
	}
}
