package game

import (
	"context"
	"fmt"
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
		more, err := m.around(ctx, Origin{Location: l, Player: player}, rules.Kind)
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

// Share shows a match that the player has played alone to everyone who may read the
// channel: from now on it is in the history of the community like a match played
// together. A match that was shared before stays as it was. The error is [ErrNotInHistory],
// [ErrForgotten], a *[SecretError], [ErrNotAlone], [ErrNotOwn], [ErrStillRacing], [ErrID], [ErrExpired] or one of the store.
func (m *Manager) Share(ctx context.Context, o Origin, number uint64) (Finished, error) {
	if err := o.Check(); err != nil {
		return Finished{}, err
	}
	anywhere := func(context.Context, ChannelID) bool { return true } // a player's own matches can be shared from any channel
	f, err := m.Finished(ctx, Viewer{Player: o.Player, Location: o.Location, MayRead: anywhere}, number)
	switch {
	case err != nil:
		return f, err
	case !f.Match.Mode.Personal():
		return f, ErrNotAlone
	case f.Match.Starter != o.Player:
		return f, ErrNotOwn
	case m.StillRacing(f.Match):
		return f, ErrStillRacing
	}
	if f.Match.Shared == "" {
		f.Match, err = m.share(ctx, o, f.Match)
	}
	return f, err
}

// share shows a finished match where the request was made, and has it count there if that is another guild.
func (m *Manager) share(ctx context.Context, o Origin, match Match) (Match, error) {
	err := o.CheckExpiry()
	switch {
	case err != nil:
		return Match{}, err
	case match.Location.Community() == o.Location.Community():
		match.Shared = o.Location.Channel
		err = m.Store.Share(ctx, match.ID, o.Location.Channel)
	case o.Location.Guild != "":
		err = m.Store.ShareIn(ctx, match.ID, o.Location.Guild)
	}
	if err != nil {
		return Match{}, fmt.Errorf("sharing match %s: %w", match.ID, err)
	}
	return match, nil
}

// SharedIn reports whether its player has shared a daily puzzle in the community of a location.
func (m Match) SharedIn(l Location) bool {
	if m.Location.Community() == l.Community() {
		return m.Shared != ""
	}
	return slices.Contains(m.Guilds, l.Guild)
}

// ShareDaily has the player's finished match of a daily puzzle count in the guild where the request
// was made, and shows it there: see [Match.Guilds]. The error is [ErrNoMatch], [ErrCleared], [ErrUnreadable],
// [ErrNotInHistory], [ErrExpired] or one of the store or, with the match, [ErrNotFinished] or [ErrShared].
func (m *Manager) ShareDaily(ctx context.Context, o Origin, k Kind, number int) (Match, error) {
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	match, err := m.Store.Load(ctx, PuzzleSlot(k, o.Player, DailyPuzzle(number)))
	switch {
	case err != nil:
		return Match{}, err
	case match.Status() == Playing:
		return match, ErrNotFinished
	case match.SharedIn(o.Location):
		return match, ErrShared
	}
	return m.share(ctx, o, match)
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

// ClearHistory makes the asking player anonymous: see [ClearRequest]. When it
// returns nil, that is done for good.
func (m *Manager) ClearHistory(ctx context.Context, o Origin) error {
	if err := o.Check(); err != nil {
		return err
	}
	if err := o.CheckExpiry(); err != nil {
		return err
	}
	c := ClearRequest{Player: o.Player, Request: o.Request, At: m.now()}
	for _, rules := range m.Rules {
		c.Mark = append(c.Mark, PuzzleSlot(rules.Kind, o.Player, DailyPuzzle(m.Today())))
	}
	if err := m.Store.Clear(ctx, c); err != nil {
		return fmt.Errorf("clearing a history: %w", err)
	}
	return nil
}

// Named returns every player who started the match, guessed, took a hint or stopped it,
// in this order and each once.
func (m Match) Named() []PlayerID {
	var names []PlayerID
	add := func(p PlayerID) {
		if p != "" && !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	add(m.Starter)
	for _, move := range m.Moves {
		add(move.Player)
	}
	for _, h := range m.Hints {
		add(h.Player)
	}
	if m.Stop != nil {
		add(m.Stop.Player)
	}
	return names
}

// Without returns the match with a player made anonymous: the empty name replaces theirs.
func (m Match) Without(p PlayerID) Match {
	rename := func(name *PlayerID) {
		if *name == p {
			*name = ""
		}
	}
	if m.Challenge != nil && m.Starter == p { // the clue is the player's
		m.Challenge = &Challenge{Report: m.Challenge.Report}
	}
	rename(&m.Starter)
	m.Moves = slices.Clone(m.Moves)
	for i := range m.Moves {
		rename(&m.Moves[i].Player)
	}
	m.Hints = slices.Clone(m.Hints)
	for i := range m.Hints {
		rename(&m.Hints[i].Player)
	}
	if m.Stop != nil {
		stop := *m.Stop
		rename(&stop.Player)
		m.Stop = &stop
	}
	return m
}

// Anonymous reports whether every participant is anonymous.
func (r Result) Anonymous() bool {
	return !slices.ContainsFunc(r.Participants, func(p Participant) bool { return p.Player != "" })
}
