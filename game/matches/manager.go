// Package matches plays matches and races: it orders the moves of a channel, applies the rules, and commits every change before
// anyone sees it.
//
// The [Manager] is what fronts call. No match lives in memory: each move loads the match from the [Store], applies a pure rule
// and commits the result with the next version number. After a crash there is nothing to restore, and several machines can serve
// one channel.
package matches

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/work"
)

// Manager plays matches, one in each slot. Store and Rules must be set; no field may change once the manager is in use. It is
// safe for concurrent use.
//
// A repeated request changes nothing, and returns what the first one returned. Every change is committed before it is returned.
// An expired request commits nothing: its error is [game.ErrExpired].
type Manager struct {
	Store Store
	// Rules has the rules of every kind of game, each once.
	Rules []game.Rules

	// Work divides regular tasks among the processes that share the store; nil if there is one process only.
	Work work.Store

	// Pick draws answers and hints. If it is nil, daily puzzles are drawn from the store's secret, and all else by crypto/rand.
	Pick game.Pick
	// Now is the clock of requests: the front's, as for [game.Origin.Made]. If it is nil, time.Now is the clock.
	Now func() time.Time
	// Changed, if not nil, is called with each match that the manager has ended as idle or with its race, or in which it has carried
	// out a deadline, since no request of a player is answered then. It must not block.
	Changed func(game.Match)
	// RaceChanged, if not nil, is called after a change in a race or in a racer's match, with the race or with the error of
	// reading it. The request that made the change calls it. It must not block.
	RaceChanged func(game.Race, error)

	// Words returns the words that a server never uses, and Idle how long games in servers may be idle, where that is not the standard.
	// Nil stands for none.
	Words func(context.Context, game.GuildID) ([]string, error)
	Idle  func(context.Context) (map[game.GuildID]time.Duration, error)

	// slots orders the requests of a slot, and the changes of a race, on this machine. Across machines, versions order them: see
	// [turn.commit].
	slots slotLocks
}

// Move makes the typed guess in the target's match. In a match in turns, it has a newcomer join instead; in a
// vote, it proposes the guess: see [game.Match.Guessed]. The error is [game.ErrNotTurn], [game.ErrFull], [game.ErrNoMatch],
// [game.ErrEnded], [game.ErrRaceOver], a *[game.NotBegunError], [game.ErrGiver], one of the target, one of [game.Rules.Guess] or
// one of the store. With ErrNotTurn, ErrEnded and errors of the rules, the stored match is returned. The errors of a target are
// [game.ErrKind], [game.ErrMode], *[game.AmbiguousError] and *[game.OtherMatchError].
func (m *Manager) Move(ctx context.Context, o game.Origin, t Target, typed string) (game.Match, error) {
	rules, err := m.RulesOf(t.Kind)
	if err != nil {
		return game.Match{}, err
	}
	return m.changeMatch(ctx, o, t, func(ctx context.Context, match game.Match) (game.Match, error) {
		at, err := m.moveTime(ctx, o, match)
		switch {
		case err != nil:
			return match, err
		case match.Mode.Paced():
			return pacedGuess(rules, match, o.Player, at, typed)
		}
		return guess(rules, match, o.Player, at, typed)
	})
}

// Stop stops the target's match. Only its starter can do that, or a player who may manage the channel. If it is a daily puzzle,
// or other players have guessed, sure must be set. The error is [game.ErrNoMatch], [game.ErrEnded], [game.ErrNotAllowed],
// [game.ErrUnsure], one of the target or one of the store. With ErrEnded, ErrNotAllowed and ErrUnsure, the stored match is
// returned.
func (m *Manager) Stop(ctx context.Context, o game.Origin, t Target, mayManage, sure bool) (game.Match, error) {
	return m.changeMatch(ctx, o, t, func(_ context.Context, match game.Match) (game.Match, error) {
		switch {
		case o.Player != match.Starter && !mayManage:
			return match, game.ErrNotAllowed
		case !sure && (match.Mode == game.Daily || len(match.OtherGuessers(o.Player)) > 0):
			return match, game.ErrUnsure
		}
		match.Stop = &game.Stop{Player: o.Player, At: m.Clock(), Version: match.Version + 1}
		return match, nil
	})
}

// Latest returns the target's latest match. The error is [game.ErrNoMatch], one of the target or one of the store.
func (m *Manager) Latest(ctx context.Context, o game.Origin, t Target) (game.Match, error) {
	at, err := m.find(ctx, o, t)
	if err != nil {
		return game.Match{}, err
	}
	at = m.load(ctx, at)
	return at.match, t.check(at.match, at.err)
}

// Remaining returns how many answers were possible before the first guess of a match and after each, going by what its players
// saw; nil if the solvers are busy, or know no answer that fits.
func (m *Manager) Remaining(ctx context.Context, match game.Match) ([]game.Possible, error) {
	rules, err := m.RulesOf(match.Kind)
	if err != nil {
		return nil, err
	}
	left, err := rules.Remaining(ctx, match.State)
	if errors.Is(err, game.ErrBusy) || errors.Is(err, game.ErrNothingFits) {
		return nil, nil
	}
	return left, err
}

// Difficulty rates the puzzle of a match in a word, such as "hard", or returns "" if its kind has no ratings.
func (m *Manager) Difficulty(ctx context.Context, match game.Match) (string, error) {
	rules, err := m.RulesOf(match.Kind)
	if err != nil {
		return "", err
	}
	return rules.Difficulty(ctx, match.State.Fresh(marks.Off))
}

