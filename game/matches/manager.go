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
	"fivefold/game/work"
)

// Manager plays matches, one in each slot. Store and Rules must be set; no field may change once the manager is in use. It is
// safe for concurrent use.
//
// A repeated request changes nothing and returns what it first led to. Every change is committed before it is returned. No change
// is committed for a request that has expired: [game.ErrExpired].
type Manager struct {
	Store Store
	// Rules has the rules of every kind of game, each once.
	Rules []game.Rules

	// Work divides regular tasks among the processes that share the store; nil if there are no others.
	Work work.Store

	// Pick draws answers and hints. If it is nil, daily puzzles are drawn from the store's secret, and all else by crypto/rand.
	Pick game.Pick
	// Now is the clock of requests: the front's, by which [game.Origin.Made] goes; time.Now if nil.
	Now func() time.Time
	// Ended, if not nil, is called with each match that [Manager.EndIdle] has ended, since no player will be answered. It must
	// not block.
	Ended func(game.Match)
	// RaceChanged, if not nil, is called with each race in which something has changed, by the request that did it; with an error
	// if the race could not be read then. It must not block.
	RaceChanged func(game.Race, error)

	// slots orders the requests of a slot, and the changes of a race, on this machine. Across machines the version does: see
	// [Manager.takeTurn].
	slots slotLocks
}

// Move makes a guess in the target's match, as it was typed. The error is [game.ErrNoMatch], [game.ErrEnded], [game.ErrRaceOver],
// a *[game.NotBegunError], [game.ErrGiver], one of the target, one of [game.Rules.Guess] or one of the store. With ErrEnded and
// errors of the rules, the stored match is returned. The errors of a target are [game.ErrKind], [game.ErrMode],
// *[game.AmbiguousError] and *[game.OtherMatchError].
func (m *Manager) Move(ctx context.Context, o game.Origin, t Target, typed string) (game.Match, error) {
	rules, err := m.RulesOf(t.Kind)
	if err != nil {
		return game.Match{}, err
	}
	return m.changeMatch(ctx, o, t, func(ctx context.Context, match game.Match) (game.Match, error) {
		at, err := m.moveTime(ctx, o, match)
		if err == nil {
			match.State, err = rules.Guess(match.State, typed)
		}
		match.Moves = append(slices.Clip(match.Moves), game.Move{Player: o.Player, Name: o.Name, At: at, Version: match.Version + 1})
		return match, err
	})
}

// Stop stops the target's match. Only the player who started it can do that, or someone who may manage the channel. If that is a
// loss by itself, or others have guessed too, the player must be sure. The error is [game.ErrNoMatch], [game.ErrEnded],
// [game.ErrNotAllowed], [game.ErrUnsure], one of the target or one of the store. With the second to the fourth, the stored match
// is returned.
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
func (m *Manager) Remaining(ctx context.Context, match game.Match) ([]int, error) {
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
	return rules.Difficulty(ctx, match.State.Fresh(false))
}

// RulesOf returns the rules of a kind, or [game.ErrKind].
func (m *Manager) RulesOf(k game.Kind) (game.Rules, error) {
	i := slices.IndexFunc(m.Rules, func(r game.Rules) bool { return r.Kind() == k })
	if i < 0 {
		return nil, fmt.Errorf("%q: %w", k, game.ErrKind)
	}
	return m.Rules[i], nil
}

// changeMatch makes one change in the target's match, which must still be played. Apply returns the match as it is to be; its
// error is returned with the stored match.
func (m *Manager) changeMatch(ctx context.Context, o game.Origin, t Target, apply func(context.Context, game.Match) (game.Match, error)) (changed game.Match, err error) {
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
		if err == nil {
			m.afterRaceMove(ctx, changed) // when others can have the slot
		}
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

// turn is the turn of a request in a slot: no other request of this process changes the slot before it ends.
type turn struct {
	manager *Manager
	origin  game.Origin
	slot    game.Slot
	stale   bool // whether the slot may have changed since the request has read it last
	tries   int  // that another process was too quick for
	end     func()
}

// takeTurn waits for a request's turn in a slot. The caller ends it. The error can be [game.ErrExpired].
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

// commit commits a change as the slot's next version, unless refused says why there is none. It returns the answer to the
// request: the changed match; what the request led to before, if it is a repeated one; or the stored match with the error. If
// done is false, another process has changed the slot, and the caller reads it again.
//
// Whether the request was made before is asked only if the change is refused, here or by the store. That is enough, since the
// store accepts no request twice: see [Change]. So a request that succeeds, as most do, does not wait for the answer.
//
// A request that expires on the way changes nothing. If it was made before and has expired since, the error is [game.ErrExpired]
// too.
func (t *turn) commit(ctx context.Context, stored game.Match, c Change, refused error) (answer game.Match, done bool, err error) {
	m, o := t.manager, t.origin
	if late := o.CheckExpiry(); late != nil {
		return game.Match{}, true, late
	}
	if refused == nil {
		c.Request, c.At = o.Request, m.made(o)
		c.Match.Version++
		refused = m.Store.Commit(o.ForCommit(ctx), c)
		switch {
		case refused == nil:
			return c.Match, true, nil
		case !errors.Is(refused, game.ErrConflict):
			return game.Match{}, true, refused
		}
	}
	if then, ok, err := m.repeated(ctx, o, t.slot); ok || err != nil {
		return then, true, err
	}
	if !errors.Is(refused, game.ErrConflict) {
		return stored, true, refused
	}
	t.tries, t.stale = t.tries+1, true
	if t.tries == maxTries {
		return game.Match{}, true, fmt.Errorf("gave up after %d tries: %w", maxTries, game.ErrConflict)
	}
	return game.Match{}, false, nil
}

// repeated returns the match that the request led to, if it was made before.
func (m *Manager) repeated(ctx context.Context, o game.Origin, s game.Slot) (game.Match, bool, error) {
	match, version, err := m.Store.Repeated(ctx, s, o.Request)
	if err != nil || version == 0 {
		return game.Match{}, false, err
	}
	return match.Rewind(version), true, nil
}

func (m *Manager) pick(n int) int {
	if m.Pick != nil {
		return m.Pick(n)
	}
	i, _ := rand.Int(rand.Reader, big.NewInt(int64(n))) // the reader never fails
	return int(i.Int64())
}

// Clock returns the time by which the manager goes, to the millisecond, as it is stored.
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
