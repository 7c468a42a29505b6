package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// HintKind is what a player asks for.
type HintKind string

// The kinds of hints. A suggestion is computed from guesses and feedback only;
// the others give away a part of the answer.
const (
	HintSuggestion HintKind = "suggestion"
	HintLetter     HintKind = "letter"
	HintPosition   HintKind = "position"
)

// HintLimit is how many hints the players of a match may take, all together. The zero value
// allows any number.
type HintLimit struct {
	Limited bool
	Most    int `json:",omitzero"` // if Limited; 0 turns hints off
}

// Within returns the stricter of both limits.
func (l HintLimit) Within(other HintLimit) HintLimit {
	if other.Limited && (!l.Limited || other.Most < l.Most) {
		return other
	}
	return l
}

// HintsLeft returns how many more hints the match allows, and whether there is a limit.
// Without one, the number means nothing.
func (m Match) HintsLeft() (left int, limited bool) {
	return max(0, m.HintLimit.Most-len(m.Hints)), m.HintLimit.Limited
}

// HintLimitError means that the match allows no more hints, or none at all.
type HintLimitError struct{ Limit HintLimit }

func (e *HintLimitError) Error() string { return fmt.Sprintf("%d hints are allowed", e.Limit.Most) }

// Hint is help that was given, and to whom.
type Hint struct {
	Kind    HintKind
	Player  PlayerID
	At      time.Time
	Version uint64 // of the match, after the hint
	After   int    // how many guesses had been made
	Content HintContent
}

// HintContent is what a hint shows, as [Rules.Hint] returned it. Each kind of game has
// its own types.
type HintContent any

// errChanged means that the match changed while a hint was computed.
var errChanged = errors.New("the match changed during the search")

// Hint gives a player a hint for the target's match, and records who took it. The
// hint is the last one in the match returned.
//
// A suggestion that was already given after the same guess is given again without being
// counted, even if no more hints are allowed. The search for a new one runs outside every
// lock, for as long as ctx and the request allow. The error is [ErrNoMatch], [ErrEnded],
// [ErrExpired], a *[HintLimitError], one of the target as in [Manager.Move], one of
// [Rules.Hint] or one of the store.
func (m *Manager) Hint(ctx context.Context, o Origin, t Target, kind HintKind) (Match, error) {
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	rules, err := m.rules(t.Kind)
	if err != nil {
		return Match{}, err
	}
	at, err := m.find(ctx, o, t)
	if err != nil {
		return Match{}, err
	}
	inTime, cancel := o.Within(ctx)
	defer cancel()
	for {
		if then, ok, err := m.repeated(ctx, o, at.slot); ok || err != nil {
			return then, err
		}
		match, err := m.Store.Load(ctx, at.slot)
		if err := t.playing(match, err); err != nil {
			return match, err
		}
		if _, err := m.moment(ctx, o, match); err != nil {
			return match, err
		}
		if again, ok := given(match); ok && kind == HintSuggestion {
			return again, nil
		}
		if left, limited := match.HintsLeft(); limited && left == 0 {
			return match, &HintLimitError{match.HintLimit}
		}
		content, err := rules.Hint(inTime, match, kind, m.pick)
		if err != nil {
			return match, o.Expired(err)
		}
		next, err := m.change(ctx, o, found{slot: at.slot, match: match}, func(_ context.Context, now Match, err error) (Change, error) {
			if err == nil && (now.ID != match.ID || now.Version != match.Version) {
				err = errChanged
			}
			now.Hints = append(slices.Clip(now.Hints), Hint{
				Kind: kind, Player: o.Player, At: m.now(), Version: now.Version + 1, After: match.Used(), Content: content,
			})
			return Change{Match: now}, err
		})
		if !errors.Is(err, errChanged) {
			return next, err
		}
	}
}

// given looks for a suggestion that was given since the last guess, and returns the
// match with it moved to the end of the hints.
func given(match Match) (Match, bool) {
	for i, h := range match.Hints {
		if h.Kind == HintSuggestion && h.After == match.Used() {
			match.Hints = append(slices.Delete(slices.Clone(match.Hints), i, i+1), h)
			return match, true
		}
	}
	return match, false
}
