package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// StartOptions are what a player chooses when starting a match.
type StartOptions struct {
	Kind Kind
	Mode Mode // none that is [Mode.Raced], and not Current
	Past int  // in the mode Archive, the number of the puzzle
	Hard bool // every clue must be used; ignored if the kind has no hard mode
	// Hints is how many hints the match allows.
	Hints HintLimit
}

// Start opens a match: in the channel or, in the other modes, for the player alone.
// The error is [ErrAlreadyPlaying] or [ErrAlreadyPlayed], each with the match that is there (of a
// history that was cleared since, ErrAlreadyPlayed has none),
// [ErrNoDaily], [ErrNotPast], a *[SecretError] for a past puzzle that the player can still finish, [ErrKind],
// [ErrMode], one of the rules or one of the store.
func (m *Manager) Start(ctx context.Context, o Origin, opts StartOptions) (Match, error) {
	rules, err := m.rules(opts.Kind)
	if err != nil {
		return Match{}, err
	}
	if !slices.Contains(Modes, opts.Mode) || opts.Mode.Raced() {
		return Match{}, fmt.Errorf("%s %s: %w", opts.Kind, opts.Mode, ErrMode)
	}
	slot, puzzle := OwnSlot(opts.Kind, opts.Mode, o.Player, o.Location), PuzzleID("")
	switch opts.Mode {
	case Together:
		slot = ChannelSlot(opts.Kind, o.Location.Channel)
	case Daily:
		if m.Today() < 1 {
			return Match{}, ErrNoDaily
		}
		slots := m.dailySlots(opts.Kind, o.Player)
		loaded, err := m.Store.LoadSlots(ctx, slots, true)
		if err != nil {
			return Match{}, err
		}
		slot = slots[max(0, madeIn(o.Request, loaded))]
		puzzle = slot.Puzzle
	case Archive:
		if opts.Past < 1 || opts.Past >= m.Today() {
			return Match{}, ErrNotPast
		}
		puzzle = DailyPuzzle(opts.Past)
		if err := m.secretFrom(ctx, o.Player, opts.Kind, puzzle); err != nil {
			return Match{}, err
		}
	}
	return m.begin(ctx, o, rules, slot, Match{Mode: opts.Mode, Puzzle: puzzle, HintLimit: opts.Hints}, opts.Hard)
}

// begin starts a match in a slot, of which the mode, the puzzle and what else the origin does not say
// are given.
func (m *Manager) begin(ctx context.Context, o Origin, rules Rules, s Slot, match Match, hard bool) (Match, error) {
	match.ID, match.Location, match.Starter, match.Kind = MatchID(o.Request), o.Location, o.Player, rules.Kind
	recent := RecentList{Name: string(rules.Kind) + " " + o.Location.Community(), Keep: rules.NoRepeat}
	if _, daily := match.Puzzle.Daily(); daily {
		recent.Name = string(rules.Kind) + " daily"
	}
	if match.State != nil || recent.Keep == 0 {
		recent = RecentList{}
	}
	var answers []string
	load := func(ctx context.Context) (current Match, err error) {
		current, answers, err = m.Store.LoadToStart(ctx, s, recent.Name)
		return current, err
	}
	return m.change(ctx, o, found{slot: s, load: load}, func(ctx context.Context, current Match, err error) (Change, error) {
		switch {
		case errors.Is(err, ErrCleared):
			return Change{}, ErrAlreadyPlayed
		case errors.Is(err, ErrNoMatch), errors.Is(err, ErrUnreadable):
		case err != nil:
			return Change{}, err
		case current.Status() == Playing:
			return Change{}, ErrAlreadyPlaying
		case match.Puzzle != "" && current.Puzzle == match.Puzzle:
			return Change{}, ErrAlreadyPlayed
		}
		c := Change{Match: match}
		if match.State == nil {
			recent.Latest = answers[max(0, len(answers)-recent.Keep):]
			if c.Match.State, err = m.newGame(ctx, rules, match.Puzzle, NewGame{Hard: hard, Avoid: recent.Latest, Pick: m.pick}); err != nil {
				return Change{}, err
			}
		}
		if match.Mode != Archive { // no daily puzzle to come depends on what is practised
			c.Recent = recent
		}
		c.Match.Started = m.now()
		return c, nil
	})
}

// newGame makes the game of a new match. A shared puzzle that was started before is taken from the store.
func (m *Manager) newGame(ctx context.Context, rules Rules, p PuzzleID, g NewGame) (State, error) {
	if p != "" {
		known, ok, err := m.Store.Puzzle(ctx, rules.Kind, p)
		if err != nil {
			return nil, err
		}
		if ok {
			return known.Fresh(g.Hard), nil
		}
		if m.Pick == nil {
			secret, err := m.Store.Secret(ctx)
			if err != nil {
				return nil, err
			}
			g.Pick = pickByPuzzle(secret, rules.Kind, p)
		}
	}
	return rules.New(ctx, g)
}
