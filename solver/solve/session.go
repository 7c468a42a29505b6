package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/parallel"
	"fivefold/solver/poker"
)

// Session is a player's puzzles and record, as a [Store] keeps them. It is a value: it does not change once it is
// handed out. A new player's session is zero except for Player.
type Session struct {
	Player game.PlayerID
	// Version counts the commits.
	Version uint64
	Words   WordPuzzle `json:",omitzero"`
	Record  Record     // of the word puzzles before Words; others have none
	Cards   CardPuzzle `json:",omitzero"`
	Boards  Boards     `json:",omitzero"`
	// Requests are the latest requests that were committed, oldest first.
	Requests []game.RequestID
}

// Store keeps sessions. It is safe for concurrent use. Errors wrap [game.ErrDamaged] and
// [game.ErrNewer] where they apply.
type Store interface {
	// Session returns a player's session, or [ErrUnreadable].
	Session(ctx context.Context, player game.PlayerID) (Session, error)

	// CommitSession stores a session whole and durably, or returns an error: [game.ErrConflict] unless the stored
	// session has the version before, [game.ErrNotSaved] if the disk takes no changes. If the stored session cannot
	// be read, version 1 replaces it, and the store sets it aside. If ctx ends, the session may or may not be stored.
	CommitSession(ctx context.Context, s Session) error
}

// ErrUnreadable: the player's session cannot be read. It is a [game.ErrDamaged]. The player then gets a new session
// and can make the request again.
var ErrUnreadable = fmt.Errorf("the session cannot be read: %w", game.ErrDamaged)

// View is a session as a player sees it.
type View[L any] struct {
	Session
	// Left lists the words or boards that can still be the hidden one.
	Left []L
	// Contradiction is set if the word puzzle goes on and no word fits.
	Contradiction *Contradiction
}

// Record counts the word puzzles that a player has finished with help.
type Record struct {
	Lost         int
	Distribution [wordle.Attempts]int // puzzles solved with 1, 2, … guesses
}

// Solved returns how many puzzles were solved, and the sum of their guesses.
func (r Record) Solved() (puzzles, guesses int) {
	for i, n := range r.Distribution {
		puzzles += n
		guesses += (i + 1) * n
	}
	return puzzles, guesses
}

// Finished returns the player's record. It counts the current word puzzle if that is over.
func (s Session) Finished() Record {
	r := s.Record
	switch s.Words.Status() {
	case game.Won:
		r.Distribution[len(s.Words.Turns)-1]++
	case game.Lost:
		r.Lost++
	}
	return r
}

// Begin returns the session with a new word puzzle and the same strategy.
func (s Session) Begin(hard marks.Hardness) Session {
	s.Record = s.Finished()
	s.Words = WordPuzzle{Setup: WordSetup{Hard: hard, Strategy: s.Words.Setup.Strategy}}
	return s
}

// requestsKept is how many requests a session remembers. A front repeats a request only for some seconds, and a
// player makes far fewer meanwhile.
const requestsKept = 20

// next returns the session to commit for the request.
func (s Session) next(r game.RequestID) Session {
	s.Version++
	s.Requests = append(slices.Clone(s.Requests[max(0, len(s.Requests)-requestsKept+1):]), r)
	return s
}

// proposals counts the guesses proposed.
func (s Session) proposals() int {
	return len(s.Words.Proposed) + len(s.Cards.Proposed) + len(s.Boards.First().Proposed)
}

// tries is how often update tries a change, at most. It tries again when another request commits first.
const tries = 10

// update does the work of [Cards.Update], [Words.Update] and [Words.UpdateBoards]. The function view proposes guesses in a session.
// Without a rule, update commits only new proposals, and returns them even if they cannot be saved. If another
// request commits first, update starts over.
func update[L any](
	ctx context.Context, store Store, o game.Origin, seen uint64,
	rule func(Session) (Session, error), view func(context.Context, Session) (View[L], error),
) (View[L], error) {
	if err := o.Check(); err != nil {
		return View[L]{}, err
	}
	inTime, cancel := o.Within(ctx)
	defer cancel()
	for range tries {
		stored, err := store.Session(ctx, o.Player)
		if errors.Is(err, ErrUnreadable) {
			fresh := Session{Player: o.Player}.next(o.Request)
			if failed := store.CommitSession(o.ForCommit(ctx), fresh); failed != nil && !errors.Is(failed, game.ErrConflict) {
				return View[L]{}, failed
			}
		}
		if err != nil {
			return View[L]{}, err
		}
		next, refused := stored, error(nil)
		repeated := slices.Contains(stored.Requests, o.Request)
		switch {
		case repeated:
		case seen != 0 && seen != stored.Version:
			refused = ErrOutdated
		case rule != nil:
			next, refused = rule(stored)
		}
		var v View[L]
		if refused == nil {
			if v, err = view(inTime, next); errors.Is(err, poker.ErrNothingFits) {
				refused = err
			}
		}
		if refused != nil {
			v, _ = view(inTime, stored) // there may be no time for what is left
			return v, refused
		}
		if errors.Is(err, parallel.ErrBusy) {
			return View[L]{}, fmt.Errorf("%w: %w", game.ErrBusy, err)
		}
		if err != nil {
			return View[L]{}, o.Expired(err)
		}
		if repeated || rule == nil && v.proposals() == stored.proposals() {
			return v, nil
		}
		committed := v.Session.next(o.Request)
		err = store.CommitSession(o.ForCommit(ctx), committed)
		switch {
		case err == nil:
			v.Session = committed
			return v, nil
		case rule == nil && errors.Is(err, game.ErrNotSaved):
			return v, nil
		case !errors.Is(err, game.ErrConflict):
			return View[L]{}, err
		}
	}
	return View[L]{}, fmt.Errorf("gave up after %d tries: %w", tries, game.ErrConflict)
}
