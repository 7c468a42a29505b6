// Package pokergame is the poker game as a kind: its rules, codec and face.
package pokergame

import (
	"context"
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// Kind is the kind of the poker game.
const Kind game.Kind = "pokle"

// Rules returns the rules of the poker game.
func Rules(c *boards.Solver) game.Rules {
	return game.Rules{
		Kind: Kind,
		New: func(ctx context.Context, g game.NewGame) (game.State, error) {
			puzzle, err := c.Generate(ctx, g.Pick.Seed())
			return pokle.NewState(puzzle.Deal, puzzle.Hidden), matchError(err)
		},
		Guess: func(s game.State, typed string) (game.State, error) {
			b, err := Read(typed)
			if err != nil {
				return nil, err
			}
			return s.(pokle.State).Guess(b)
		},
		Hint: func(ctx context.Context, m game.Match, kind game.HintKind, _ game.Pick) (game.HintContent, error) {
			if kind != game.HintSuggestion {
				return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
			}
			suggestion, err := c.Suggest(ctx, position(m.State))
			return suggestion, matchError(err)
		},
		Review: func(ctx context.Context, m game.Match) (game.Review, error) {
			s := m.State.(pokle.State)
			played := boards.Played{Deal: s.Deal(), Hidden: s.Hidden()}
			for _, g := range s.Guesses() {
				played.Guesses = append(played.Guesses, g.Guess)
			}
			r, err := c.Review(ctx, played)
			return r, matchError(err)
		},
		Left: func(ctx context.Context, s game.State) ([]int, error) {
			counts, err := c.CountLeft(ctx, position(s))
			return counts, matchError(err)
		},
		Difficulty: func(ctx context.Context, s game.State) (string, error) {
			l, err := c.List(ctx, s.(pokle.State).Deal())
			if err != nil {
				return "", matchError(err)
			}
			return boards.DifficultyOf(len(l)).String(), nil
		},
	}
}

func position(s game.State) boards.Position {
	own := s.(pokle.State)
	return boards.Position{Deal: own.Deal(), Steps: own.Guesses()}
}

func matchError(err error) error {
	return game.Also(game.Also(err, boards.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
