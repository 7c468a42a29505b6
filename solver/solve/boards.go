package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// BoardPuzzle is a puzzle of the poker game. All boards are known, unlike the words of
// a [WordPuzzle], so a change that leaves no board is refused, and its turns never
// contradict each other. At most one board is proposed. The zero value has no deal yet.
type BoardPuzzle = Puzzle[pokle.Board, boards.Suggestion, BoardSetup]

// BoardSetup is what a puzzle of the poker game begins with.
type BoardSetup struct {
	Deal pokle.Deal
}

// ErrNoDeal: no board can be guessed before there is a deal.
var ErrNoDeal = errors.New("no deal yet")

// HasDeal reports whether there is a deal.
func (s BoardSetup) HasDeal() bool { return s.Deal != pokle.Deal{} }

func (s BoardSetup) ready() error {
	if !s.HasDeal() {
		return ErrNoDeal
	}
	return nil
}

// misfits returns none, since [Boards.Update] refuses what contradicts earlier turns.
func (BoardSetup) misfits([]boards.Step) []Misfit { return nil }

func (BoardSetup) guess(s boards.Suggestion) pokle.Board { return s.Board }

func (s BoardSetup) allows(_ []boards.Step, b pokle.Board) error { return s.Deal.Allows(b) }

// BoardView is a puzzle of the poker game and all there is to say about it.
type BoardView struct {
	Puzzle BoardPuzzle
	// Version is that of the player's [Session]: it grows with every change.
	Version uint64
	// Left are the boards that are possible now: none without a deal, or if a stored
	// puzzle leaves none. The list is shared, and must not be changed.
	Left []pokle.Board
}

// ContradictionError says that no board gets the feedback of a turn after the turns
// before it.
type ContradictionError struct {
	Turn   boards.Step
	Number int // of the turn, from 1
	// Suspects are the earlier turns, from 1, that may be wrong instead: without any one
	// of them, boards would be left.
	Suspects []int
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("step %d: no board gets this feedback after the steps before", e.Number)
}

// Boards helps players with puzzles of the poker game, one for each player, as [Words] does
// with word puzzles. Its fields must be set and not changed afterwards; it is safe for
// concurrent use.
type Boards struct {
	Store  Store
	Solver *boards.Solver
}

// Show returns the player's puzzle. If no board has been proposed for it yet, that is
// done and committed first. The error is as for [Words.Show].
func (b *Boards) Show(ctx context.Context, o game.Origin) (BoardView, error) {
	return b.change(ctx, o, 0, nil)
}

// Peek returns the player's puzzle as it is stored: nothing is proposed. The error is
// the store's, [parallel.ErrBusy] or the context's.
func (b *Boards) Peek(ctx context.Context, player game.PlayerID) (BoardView, error) {
	s, err := b.Store.Session(ctx, player)
	if err != nil {
		return BoardView{}, err
	}
	return b.view(ctx, s)
}

// Update changes the player's puzzle by a rule, as [Words.Update] does. A change that
// leaves no board is refused too: with [boards.ErrNothingFits] because of the deal,
// otherwise with a *[ContradictionError].
func (b *Boards) Update(ctx context.Context, o game.Origin, seen uint64, rule func(BoardPuzzle) (BoardPuzzle, error)) (BoardView, error) {
	inTime, cancel := o.Within(ctx)
	defer cancel()
	return b.change(ctx, o, seen, func(s Session) (Session, error) {
		p, err := rule(s.Board)
		if err == nil {
			err = b.check(inTime, p)
		}
		s.Board = p
		return s, err
	})
}

func (b *Boards) change(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (BoardView, error) {
	s, err := change(ctx, b.Store, o, seen, rule, b.propose)
	if s.Player == "" { // nothing is known of the player
		return BoardView{}, err
	}
	v, failed := b.view(ctx, s)
	if errors.Is(failed, parallel.ErrBusy) {
		// Not [game.ErrBusy]: the puzzle may have changed, it just cannot be shown.
		failed = fmt.Errorf("listing the boards: %w", context.DeadlineExceeded)
	}
	if err == nil {
		err = failed
	}
	return v, err
}

// view returns the puzzle with the boards that are left.
func (b *Boards) view(ctx context.Context, s Session) (BoardView, error) {
	v := BoardView{Puzzle: s.Board, Version: s.Version}
	if !v.Puzzle.Setup.HasDeal() {
		return v, nil
	}
	var err error
	v.Left, err = b.Solver.Left(ctx, position(v.Puzzle))
	if errors.Is(err, boards.ErrNothingFits) { // by the rules of the release that stored it some did
		err = nil
	}
	return v, err
}

// check returns why a puzzle leaves no board, or nil.
func (b *Boards) check(ctx context.Context, p BoardPuzzle) error {
	if !p.Setup.HasDeal() {
		return nil
	}
	all, err := b.Solver.List(ctx, p.Setup.Deal)
	if err != nil {
		return err
	}
	fits := func(turns []boards.Step) bool { return len(boards.After(p.Setup.Deal, all, turns)) > 0 }
	for i, turn := range p.Turns {
		turns := p.Turns[:i+1]
		if fits(turns) {
			continue
		}
		why := &ContradictionError{Turn: turn, Number: i + 1}
		for j := range i {
			if fits(slices.Delete(slices.Clone(turns), j, j+1)) {
				why.Suspects = append(why.Suspects, j+1)
			}
		}
		return why
	}
	return nil
}

// propose is [Words.propose] for boards.
func (b *Boards) propose(ctx context.Context, s Session) (Session, bool, error) {
	p := s.Board
	if !p.Setup.HasDeal() || p.Status() != game.Playing || len(p.Proposed) > 0 {
		return s, false, nil
	}
	best, err := b.Solver.Suggest(ctx, position(p))
	switch {
	case errors.Is(err, boards.ErrNothingFits):
		return s, false, nil
	case err != nil:
		return s, false, err
	}
	s.Board = p.propose([]boards.Suggestion{best})
	return s, true, nil
}

// position is the puzzle as the solver takes it.
func position(p BoardPuzzle) boards.Position {
	return boards.Position{Deal: p.Setup.Deal, Steps: p.Turns}
}
