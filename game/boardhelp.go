package game

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// BoardHelp is a puzzle of the poker game with what can be said of it.
type BoardHelp struct {
	Puzzle BoardPuzzle
	// Version is that of the player's notes, as in [Help].
	Version uint64
	// Left are the boards that are possible now. There are none without a deal, or
	// where a deal that was stored leaves none. Nobody may change the list.
	Left boards.List
}

// ContradictedError says that no board gets the colours of a step after the steps
// before it.
type ContradictedError struct {
	Step    boards.Step
	Number  int   // which step it is, from 1
	Instead []int // the steps before, from 1, of which each would leave boards if it alone were not there
}

func (e *ContradictedError) Error() string {
	return fmt.Sprintf("step %d: no board gets these colours after the steps before", e.Number)
}

// ShowBoard is [Helper.Show] for the poker game.
func (h *Helper) ShowBoard(ctx context.Context, o Origin) (BoardHelp, error) {
	return h.commitBoard(ctx, o, true, func(n Notes) (Notes, error) { return n, nil })
}

// UpdateBoard is [Helper.Update] for the poker game. What leaves no board is refused
// too, with [boards.ErrNothingFits] where it is the deal, and else with a
// *[ContradictedError].
func (h *Helper) UpdateBoard(ctx context.Context, o Origin, seen uint64, rule func(BoardPuzzle) (BoardPuzzle, error)) (BoardHelp, error) {
	return h.commitBoard(ctx, o, false, func(n Notes) (Notes, error) {
		if seen != 0 && seen != n.Version {
			return n, ErrOutdated
		}
		p, err := rule(n.Board)
		if err != nil {
			return n, err
		}
		if err := h.check(ctx, p); err != nil {
			return n, err
		}
		n.Board = p
		return n, nil
	})
}

// JudgeBoard says of a puzzle what [Helper.ShowBoard] says of a player's, with a
// board proposed, and stores nothing. The error is as for [Helper.UpdateBoard].
func (h *Helper) JudgeBoard(ctx context.Context, p BoardPuzzle) (BoardHelp, error) {
	if err := h.check(ctx, p); err != nil {
		return BoardHelp{}, err
	}
	n := Notes{Board: p}
	if _, err := h.proposeBoard(ctx, &n); err != nil {
		return BoardHelp{}, err
	}
	return h.describeBoard(ctx, n)
}

func (h *Helper) commitBoard(ctx context.Context, o Origin, look bool, rule func(Notes) (Notes, error)) (BoardHelp, error) {
	notes, err := h.commit(ctx, o, look, rule, h.proposeBoard)
	if notes.Player == "" { // nothing is known of the player
		return BoardHelp{}, err
	}
	help, failed := h.describeBoard(ctx, notes)
	if failed != nil && err == nil {
		err = failed
	}
	return help, err
}

// check returns why a puzzle leaves no board.
func (h *Helper) check(ctx context.Context, p BoardPuzzle) error {
	if !p.HasDeal() {
		return nil
	}
	_, err := h.Boards.Left(ctx, p.position())
	var none *boards.ContradictionError
	if !errors.As(err, &none) {
		return err
	}
	told := &ContradictedError{Step: p.Steps[none.Step-1], Number: none.Step}
	for i := range told.Number - 1 {
		without := p
		without.Steps = slices.Delete(slices.Clone(p.Steps[:told.Number]), i, i+1)
		switch _, err := h.Boards.Left(ctx, without.position()); {
		case err == nil:
			told.Instead = append(told.Instead, i+1)
		case !nothingLeft(err):
			return err
		}
	}
	return told
}

// proposeBoard is [Helper.propose] for the poker game.
func (h *Helper) proposeBoard(ctx context.Context, n *Notes) (bool, error) {
	p := &n.Board
	if !p.HasDeal() || p.Status() != Playing || p.Proposal != nil {
		return false, nil
	}
	s, err := h.Boards.Suggest(ctx, p.position())
	if nothingLeft(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.Proposal = &s
	if p.Chosen == s.Board {
		p.Chosen = pokle.Board{} // it is the one proposed
	}
	return true, nil
}

func (h *Helper) describeBoard(ctx context.Context, n Notes) (BoardHelp, error) {
	help := BoardHelp{Puzzle: n.Board, Version: n.Version}
	if !n.Board.HasDeal() {
		return help, nil
	}
	var err error
	if help.Left, err = h.Boards.Left(ctx, n.Board.position()); nothingLeft(err) {
		err = nil
	}
	return help, err
}

// nothingLeft reports whether the solver says that no board is possible. Of what is
// stored it can say so only after a release with other rules.
func nothingLeft(err error) bool {
	var none *boards.ContradictionError
	return errors.Is(err, boards.ErrNothingFits) || errors.As(err, &none)
}
