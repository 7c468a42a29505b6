package solve

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

// CardPuzzle is a puzzle of the poker game. A change that leaves no board is refused, so its turns never contradict
// each other. At most one board is proposed. A zero CardPuzzle has no deal yet.
type CardPuzzle = Puzzle[pokle.Board, poker.Suggestion, CardSetup]

// CardSetup is what a puzzle of the poker game begins with.
type CardSetup struct {
	Deal pokle.Deal
}

// ErrNoDeal: no board can be guessed before there is a deal.
var ErrNoDeal = errors.New("no deal yet")

// HasDeal reports whether there is a deal.
func (s CardSetup) HasDeal() bool { return s.Deal != pokle.Deal{} }

// Limit returns [pokle.Attempts].
func (CardSetup) Limit() int { return pokle.Attempts }

func (CardSetup) guess(s poker.Suggestion) pokle.Board { return s.Board }

func (s CardSetup) allows(_ []poker.Step, b pokle.Board) error {
	if !s.HasDeal() {
		return ErrNoDeal
	}
	return s.Deal.Allows(b)
}

// CardView is a session as its player sees it. Left lists the boards that are possible, and is nil without a deal.
// The list may be shared and must not be changed.
type CardView = View[pokle.Board]

// ContradictionError: boards fit the turns before Turn, but none fits Turn too. It is a [poker.ErrNothingFits].
type ContradictionError struct {
	Turn   poker.Step
	Number int // of the turn, from 1
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("step %d: no board gets this feedback after the steps before", e.Number)
}

// Unwrap returns [poker.ErrNothingFits].
func (e *ContradictionError) Unwrap() error { return poker.ErrNothingFits }

// Cards helps players with puzzles of the poker game; see [Words].
type Cards struct {
	Store  Store
	Solver *poker.Solver
}

// Update applies the rule to the player's session, proposes guesses, commits the session and returns it. The rule may
// be called more than once. Without a rule, Update only proposes. A repeated request changes nothing and returns the
// session as it is now. Feedback without a guess belongs to the guess that the player was shown, since the proposals
// are committed first.
//
// seen is the version that the player saw, or 0 for any. If the error is [ErrOutdated], the rule's, or
// [poker.ErrNothingFits] (for a turn a *[ContradictionError]), Update also returns the session as it is. Other
// errors are [game.ErrBusy], [game.ErrExpired], [game.ErrID], the store's and the context's.
func (b *Cards) Update(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (CardView, error) {
	return update(ctx, b.Store, o, seen, rule, b.view)
}

func (b *Cards) view(ctx context.Context, s Session) (CardView, error) {
	v := CardView{Session: s}
	p := s.Cards
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
	best, err := b.Solver.Suggest(ctx, poker.Position{Deal: p.Setup.Deal, Steps: p.Turns})
	if err == nil {
		v.Cards = p.propose(best)
	}
	return v, err
}

// After returns the boards in left that fit all turns. If none does, the error is a *[ContradictionError].
func After(d pokle.Deal, left []pokle.Board, turns []poker.Step) ([]pokle.Board, error) {
	for i, turn := range turns {
		if left = poker.After(d, left, turns[i:i+1]); len(left) == 0 {
			return nil, &ContradictionError{turn, i + 1}
		}
	}
	return left, nil
}