// RulesOf returns the rules of a kind, or [game.ErrKind].
func (m *Manager) RulesOf(k game.Kind) (game.Rules, error) {
	i := slices.IndexFunc(m.Rules, func(r game.Rules) bool { return r.Kind() == k })
	if i < 0 {
		return nil, fmt.Errorf("%q: %w", k, game.ErrKind)
	}
	return m.Rules[i], nil
}

// changeMatch makes one change in the target's match, which must still be played. Apply returns the changed match. If apply
// returns an error, so does changeMatch, with the stored match; errUnchanged is none.
func (m *Manager) changeMatch(ctx context.Context, o game.Origin, t Target, apply func(context.Context, game.Match) (game.Match, error)) (game.Match, error) {
	inTime, cancel := o.Within(ctx)
	defer cancel()
	at, err := m.find(inTime, o, t)
	if err != nil {
		return game.Match{}, o.Expired(err)
	}
	turn, err := m.takeTurn(inTime, o, at.slot)
	if err != nil {
		return game.Match{}, err
	}
	defer func() {
		turn.end()
		m.afterRaceMove(ctx, turn.changed) // after the slot is free for others
	}()
	for {
		if turn.stale {
			at = located{slot: at.slot}
		}
		at = m.load(inTime, at)
		next, err := at.match, t.playing(at.match, at.err)
		if err == nil {
			next, err = apply(inTime, at.match)
		}
		if answer, done, err := turn.commit(ctx, at.match, Change{Match: next}, err); done {
			return answer, err
		}
	}
}

// turn is the turn of a request in a slot. Until the turn ends, no other request of this process changes the slot.
type turn struct {
	manager *Manager
	origin  game.Origin
	slot    game.Slot
	stale   bool       // whether the slot may have changed since this request read it
	tries   int        // commits that came after another process's
	changed game.Match // the committed match; zero before that
	end     func()
}

// takeTurn waits for a request's turn in a slot. The caller must call end. The error can be [game.ErrExpired].
func (m *Manager) takeTurn(inTime context.Context, o game.Origin, s game.Slot) (*turn, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	unlock, waited, err := m.slots.Lock(inTime, s)
	if err != nil {
		return nil, fmt.Errorf("waiting for the slot: %w", o.Expired(err))
	}
	return &turn{manager: m, origin: o, slot: s, stale: waited, end: unlock}, nil
}

// maxTries is how often a change is tried when other machines are always first. A try fails only because another change was made,
// so even a busy channel needs far fewer.
const maxTries = 10

// commit commits a change as the slot's next version, unless refused says why there is no change. The answer is the changed
// match, the match that a repeated request led to, or the stored match with the error. If done is false, another process has
// changed the slot, and the caller must read the slot again.
//
// A repeated request is recognised only after the change is refused, here or by the store. That is enough: the store accepts no
// request twice, see [Change]. So a request that succeeds, as most do, does not wait for the question.
//
// An expired request changes nothing. The error is [game.ErrExpired], even if the request is a repeated one.
func (t *turn) commit(ctx context.Context, stored game.Match, c Change, refused error) (answer game.Match, done bool, err error) {
	m, o := t.manager, t.origin
	if late := o.CheckExpiry(); late != nil {
		return game.Match{}, true, late
	}
	if refused == nil {
		c.Request, c.At = o.Request, m.made(o)
		c.Match = c.Match.Calling(o)
		c.Match.Version++
		refused = m.Store.Commit(o.ForCommit(ctx), c)
		switch {
		case refused == nil:
			if c.Match.Status() != game.Playing {
				c.Match = c.Match.WithoutCalls() // as it is stored
			}
			t.changed = c.Match
			return c.Match, true, nil
		case !errors.Is(refused, game.ErrConflict):
			return game.Match{}, true, refused
		}
	}
	if then, ok, err := m.repeated(ctx, o, t.slot); ok || err != nil {
		return then, true, err
	}
	switch {
	case errors.Is(refused, errUnchanged):
		return stored, true, nil
	case !errors.Is(refused, game.ErrConflict):
		return stored, true, refused
	}
	t.tries, t.stale = t.tries+1, true
	if t.tries == maxTries {
		return game.Match{}, true, fmt.Errorf("gave up after %d tries: %w", maxTries, game.ErrConflict)
	}
	return game.Match{}, false, nil
}

// repeated returns the match that a repeated request led to. It reports false for a new request.
func (m *Manager) repeated(ctx context.Context, o game.Origin, s game.Slot) (game.Match, bool, error) {
	match, version, err := m.Store.Repeated(ctx, s, o.Request)
	if err != nil || version == 0 {
		return game.Match{}, false, err
	}
	return match.Rewind(version), true, nil
}

// never returns the words that are not used in a match. A daily puzzle is the same everywhere.
func (m *Manager) never(ctx context.Context, match game.Match) ([]string, error) {
	if _, daily := match.Puzzle.Daily(); daily || m.Words == nil || match.Location.Guild == "" {
		return nil, nil
	}
	return m.Words(ctx, match.Location.Guild)
}

func (m *Manager) pick(n int) int {
	if m.Pick != nil {
		return m.Pick(n)
	}
	i, _ := rand.Int(rand.Reader, big.NewInt(int64(n))) // the reader never fails
	return int(i.Int64())
}

// Clock returns the manager's time, to the millisecond, as stores keep it.
func (m *Manager) Clock() time.Time {
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	return now().UTC().Truncate(time.Millisecond)
}

// Today returns the number of today's daily puzzle. By a wrong clock it can be below 1: there is no puzzle then.
func (m *Manager) Today() int { return game.DailyNumber(m.Clock()) }

// made returns when a request was made.
func (m *Manager) made(o game.Origin) time.Time {
	if o.Made.IsZero() {
		return m.Clock()
	}
	return o.Made
}
