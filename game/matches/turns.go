package matches

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
)

// Join has the player join the target's match in turns or by vote. There is nothing to join in other modes: the match stays as it
// is. The error is [game.ErrFull], [game.ErrNoMatch], [game.ErrEnded], one of the target or one of the store.
func (m *Manager) Join(ctx context.Context, o game.Origin, t Target) (game.Match, error) {
	return m.changeMatch(ctx, o, t, func(_ context.Context, match game.Match) (game.Match, error) {
		switch players := match.Order().Players; {
		case !match.Mode.Paced(), slices.Contains(players, o.Player):
			return match, errUnchanged
		case len(players) == game.MostPlayers:
			return match, game.ErrFull
		}
		return match.WithCall(game.Call{Player: o.Player, At: m.Clock()}), nil
	})
}

// guess returns the match after a player's guess at a time.
func guess(rules game.Rules, match game.Match, p game.PlayerID, at time.Time, typed string) (_ game.Match, err error) {
	match.State, err = rules.Guess(match.State, typed)
	match.Moves = append(slices.Clip(match.Moves), game.Move{Player: p, At: at, Version: match.Version + 1})
	return match, err
}

// pacedGuess is guess for a match in turns or by vote. In turns, players who have not joined do so instead; the error for others
// can be [game.ErrNotTurn]. By vote, the guess is a proposal. Once all who have joined have made one, the most wanted is played.
// The error can be [game.ErrFull], or errUnchanged for the proposal that the player has made already.
func pacedGuess(rules game.Rules, match game.Match, p game.PlayerID, at time.Time, typed string) (game.Match, error) {
	order, call := match.Order(), game.Call{Player: p, At: at}
	switch joined := slices.Contains(order.Players, p); {
	case !joined && len(order.Players) == game.MostPlayers:
		return match, game.ErrFull
	case match.Mode == game.Turns && !joined:
		return match.WithCall(call), nil
	case match.Mode == game.Turns && order.Turn != p:
		return match, game.ErrNotTurn
	case match.Mode == game.Turns:
		return guess(rules, match, p, at, typed)
	}
	switch _, err := rules.Guess(match.State, typed); {
	case err != nil:
		return match, err
	case same(rules, match.State)(order.Proposal(p), typed):
		return match, errUnchanged
	}
	call.Proposed = typed
	match = match.WithCall(call)
	if order = match.Order(); len(order.Proposals) < len(order.Players) {
		return match, nil
	}
	return playWanted(rules, match, at)
}

// playWanted makes the guess that most players want.
func playWanted(rules game.Rules, match game.Match, at time.Time) (game.Match, error) {
	wanted := match.Order().Wanted(same(rules, match.State))
	return guess(rules, match, wanted.Player, at, wanted.Proposed)
}

// same returns a function that reports whether two guesses, of which the second is valid, are the same by a game's rules: the
// second is refused after the first, or both win.
func same(rules game.Rules, s game.State) func(a, b string) bool {
	return func(a, b string) bool {
		first, err := rules.Guess(s.Fresh(marks.Off), a)
		if err != nil {
			return false
		}
		if first.Status() == game.Won {
			other, err := rules.Guess(s.Fresh(marks.Off), b)
			return err == nil && other.Status() == game.Won
		}
		_, err = rules.Guess(first, b)
		return err != nil
	}
}

// meet carries out the deadline of a match in turns or by vote, if the match has not changed since it was read.
func (m *Manager) meet(ctx context.Context, was game.Match) error {
	rules, err := m.RulesOf(was.Kind)
	if err != nil {
		return err
	}
	o := game.Origin{Location: was.Location, Player: "somebody", Request: game.RequestID(fmt.Sprintf("%s-due-%d", was.ID, was.Version))}
	t := Target{Kind: was.Kind, Match: was.ID, found: &located{slot: was.Slot(), match: was}, version: was.Version}
	next, err := m.changeMatch(ctx, o, t, func(_ context.Context, match game.Match) (game.Match, error) {
		if match.Mode == game.Vote {
			return playWanted(rules, match, m.Clock())
		}
		return match.WithCall(game.Call{Player: match.Order().Turn, At: m.Clock(), Passed: true}), nil
	})
	if errors.Is(err, errMoved) {
		return nil
	}
	if err == nil && m.Changed != nil {
		m.Changed(next)
	}
	return err
}
