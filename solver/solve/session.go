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

// Session is what is kept of a player, wherever the player asks. It is a value that
// never changes once it is handed out. A new player's is zero except for the Player.
type Session struct {
	Player game.PlayerID
	// Version counts the commits.
	Version uint64
	Words   WordPuzzle  `json:",omitzero"`
	Record  Record      // of word puzzles; boards have none
	Board   BoardPuzzle `json:",omitzero"`
	// Requests are the latest ones that led to a version, oldest first.
	Requests []game.RequestID
}

// Store keeps sessions. It is safe for concurrent use, and every method obeys its
// context while it waits. Errors wrap [game.ErrDamaged] and [game.ErrNewer] where they
// apply.
type Store interface {
	// Session returns a player's session, or [ErrUnreadable].
	Session(ctx context.Context, player game.PlayerID) (Session, error)

	// CommitSession stores a session, whole and durably, or not at all. Unless the
	// stored one has the version before, it changes nothing and returns
	// [game.ErrConflict]. Version 1 takes the place of one that cannot be read, which is set
	// aside. If the disk takes no changes, it returns [game.ErrNotSaved]. After its context
	// was cancelled, the session may or may not have been stored.
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

// count returns the record with a puzzle, if it is over, counted n times more.
func (r Record) count(p WordPuzzle, n int) Record {
	switch p.Status() {
	case game.Won:
		r.Distribution[len(p.Turns)-1] += n
	case game.Lost:
		r.Lost += n
	}
	return r
}

// withWords returns the session after a change of the word puzzle. A puzzle counts
// once it is over, and no longer if its end is taken back.
func (s Session) withWords(p WordPuzzle) Session {
	s.Record = s.Record.count(s.Words, -1).count(p, 1)
	s.Words = p
	return s
}

// Clear removes the player's record and the puzzles that are over. A puzzle that is not
// over stays, and so does how the player wants guesses to be proposed. A repeated request
// changes nothing. The error is one of the request or of the store.
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

// requestsKept is how many requests are remembered. Fronts repeat a request within
// seconds; far fewer others are made in that time.
const requestsKept = 20

// next returns the session as the request is to commit it.
func (s Session) next(r game.RequestID) Session {
	s.Version++
	s.Requests = append(slices.Clone(s.Requests[max(0, len(s.Requests)-requestsKept+1):]), r)
	return s
}

// tries is how often a change is tried while others keep committing first.
const tries = 10

// change loads the session of the player, applies the rule, has the next guess
// proposed, and commits. Seen is the version that the player was looking at, or 0 to
// change whatever there is. Without a rule it only looks, and commits only what was
// proposed; propose reports whether there is anything. A look does not fail if a proposal
// cannot be saved: it is made again next time.
//
// No lock is held: if two requests overlap, the store accepts one, and the other starts
// over. So the rule may be called more than once. A repeated request changes nothing.
//
// It returns the session as it is now stored, or would be after such a look, even if the
// rule's error or [ErrOutdated] comes with it. With any other error the session is zero:
// among them [game.ErrBusy] and [game.ErrExpired]. After [ErrUnreadable] the player has a
// new session, and can make the request again.
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

// solverError returns an error of a solver that worked for a request in the terms of
// requests.
func solverError(o game.Origin, err error) error {
	if errors.Is(err, parallel.ErrBusy) {
		return fmt.Errorf("%w: %w", game.ErrBusy, err)
	}
	return o.Expired(err)
}
