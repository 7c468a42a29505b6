package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Entry is a finished match as lists show it.
type Entry struct {
	// Number is the match's number in the history of its community, from 1 in the order
	// in which matches ended. It never changes. In a history of everywhere it is the
	// number in the log.
	Number uint64
	Result Result
}

// Filter says which finished matches to list: those that meet every condition that is
// set. Zero fields are no condition.
type Filter struct {
	// Community is whose history it is: see [Location.Community]. Empty, it is a
	// player's history everywhere, and Player must be set.
	Community string
	Player    PlayerID // named in the match: see [Match.Named]
	Kind      Kind
	Status    Status // Won, Lost or Stopped
	PlayedOut bool   // only matches that were won or lost
	Answer    string // as in [State]
	Before    uint64 // only smaller numbers
	From      uint64 // only this number and greater ones
	// Limit is how many to list at most: the newest ones or, with a From, those that
	// follow it.
	Limit int
}

// Page is a part of a history, newest first, and how to go on.
type Page struct {
	Entries []Entry
	// HasOlder and HasNewer report whether there is more. Older and Newer are then the
	// Before of the next page in that direction. For the newest page that is 0.
	HasOlder, HasNewer bool
	Older, Newer       uint64
}

// History returns the page of a history that the filter asks for. The filter must have
// no From. A search for an answer does not find matches whose answer is still secret:
// that would confirm a guess.
func (m *Manager) History(ctx context.Context, f Filter) (Page, error) {
	size := f.Limit
	f.Limit++ // one more, to see whether there is more
	entries, err := m.search(ctx, f)
	if err != nil {
		return Page{}, err
	}
	p := Page{Entries: entries[:min(size, len(entries))]}
	if len(entries) > size {
		p.HasOlder = true
		p.Older = entries[size-1].Number
	}
	if f.Before == 0 {
		return p, nil
	}
	f.From, f.Before = f.Before, 0
	newer, err := m.search(ctx, f)
	if err != nil {
		return Page{}, err
	}
	p.HasNewer = len(newer) > 0
	if len(newer) > size {
		p.Newer = newer[0].Number
	}
	return p, nil
}

// search is [Store.History], but a filter by answer leaves out matches whose answer is
// still secret.
func (m *Manager) search(ctx context.Context, f Filter) ([]Entry, error) {
	if f.Answer == "" {
		return m.Store.History(ctx, f)
	}
	var found []Entry
	for {
		entries, err := m.Store.History(ctx, f)
		if err != nil {
			return nil, err
		}
		all := len(entries) < f.Limit
		open := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return m.AnswerSecret(e.Result.Puzzle) })
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

// Finished returns a match of the community's history by its number or, for 0, the
// match of any kind that ended last in the channel, the player's own among them that
// began there. The error is [ErrNotInHistory], [ErrForgotten], a *[SecretError] or one of
// the store; for 0 it can also be [ErrNoMatch], or [ErrNotFinished] with the match that is
// being played.
func (m *Manager) Finished(ctx context.Context, l Location, player PlayerID, number uint64) (Finished, error) {
	if number > 0 {
		entries, err := m.Store.History(ctx, Filter{Community: l.Community(), Before: number + 1, Limit: 1})
		if err != nil {
			return Finished{}, err
		}
		if len(entries) == 0 || entries[0].Number != number {
			return Finished{}, m.notInHistory(ctx, l.Community(), number)
		}
		f, err := m.Store.Finished(ctx, entries[0].Result.Match)
		if err == nil {
			err = m.checkSecret(ctx, player, f.Match)
		}
		if err != nil {
			return Finished{}, err
		}
		return f, nil
	}
	var last, playing Match
	var unreadable error
	for _, rules := range m.Rules {
		solo := Slot{Kind: rules.Kind, Player: player}
		daily, _, err := m.dailySlot(ctx, solo)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return Finished{}, err
		}
		for _, slot := range []Slot{ChannelSlot(rules.Kind, l.Channel), solo, daily} {
			match, err := m.Store.Load(ctx, slot)
			switch {
			case errors.Is(err, ErrUnreadable):
				unreadable = err
			case errors.Is(err, ErrNoMatch) || err == nil && match.Location != l:
			case err != nil:
				return Finished{}, err
			case match.Status() == Playing:
				playing = match
			case last.ID == "" || match.Ended().After(last.Ended()):
				last = match
			}
		}
	}
	switch {
	case last.ID != "":
		return m.Store.Finished(ctx, last.ID)
	case playing.ID != "":
		return Finished{Match: playing}, ErrNotFinished
	case unreadable != nil:
		return Finished{}, unreadable
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

// ClearHistory makes the asking player anonymous: see [ClearRequest]. When it
// returns nil, that is done for good.
func (m *Manager) ClearHistory(ctx context.Context, o Origin) error {
	if err := o.Check(); err != nil {
		return err
	}
	if err := o.CheckExpiry(); err != nil {
		return err
	}
	if err := m.Store.Clear(ctx, ClearRequest{Player: o.Player, Request: o.Request, At: m.now()}); err != nil {
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

// Anonymous reports whether no participant is known any more.
func (r Result) Anonymous() bool {
	return !slices.ContainsFunc(r.Participants, func(p Participant) bool { return p.Player != "" })
}
