package matches

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
)

// pickByPuzzle returns a Pick for a puzzle: the same for the same secret, kind and puzzle, and unpredictable without the secret.
func pickByPuzzle(secret []byte, k game.Kind, p game.PuzzleID) game.Pick {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(string(k) + "\x00" + string(p)))
	return rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))).IntN
}

// StartOptions are the choices of a player who starts a match.
type StartOptions struct {
	Kind game.Kind
	Mode game.Mode      // Together, Turns, Vote, Solo, Daily or Practice
	Past int            // in the mode Practice, the number of the puzzle
	Hard marks.Hardness // ignored if the kind has no hard mode
	// Hints is how many hints the match allows.
	Hints game.HintLimit
}

// Start opens a match: for the channel in the modes Together, Turns and Vote, else for the player alone. The error is [game.ErrAlreadyPlaying] or
// [game.ErrAlreadyPlayed] with the match that is in the slot, [game.ErrNoDaily], [game.ErrNotPast], a *[game.SecretError] for a
// past puzzle that the player can still finish, [game.ErrKind], [game.ErrMode], one of the rules or one of the store. After the
// data was deleted, ErrAlreadyPlayed comes without a match.
func (m *Manager) Start(ctx context.Context, o game.Origin, opts StartOptions) (game.Match, error) {
	rules, err := m.RulesOf(opts.Kind)
	if err != nil {
		return game.Match{}, err
	}
	if !slices.Contains(game.Modes, opts.Mode) || opts.Mode.Raced() {
		return game.Match{}, fmt.Errorf("%s %s: %w", opts.Kind, opts.Mode, game.ErrMode)
	}
	slot, puzzle := game.OwnSlot(opts.Kind, opts.Mode, o.Player, o.Location), game.PuzzleID("")
	switch opts.Mode {
	case game.Together, game.Turns, game.Vote:
		slot = game.ChannelSlot(opts.Kind, o.Location.Channel)
	case game.Daily:
		if m.Today() < 1 {
			return game.Match{}, game.ErrNoDaily
		}
		slots := m.dailySlots(opts.Kind, o.Player)
		loaded, err := m.Store.LoadSlots(ctx, slots, true)
		if err != nil {
			return game.Match{}, err
		}
		slot = slots[max(0, madeIn(o.Request, loaded))]
		puzzle = slot.Puzzle
	case game.Practice:
		if opts.Past < 1 || opts.Past >= m.Today() {
			return game.Match{}, game.ErrNotPast
		}
		puzzle = game.DailyPuzzle(opts.Past)
		if err := m.Secret(ctx, o.Player, opts.Kind, puzzle); err != nil {
			return game.Match{}, err
		}
	}
	return m.startIn(ctx, o, rules, slot, game.Match{Mode: opts.Mode, Puzzle: puzzle, HintLimit: opts.Hints}, opts.Hard)
}

// startIn starts a match in s. The caller has set mode, puzzle and hints, which the origin does not tell.
func (m *Manager) startIn(ctx context.Context, o game.Origin, rules game.Rules, s game.Slot, match game.Match, hard marks.Hardness) (game.Match, error) {
	match.ID, match.Location, match.Starter, match.Kind = game.MatchID(o.Request), o.Location, o.Player, rules.Kind()
	recent := RecentList{Name: string(rules.Kind()) + " " + o.Location.Community(), Keep: rules.NoRepeat()}
	if _, daily := match.Puzzle.Daily(); daily {
		recent.Name = string(rules.Kind()) + " daily"
	}
	if match.State != nil || recent.Keep == 0 {
		recent = RecentList{}
	}
	inTime, cancel := o.Within(ctx)
	defer cancel()
	turn, err := m.takeTurn(inTime, o, s)
	if err != nil {
		return game.Match{}, err
	}
	defer turn.end()
	for {
		current, c, err := m.planStart(inTime, rules, s, match, recent, hard)
		if answer, done, err := turn.commit(ctx, current, c, err); done {
			return answer, err
		}
	}
}

// planStart returns the change that starts a match in s, and the match that is there now. The error is as in [Manager.Start].
func (m *Manager) planStart(ctx context.Context, rules game.Rules, s game.Slot, match game.Match, recent RecentList, hard marks.Hardness) (current game.Match, c Change, err error) {
	current, answers, err := m.Store.LoadToStart(ctx, s, recent.Name)
	switch {
	case errors.Is(err, game.ErrDeleted):
		return current, c, game.ErrAlreadyPlayed
	case errors.Is(err, game.ErrNoMatch), errors.Is(err, game.ErrUnreadable):
	case err != nil:
		return current, c, err
	case current.Status() == game.Playing:
		return current, c, game.ErrAlreadyPlaying
	case match.Puzzle != "" && current.Puzzle == match.Puzzle:
		return current, c, game.ErrAlreadyPlayed
	}
	c.Match = match
	if match.State == nil {
		recent.Latest = answers[max(0, len(answers)-recent.Keep):]
		never, err := m.never(ctx, match)
		if err != nil {
			return current, c, err
		}
		if c.Match.State, err = m.newGame(ctx, rules, match.Puzzle, game.NewGame{Hard: hard, Avoid: recent.Latest, Never: never, Pick: m.pick}); err != nil {
			return current, c, err
		}
	}
	if match.Mode != game.Practice { // practice has no effect on daily puzzles to come
		c.Recent = recent
	}
	c.Match.Started = m.Clock()
	return current, c, nil
}

// newGame makes the game of a new match. A shared puzzle that was started before is taken from the store.
func (m *Manager) newGame(ctx context.Context, rules game.Rules, p game.PuzzleID, g game.NewGame) (game.State, error) {
	_, g.Daily = p.Daily()
	if p != "" {
		known, ok, err := m.Store.Puzzle(ctx, rules.Kind(), p)
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
			g.Pick = pickByPuzzle(secret, rules.Kind(), p)
		}
	}
	return rules.New(ctx, g)
}
