package matches

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
)

// Hint gives a player a hint for the target's match, and records who took it. The hint is the last one in the match returned.
//
// A suggestion given since the latest guess is given again, without being counted and even if no more hints are allowed. The
// search for a new suggestion runs outside every lock, for as long as ctx and the request allow. The error is [game.ErrNoMatch],
// [game.ErrEnded], [game.ErrExpired], a *[game.HintLimitError], one of the target as in [Manager.Move], one of [game.Rules.Hint]
// or one of the store.
func (m *Manager) Hint(ctx context.Context, o game.Origin, t Target, kind game.HintKind) (game.Match, error) {
	if err := o.Check(); err != nil {
		return game.Match{}, err
	}
	rules, err := m.RulesOf(t.Kind)
	if err != nil {
		return game.Match{}, err
	}
	at, err := m.find(ctx, o, t)
	if err != nil {
		return game.Match{}, err
	}
	inTime, cancel := o.Within(ctx)
	defer cancel()
	for ; ; at = (located{slot: at.slot}) {
		if then, ok, err := m.repeated(ctx, o, at.slot); ok || err != nil {
			return then, err
		}
		at = m.load(ctx, at)
		match := at.match
		if err := t.playing(match, at.err); err != nil {
			return match, err
		}
		if _, err := m.moveTime(ctx, o, match); err != nil {
			return match, err
		}
		if again, ok := given(match); ok && kind == game.HintSuggestion {
			return again, nil
		}
		if left, limited := match.HintsLeft(); limited && left == 0 {
			return match, &game.HintLimitError{Limit: match.HintLimit}
		}
		never, err := m.never(ctx, match)
		if err != nil {
			return match, err
		}
		content, err := rules.Hint(inTime, match, kind, m.pick, never)
		if err != nil {
			return match, o.Expired(err)
		}
		seen := Target{Kind: t.Kind, Match: match.ID, found: &at, version: match.Version}
		next, err := m.changeMatch(ctx, o, seen, func(_ context.Context, match game.Match) (game.Match, error) {
			match.Hints = append(slices.Clip(match.Hints), game.Hint{
				Kind: kind, Player: o.Player, At: m.Clock(), Version: match.Version + 1, After: match.Used(), Content: content,
			})
			return match, nil
		})
		if !errors.Is(err, errMoved) {
			return next, err
		}
	}
}

// given looks for a suggestion that was given since the last guess, and returns the match with that suggestion as its last hint.
func given(match game.Match) (game.Match, bool) {
	for i, h := range match.Hints {
		if h.Kind == game.HintSuggestion && h.After == match.Used() {
			match.Hints = append(slices.Delete(slices.Clone(match.Hints), i, i+1), h)
			return match, true
		}
	}
	return match, false
}
