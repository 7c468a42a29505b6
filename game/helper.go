package game

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/weighted"
)

// Helper helps players with puzzles that they solve elsewhere, one word puzzle and
// one of the poker game a player. Its fields must be set and not changed
// afterwards; it is safe for concurrent use.
//
// Every change is committed before it is returned, with the words or the board
// proposed: so tiles without a word always mean the word that the player was
// shown. A repeated request changes nothing and returns the puzzle as it is now.
type Helper struct {
	Store    Store
	Weighted *weighted.Solver
	Boards   *boards.Solver
}

// Help is a puzzle with what can be said of it.
type Help struct {
	Puzzle Puzzle
	Record PuzzleRecord
	// Version is that of the player's notes: another one with every change.
	Version uint64
	// Possible are the words that fit, most likely first; not worked out for a
	// puzzle that is solved.
	Possible []weighted.Possible
	// Trouble is set where none fits.
	Trouble *Contradiction
}

// adviceKept is how many words are proposed for a turn, the best of them first.
const adviceKept = 10

// Show returns the player's puzzle. Where nothing was proposed for it yet, that is
// done and committed first. The error is one of the store or the context's.
func (h *Helper) Show(ctx context.Context, o Origin) (Help, error) {
	return h.commitWord(ctx, o, true, func(n Notes) (Notes, error) { return n, nil })
}

// Update changes the player's puzzle by a rule, which may be called more than
// once. Seen is the version that the player was shown, or 0 to change whatever is
// there. The error is [ErrOutdated], the rule's, each with the puzzle as it
// stands, or as for [Helper.Show].
func (h *Helper) Update(ctx context.Context, o Origin, seen uint64, rule func(Puzzle) (Puzzle, error)) (Help, error) {
	return h.commitWord(ctx, o, false, func(n Notes) (Notes, error) {
		if seen != 0 && seen != n.Version {
			return n, ErrOutdated
		}
		p, err := rule(n.Puzzle)
		if err != nil {
			return n, err
		}
		return n.change(p), nil
	})
}

// Begin begins a new puzzle for the player, with the same strategy. One that is
// not over is left, and counts for nothing. Seen and errors are as for
// [Helper.Update].
func (h *Helper) Begin(ctx context.Context, o Origin, seen uint64, hard bool) (Help, error) {
	return h.commitWord(ctx, o, false, func(n Notes) (Notes, error) {
		if seen != 0 && seen != n.Version {
			return n, ErrOutdated
		}
		return n.begin(hard), nil
	})
}

// Notes returns what is kept of a player, without asking for advice.
func (h *Helper) Notes(ctx context.Context, player PlayerID) (Notes, error) {
	return h.Store.Notes(ctx, player)
}

func (h *Helper) commitWord(ctx context.Context, o Origin, look bool, rule func(Notes) (Notes, error)) (Help, error) {
	notes, err := h.commit(ctx, o, look, rule, h.propose)
	if notes.Player == "" { // nothing is known of the player
		return Help{}, err
	}
	return h.describe(notes), err
}

// commit loads the player's notes, applies the rule, has the next guess proposed and
// commits. No lock is held: of two requests at a time the version lets one
// through, and the other begins anew. Where only a look is wanted, nothing is
// committed unless something was proposed.
//
// It returns the notes as they are stored now, also with an error of the rule, and
// the zero notes with any other error.
func (h *Helper) commit(
	ctx context.Context, o Origin, look bool, rule func(Notes) (Notes, error), propose func(context.Context, *Notes) (bool, error),
) (Notes, error) {
	if err := o.check(); err != nil {
		return Notes{}, err
	}
	for range conflicts {
		notes, err := h.Store.Notes(ctx, o.Player)
		if err != nil {
			return Notes{}, err
		}
		if slices.Contains(notes.Requests, o.Request) {
			return notes, nil
		}
		next, err := rule(notes)
		if err != nil {
			return notes, err
		}
		proposed, err := propose(ctx, &next)
		if err != nil {
			return Notes{}, err
		}
		if look && !proposed {
			return next, nil
		}
		next = next.next(o.Request)
		err = h.Store.CommitNotes(ctx, next)
		if err == nil {
			return next, nil
		}
		if !errors.Is(err, ErrConflict) {
			return Notes{}, err
		}
	}
	return Notes{}, fmt.Errorf("gave up after %d tries: %w", conflicts, ErrConflict)
}

// propose asks for advice where a puzzle goes on and has none, and reports
// whether there is some now. Turns that no word fits have none: that is told with
// the puzzle and is no error.
func (h *Helper) propose(ctx context.Context, n *Notes) (bool, error) {
	p := &n.Puzzle
	if p.Status() != Playing || len(p.Advice) > 0 {
		return false, nil
	}
	if !slices.Contains(solver.StrategyNames(), p.Strategy) {
		p.Strategy = solver.Optimal // also for what another release called otherwise
	}
	position := solver.Position{Turns: p.Turns, Hard: p.Hard, Limit: wordle.Attempts}
	advice, err := h.Weighted.Advise(ctx, position, p.Strategy, adviceKept)
	if errors.Is(err, solver.ErrNothingFits) || errors.Is(err, solver.ErrNothingAllowed) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.Advice = advice
	if p.Chosen == advice[0].Word {
		p.Chosen = 0 // it is the one proposed
	}
	return true, nil
}

// describe says of a puzzle what follows from its turns.
func (h *Helper) describe(n Notes) Help {
	help := Help{Puzzle: n.Puzzle, Record: n.Record, Version: n.Version}
	if n.Puzzle.Status() == Won {
		return help
	}
	help.Possible = h.Weighted.Possible(n.Puzzle.Turns)
	if len(help.Possible) == 0 {
		c := contradiction(n.Puzzle.Turns, h.Weighted.Possible)
		help.Trouble = &c
	}
	return help
}
