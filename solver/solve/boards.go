package solve

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
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

func (BoardSetup) guess(s boards.Suggestion) pokle.Board { return s.Board }

func (s BoardSetup) allows(_ []boards.Step, b pokle.Board) error {
	if !s.HasDeal() {
		return ErrNoDeal
	}
	return s.Deal.Allows(b)
}

// BoardView is a session with the boards that are possible in its puzzle of the poker game, in a
// list that is shared and must not be changed. It is nil without a deal.
type BoardView = View[pokle.Board]

// ContradictionError: no board gets the feedback of a turn after the turns before it. It is a
// [boards.ErrNothingFits].
type ContradictionError struct {
	Turn   boards.Step
	Number int // of the turn, from 1
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("step %d: no board gets this feedback after the steps before", e.Number)
}

// Unwrap returns [boards.ErrNothingFits].
func (e *ContradictionError) Unwrap() error { return boards.ErrNothingFits }

// Boards is [Words] for puzzles of the poker game.
type Boards struct {
	Store  Store
	Solver *boards.Solver
}

// Update changes the player's session by a rule, which may be called more than once; without a rule
// it only looks. A change is committed with the guesses proposed before it is returned, so feedback
// without a guess belongs to the guess that the player was shown. A repeated request changes
// nothing and returns the puzzle as it is now.
//
// Seen is the version that the player saw, or 0 for any. With [ErrOutdated], the rule's error and
// [boards.ErrNothingFits], for a deal or as a *[ContradictionError], comes the puzzle as it is.
// Other errors are [game.ErrBusy], [game.ErrExpired], [game.ErrID], the store's and the context's.
func (b *Boards) Update(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (BoardView, error) {
	return update(ctx, b.Store, o, seen, rule, b.view)
}

func (b *Boards) view(ctx context.Context, s Session) (BoardView, error) {
	v := BoardView{Session: s}
	p := s.Board
	if !p.Setup.HasDeal() {
		return v, nil
	}
	all, err := b.Solver.List(ctx, p.Setup.Deal)
	if err == nil {
		v.Left, err = After(p.Setup.Deal, all, p.Turns)
	}
	if err != nil || p.Status() != game.Playing || len(p.Proposed) > 0 {
		return v, err
	}
	best, err := b.Solver.Suggest(ctx, boards.Position{Deal: p.Setup.Deal, Steps: p.Turns})
	if err == nil {
		v.Board = p.propose(best)
	}
	return v, err
}

// After returns those of a deal's boards that give all turns their feedback. The error is a
// *[ContradictionError] if there are none.
func After(d pokle.Deal, left []pokle.Board, turns []boards.Step) ([]pokle.Board, error) {
	for i, turn := range turns {
		if left = boards.After(d, left, turns[i:i+1]); len(left) == 0 {
			return nil, &ContradictionError{turn, i + 1}
		}
	}
	return left, nil
}
