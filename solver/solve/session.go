package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/parallel"
)

// Session is what is kept of a player. It is a value: it does not change once it is handed out.
// A new player's session is zero except for the Player.
type Session struct {
	Player game.PlayerID
	// Version counts the commits.
	Version uint64
	Words   WordPuzzle  `json:",omitzero"`
	Record  Record      // of word puzzles; boards have none
	Board   BoardPuzzle `json:",omitzero"`
	// Requests are the latest that led to a version, oldest first.
	Requests []game.RequestID
}

// Store keeps sessions. It is safe for concurrent use. Errors wrap [game.ErrDamaged] and
// [game.ErrNewer] where they apply.
type Store interface {
	// Session returns a player's session, or [ErrUnreadable].
	Session(ctx context.Context, player game.PlayerID) (Session, error)

	// CommitSession stores a session whole and durably, or returns an error: [game.ErrConflict]
	// if the stored one does not have the version before, [game.ErrNotSaved] if the disk takes no
	// changes. Version 1 replaces a session that cannot be read, which is set aside. If ctx
	// ends, the session may or may not be stored.
	CommitSession(ctx context.Context, s Session) error
}

// ErrUnreadable: the player's session cannot be read. It is a [game.ErrDamaged].
var ErrUnreadable = fmt.Errorf("the session cannot be read: %w", game.ErrDamaged)

// Record counts the word puzzles that a player has finished with help.
type Record struct {
	Lost         int
	Distribution [wordle.Attempts]int // puzzles solved by number of guesses, from 1
}

// Solved returns how many puzzles were solved, and the sum of their guesses.
func (r Record) Solved() (puzzles, guesses int) {
	for i, n := range r.Distribution {
		puzzles += n
		guesses += (i + 1) * n
	}
	return puzzles, guesses
}

// count returns the record with n added for a puzzle that is over.
func (r Record) count(p WordPuzzle, n int) Record {
	switch p.Status() {
	case game.Won:
		r.Distribution[len(p.Turns)-1] += n
	case game.Lost:
		r.Lost += n
	}
	return r
}

// withWords returns the session after a change of the word puzzle. A puzzle counts while it is
// over.
func (s Session) withWords(p WordPuzzle) Session {
	s.Record = s.Record.count(s.Words, -1).count(p, 1)
	s.Words = p
	return s
}

// Clear removes the player's record and the puzzles that are over. The strategy and puzzles that
// go on stay. A repeated request changes nothing. The error is one of the request or the store.
func Clear(ctx context.Context, store Store, o game.Origin) error {
	if s, err := store.Session(ctx, o.Player); err == nil && s.Version == 0 {
		return nil // nothing is kept
	}
	_, err := change(ctx, store, o, 0, func(s Session) (Session, error) {
		s.Record = Record{}
		if s.Words.Status() != game.Playing {
			s.Words = WordPuzzle{Setup: s.Words.Setup}
		}
		if s.Board.Status() != game.Playing {
			s.Board = BoardPuzzle{}
		}
		return s, nil
	}, func(_ context.Context, s Session) (Session, bool, error) { return s, false, nil })
	if errors.Is(err, ErrUnreadable) {
		return nil // the player has a new session
	}
	return err
}

// requestsKept is how many requests are remembered: far more than a player makes in the seconds in
// which a front may repeat one.
const requestsKept = 20

// next returns the session for a request to commit.
func (s Session) next(r game.RequestID) Session {
	s.Version++
	s.Requests = append(slices.Clone(s.Requests[max(0, len(s.Requests)-requestsKept+1):]), r)
	return s
}

// tries is how often a change is tried while other requests commit first.
const tries = 10

// change loads the player's session, applies the rule, proposes a guess and commits. Seen is the
// version that the player saw, or 0 for any. Without a rule it only looks: it commits only a
// proposal, if propose reports one, and returns the session even if that cannot be saved.
//
// If another request commits first, change starts over and calls the rule again. A repeated
// request changes nothing.
//
// The session returned is the stored one, also with [ErrOutdated] or the rule's error. With
// other errors, such as [game.ErrBusy] and [game.ErrExpired], it is zero. After [ErrUnreadable]
// the player has a new session and can make the request again.
func change(
	ctx context.Context, store Store, o game.Origin, seen uint64,
	rule func(Session) (Session, error), propose func(context.Context, Session) (Session, bool, error),
) (Session, error) {
	if err := o.Check(); err != nil {
		return Session{}, err
	}
	inTime, cancel := o.Within(ctx)
	defer cancel()
	for range tries {
		stored, err := store.Session(ctx, o.Player)
		if errors.Is(err, ErrUnreadable) {
			fresh := Session{Player: o.Player}.next(o.Request)
			if failed := store.CommitSession(o.ForCommit(ctx), fresh); failed != nil && !errors.Is(failed, game.ErrConflict) {
				return Session{}, failed
			}
		}
		if err != nil {
			return Session{}, err
		}
		if slices.Contains(stored.Requests, o.Request) {
			return stored, nil
		}
		if seen != 0 && seen != stored.Version {
			return stored, ErrOutdated
		}
		next := stored
		if rule != nil {
			if next, err = rule(stored); err != nil {
				return stored, solverError(o, err)
			}
		}
		next, proposed, err := propose(inTime, next)
		if err != nil {
			return Session{}, solverError(o, err)
		}
		if rule == nil && !proposed {
			return stored, nil
		}
		look := next
		next = next.next(o.Request)
		err = store.CommitSession(o.ForCommit(ctx), next)
		switch {
		case err == nil:
			return next, nil
		case rule == nil && errors.Is(err, game.ErrNotSaved):
			return look, nil
		}
		if !errors.Is(err, game.ErrConflict) {
			return Session{}, err
		}
	}
	return Session{}, fmt.Errorf("gave up after %d tries: %w", tries, game.ErrConflict)
}

// solverError translates the error of a solver into that of a request.
func solverError(o game.Origin, err error) error {
	if errors.Is(err, parallel.ErrBusy) {
		return fmt.Errorf("%w: %w", game.ErrBusy, err)
	}
	return o.Expired(err)
}
