package game

import (
	"errors"
	"slices"

	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// BoardPuzzle is a puzzle of the poker game that a player solves elsewhere, with
// help: the deal, the boards that were guessed there, and what they were told. It
// is a value like a [Puzzle]. The zero value has no deal yet.
//
// Unlike the words of a puzzle, all boards are known. So a step after which none is
// left is refused, and those there are never contradict each other.
type BoardPuzzle struct {
	Deal  pokle.Deal
	Steps []boards.Step // at most pokle.Attempts; only the last can be all green
	// Proposal is the board proposed for the next step, with the figures that were
	// shown; nil where none was asked for yet, and at the end.
	Proposal *boards.Suggestion
	// Chosen is the player's own board for the next step, or the zero board.
	Chosen pokle.Board
}

// ErrNoDeal says that there is no deal that a board could be guessed in.
var ErrNoDeal = errors.New("no deal yet")

// HasDeal reports whether there is a deal.
func (p BoardPuzzle) HasDeal() bool { return p.Deal != pokle.Deal{} }

// Status tells whether the puzzle is [Playing], [Won] or [Lost]. Without a deal it
// is [Playing].
func (p BoardPuzzle) Status() Status {
	n := len(p.Steps)
	switch {
	case n > 0 && p.Steps[n-1].Feedback == pokle.AllGreen:
		return Won
	case n == pokle.Attempts:
		return Lost
	}
	return Playing
}

// Next returns the board that colours without a board are for: the player's own, or
// the one proposed. It is the zero board where there is none.
func (p BoardPuzzle) Next() pokle.Board {
	switch {
	case p.Chosen != pokle.Board{}:
		return p.Chosen
	case p.Proposal != nil:
		return p.Proposal.Board
	}
	return pokle.Board{}
}

// Add returns the puzzle after one more step. Whether boards are left then is for
// [Helper.UpdateBoard] to find out. The error is [ErrNoDeal], [ErrPuzzleOver],
// [ErrNoNext] for a step without a board, a *[pokle.TwiceError], a
// *[pokle.HeldError] or a *[pokle.RepeatedError].
func (p BoardPuzzle) Add(s boards.Step) (BoardPuzzle, error) {
	if err := p.allow(s.Guess); err != nil {
		return p, err
	}
	p.Steps = append(slices.Clip(p.Steps), s)
	return p.asked(), nil
}

// Choose returns the puzzle with a board of the player's own for the next step. The
// error is as for [BoardPuzzle.Add].
func (p BoardPuzzle) Choose(b pokle.Board) (BoardPuzzle, error) {
	if err := p.allow(b); err != nil {
		return p, err
	}
	p.Chosen = b
	return p, nil
}

// allow returns why a board cannot come next.
func (p BoardPuzzle) allow(b pokle.Board) error {
	switch {
	case !p.HasDeal():
		return ErrNoDeal
	case p.Status() != Playing:
		return ErrPuzzleOver
	case b == pokle.Board{}:
		return ErrNoNext
	}
	if err := p.Deal.Allows(b); err != nil {
		return err
	}
	if i := slices.IndexFunc(p.Steps, func(s boards.Step) bool { return s.Guess.Compare(b) == 0 }); i >= 0 {
		return &pokle.RepeatedError{Attempt: i + 1}
	}
	return nil
}

// Undo returns the puzzle without its last step, whose board comes next again:
// mostly the colours were wrong. The error is [ErrNoDeal] or [ErrNoLine].
func (p BoardPuzzle) Undo() (BoardPuzzle, error) {
	n := len(p.Steps)
	switch {
	case !p.HasDeal():
		return p, ErrNoDeal
	case n == 0:
		return p, ErrNoLine
	}
	last := p.Steps[n-1].Guess
	p.Steps = append([]boards.Step(nil), p.Steps[:n-1]...) // nil where none is left, as in a new puzzle
	p = p.asked()
	p.Chosen = last
	return p, nil
}

// asked returns the puzzle without what was proposed and chosen for its old state.
func (p BoardPuzzle) asked() BoardPuzzle {
	p.Proposal = nil
	p.Chosen = pokle.Board{}
	return p
}

// position is the puzzle as the solver asks for it.
func (p BoardPuzzle) position() boards.Position {
	return boards.Position{Deal: p.Deal, Steps: p.Steps, Limit: pokle.Attempts}
}
