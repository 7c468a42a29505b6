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

// BoardPuzzle is a puzzle of the poker game. A change that leaves no board is refused, so its
// turns never contradict each other. At most one board is proposed. The zero value has no
// deal yet.
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

// misfits returns nil, since [Boards.Update] refuses what contradicts earlier turns.
func (BoardSetup) misfits([]boards.Step) []Misfit { return nil }

func (BoardSetup) guess(s boards.Suggestion) pokle.Board { return s.Board }

func (s BoardSetup) allows(_ []boards.Step, b pokle.Board) error { return s.Deal.Allows(b) }

// BoardView is a puzzle of the poker game with the boards that are left.
type BoardView struct {
	Puzzle BoardPuzzle
	// Version is that of the player's [Session]: it grows with every change.
	Version uint64
	// Left are the boards that are possible now. It is nil without a deal. The list is shared
	// and must not be changed.
	Left []pokle.Board
}

// ContradictionError: no board gets the feedback of a turn after the turns before it.
type ContradictionError struct {
	Turn   boards.Step
	Number int // of the turn, from 1
	// Suspects are the earlier turns, from 1, that may be wrong instead. Without one of
	// them, boards would be left.
	Suspects []int
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("step %d: no board gets this feedback after the steps before", e.Number)
}

// Boards is [Words] for puzzles of the poker game.
type Boards struct {
	Store  Store
	Solver *boards.Solver
}

// Show is [Words.Show].
func (b *Boards) Show(ctx context.Context, o game.Origin) (BoardView, error) {
	return b.change(ctx, o, 0, nil)
}

// Peek returns the player's puzzle as it is stored. The error is the store's,
// [parallel.ErrBusy] or the context's.
func (b *Boards) Peek(ctx context.Context, player game.PlayerID) (BoardView, error) {
	s, err := b.Store.Session(ctx, player)
	if err != nil {
		return BoardView{}, err
	}
	return b.view(ctx, s)
}

// Update is [Words.Update]. A change that leaves no board is refused with
// [boards.ErrNothingFits] for its deal or a *[ContradictionError] for its turns.
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
	if s.Player == "" { // the session is not known
		return BoardView{}, err
	}
	v, failed := b.view(ctx, s)
	if errors.Is(failed, parallel.ErrBusy) {
		// [game.ErrBusy] would say that nothing was changed.
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
	v.Left, err = b.Solver.Remaining(ctx, position(v.Puzzle))
	return v, err
}

// check returns why a puzzle leaves no board, or nil.
func (b *Boards) check(ctx context.Context, p BoardPuzzle) error {
	if !p.Setup.HasDeal() {
		return nil
	}
	all, err := b.Solver.List(ctx, p.Setup.Deal)
	if err == nil {
		_, err = After(p.Setup.Deal, all, p.Turns)
	}
	return err
}

// After returns those of a deal's boards that give all turns their feedback. The error is a
// *[ContradictionError] if there are none.
func After(d pokle.Deal, all []pokle.Board, turns []boards.Step) ([]pokle.Board, error) {
	left := all
	for i, turn := range turns {
		if left = boards.After(d, left, turns[i:i+1]); len(left) > 0 {
			continue
		}
		why := &ContradictionError{Turn: turn, Number: i + 1}
		for j := range i {
			if len(boards.After(d, all, slices.Delete(slices.Clone(turns[:i+1]), j, j+1))) > 0 {
				why.Suspects = append(why.Suspects, j+1)
			}
		}
		return nil, why
	}
	return left, nil
}

// propose is [Words.propose] for boards.
func (b *Boards) propose(ctx context.Context, s Session) (Session, bool, error) {
	p := s.Board
	if !p.Setup.HasDeal() || p.Status() != game.Playing || len(p.Proposed) > 0 {
		return s, false, nil
	}
	best, err := b.Solver.Suggest(ctx, position(p))
	if err != nil {
		return s, false, err
	}
	s.Board = p.propose([]boards.Suggestion{best})
	return s, true, nil
}

// position returns the puzzle for the solver.
func position(p BoardPuzzle) boards.Position {
	return boards.Position{Deal: p.Setup.Deal, Steps: p.Turns}
}
