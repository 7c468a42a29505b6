package pokergame

import (
	"context"
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// Rules returns the rules of the poker game.
func Rules(s *boards.Solver) game.Rules {
	c := cards{s}
	return game.Rules{
		Kind: Kind, Modes: game.Modes,
		New: c.new, Hint: c.hint, Review: c.review, Remaining: c.remaining, Narrowing: c.narrowing, Difficulty: c.difficulty,
	}
}

type cards struct{ solver *boards.Solver }

func (c cards) new(ctx context.Context, g game.NewGame) (game.State, error) {
	puzzle, err := c.solver.Generate(ctx, g.Pick.Seed())
	if err != nil {
		return nil, matchError(err)
	}
	return State{pokle.NewState(puzzle.Deal, puzzle.Hidden)}, nil
}

func (c cards) hint(ctx context.Context, m game.Match, kind game.HintKind, _ game.Pick) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	suggestion, err := c.solver.Suggest(ctx, position(m.State, m.Used()))
	return suggestion, matchError(err)
}

func (c cards) review(ctx context.Context, m game.Match) (game.Review, error) {
	s := m.State.(State)
	played := boards.Played{Deal: s.Deal(), Hidden: s.Hidden()}
	for _, g := range s.Guesses() {
		played.Guesses = append(played.Guesses, g.Guess)
	}
	r, err := c.solver.Review(ctx, played)
	return r, matchError(err)
}

func (c cards) remaining(ctx context.Context, s game.State, used int) (int, error) {
	left, err := c.solver.Left(ctx, position(s, used))
	return len(left), matchError(err)
}

func (c cards) narrowing(ctx context.Context, s game.State) ([]int, error) {
	counts, err := c.solver.CountLeft(ctx, position(s, s.Used()))
	return counts, matchError(err)
}

func (c cards) difficulty(ctx context.Context, s game.State) (string, error) {
	l, err := c.solver.List(ctx, s.(State).Deal())
	if err != nil {
		return "", matchError(err)
	}
	return boards.DifficultyOf(len(l)).String(), nil
}

// position is the position after a number of guesses of a game, as the solver takes it.
func position(s game.State, used int) boards.Position {
	own := s.(State)
	return boards.Position{Deal: own.Deal(), Steps: own.Guesses()[:used]}
}

// Move returns the move that guesses a board: see [game.Manager.Move]. Its error is one of [pokle.State.Guess].
func Move(b pokle.Board) func(game.State) (game.State, error) {
	return func(s game.State) (game.State, error) { return s.(State).guess(b) }
}

func matchError(err error) error {
	return game.Also(game.Also(err, boards.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
