package game

import (
	"context"
	"fmt"
	"slices"
)

// ClearHistory makes the asking player anonymous: see [ClearRequest]. When it
// returns nil, that is done for good.
func (m *Manager) ClearHistory(ctx context.Context, o Origin) error {
	if err := o.Check(); err != nil {
		return err
	}
	if _, err := m.EndIdle(ctx, 0); err != nil { // what closed months have is not changed afterwards
		return err
	}
	c := ClearRequest{Player: o.Player, Request: o.Request, At: m.now()}
	for _, rules := range m.Rules {
		c.Mark = append(c.Mark, PuzzleSlot(rules.Kind, o.Player, DailyPuzzle(m.Today())))
	}
	if err := m.Store.Clear(o.ForCommit(ctx), c); err != nil {
		return fmt.Errorf("clearing a history: %w", err)
	}
	return nil
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

// Known returns the participants who are not anonymous.
func (r Result) Known() []Participant {
	return slices.DeleteFunc(slices.Clone(r.Participants), func(p Participant) bool { return p.Player == "" })
}

// Anonymous reports whether every participant is anonymous.
func (r Result) Anonymous() bool { return len(r.Known()) == 0 }
