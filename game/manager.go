package game

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// Manager plays matches, one a table. All fields but Pick, Now and FormTime
// must be set; none may change once it is used. It is safe for concurrent use.
//
// A repeated request changes nothing and returns what it first led to. Every
// change is committed before it is returned.
type Manager struct {
	Store  Store
	Lists  *wordle.Lists
	Solver *solver.Solver
	Boards *boards.Solver

	// Pick returns a number from 0 to n−1 by which words and hints are drawn.
	// Where nil, crypto/rand draws, every number equally likely.
	Pick func(n int) int
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// FormTime is how long [Manager.Form] reviews matches; 500 ms where 0.
	FormTime time.Duration

	// tables orders the requests at a table on this machine. Across machines the
	// version does: see update.
	tables keyedLock[Table]
}

// StartOptions are what a starter can choose. The zero value is the plain game.
type StartOptions struct {
	Hard bool
}

// Start opens a match in the channel. The error is [ErrRunning], with the match
// that is being played, or one of the store.
func (m *Manager) Start(ctx context.Context, o Origin, opts StartOptions) (Match, error) {
	table := ChannelTable(Wordle, o.Place.Channel)
	return m.change(ctx, o, table, func(ctx context.Context) (Change, Match, error) {
		if current, err := m.vacant(ctx, table); err != nil {
			return Change{}, current, err
		}
		hidden, err := m.draw(ctx, o.Place.Pool())
		if err != nil {
			return Change{}, Match{}, err
		}
		return Change{KeepDrawn: m.keepDrawn(), Match: Match{
			ID:      MatchID(o.Request),
			Place:   o.Place,
			Starter: o.Player,
			Started: m.now(),
			Wordle:  wordle.NewState(hidden, opts.Hard),
		}}, Match{}, nil
	})
}

// vacant returns nil where a match may start at the table; else [ErrRunning] or
// [ErrPlayed] with the match that is there, or an error of the store.
func (m *Manager) vacant(ctx context.Context, t Table) (Match, error) {
	current, err := m.Store.Load(ctx, t)
	switch {
	case errors.Is(err, ErrNoMatch):
		return Match{}, nil
	case err != nil:
		return Match{}, err
	case current.Status() == Playing:
		return current, ErrRunning
	case t.Day != 0:
		return current, ErrPlayed
	}
	return current, nil
}

// Guess makes a guess in the channel's match of the word game. The error is [ErrNoMatch],
// [ErrEnded], [ErrUnknownWord], one of wordle.State.Guess, or one of the store;
// the match with it is as it stands.
func (m *Manager) Guess(ctx context.Context, o Origin, w wordle.Word) (Match, error) {
	return m.update(ctx, o, ChannelTable(Wordle, o.Place.Channel), func(match Match) (Match, error) {
		if match.Status() != Playing {
			return match, ErrEnded
		}
		// The hidden word counts even where the operator's list has lost it since.
		if !m.Lists.CanGuess(w) && w != match.Wordle.Hidden() {
			return match, ErrUnknownWord
		}
		state, err := match.Wordle.Guess(w)
		if err != nil {
			return match, err
		}
		match.Wordle = state
		return m.withMove(match, o), nil
	})
}

func (m *Manager) withMove(match Match, o Origin) Match {
	match.Moves = append(slices.Clip(match.Moves), Move{Player: o.Player, At: m.now(), Version: match.Version + 1})
	return match
}

// Stop ends the table's match before its end. Who started it may, and who may
// manage the channel. The error is [ErrNoMatch], [ErrEnded], [ErrNotAllowed] or
// one of the store.
func (m *Manager) Stop(ctx context.Context, o Origin, t Table, mayManage bool) (Match, error) {
	return m.update(ctx, o, t, func(match Match) (Match, error) {
		if match.Status() != Playing {
			return match, ErrEnded
		}
		if o.Player != match.Starter && !mayManage {
			return match, ErrNotAllowed
		}
		match.Stop = &Stop{Player: o.Player, At: m.now(), Version: match.Version + 1}
		return match, nil
	})
}

// Board returns the table's latest match, or [ErrNoMatch].
func (m *Manager) Board(ctx context.Context, t Table) (Match, error) {
	return m.Store.Load(ctx, t)
}

// update changes the table's match by a rule that knows nothing of storage.
func (m *Manager) update(ctx context.Context, o Origin, t Table, rule func(Match) (Match, error)) (Match, error) {
	return m.change(ctx, o, t, func(ctx context.Context) (Change, Match, error) {
		match, err := m.Store.Load(ctx, t)
		if err != nil {
			return Change{}, Match{}, err
		}
		next, err := rule(match)
		return Change{Match: next}, match, err
	})
}

// conflicts is how often a change is tried again after another machine was
// first. Each try loses to a change that was made, so even a busy channel
// settles long before.
const conflicts = 10

// change makes one change at a table: it waits for its turn and commits what
// the step returns, with the next version. Where the step returns an error, its
// match goes back with it.
//
// Whether the request was made before is asked only when it is refused, by the
// rule or by the store, which a repeated one always is: by [Change], the store
// takes none twice. A new request that succeeds, the usual one, need not wait for
// the answer.
func (m *Manager) change(ctx context.Context, o Origin, t Table, step func(context.Context) (Change, Match, error)) (Match, error) {
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	unlock, err := m.tables.Lock(ctx, t)
	if err != nil {
		return Match{}, fmt.Errorf("waiting for the table: %w", err)
	}
	defer unlock()
	for range conflicts {
		c, current, err := step(ctx)
		if err == nil {
			c.Request = o.Request
			c.At = m.now()
			c.Match.Version++
			err = m.Store.Commit(ctx, c)
			switch {
			case err == nil:
				return c.Match, nil
			case !errors.Is(err, ErrConflict):
				return Match{}, err
			}
		}
		if seen, ok, err := m.repeated(ctx, o, t); ok || err != nil {
			return seen, err
		}
		if !errors.Is(err, ErrConflict) {
			return current, err
		}
	}
	return Match{}, fmt.Errorf("gave up after %d tries: %w", conflicts, ErrConflict)
}

// repeated returns what the request led to, if it was made before.
func (m *Manager) repeated(ctx context.Context, o Origin, t Table) (Match, bool, error) {
	match, version, err := m.Store.Repeated(ctx, t, o.Request)
	if err != nil || version == 0 {
		return Match{}, false, err
	}
	return match.Rewind(version), true, nil
}

// draw picks a hidden word that is not among the pool's latest.
func (m *Manager) draw(ctx context.Context, pool string) (wordle.Word, error) {
	drawn, err := m.Store.Drawn(ctx, pool)
	if err != nil {
		return 0, err
	}
	recent := map[wordle.Word]bool{}
	for _, w := range drawn[max(0, len(drawn)-m.keepDrawn()):] {
		recent[w] = true
	}
	var fresh []wordle.Word
	for _, w := range m.Lists.Answers() {
		if !recent[w] {
			fresh = append(fresh, w)
		}
	}
	return fresh[m.pick(len(fresh))], nil
}

// keepDrawn is how many hidden words do not come again: half the list.
func (m *Manager) keepDrawn() int { return len(m.Lists.Answers()) / 2 }

func (m *Manager) pick(n int) int {
	if m.Pick != nil {
		return m.Pick(n)
	}
	i, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(fmt.Sprintf("game: no randomness: %v", err)) // crypto/rand never fails on supported systems
	}
	return int(i.Int64())
}

// now is the time to the millisecond, as it is stored.
func (m *Manager) now() time.Time {
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	return now().UTC().Truncate(time.Millisecond)
}
