// Package rules gives a [game.Manager] the rules of each kind of game: how a game is
// made, and what the solvers say about it.
package rules

import (
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// modes are the modes of both games.
var modes = []game.Mode{game.Together, game.Solo, game.Daily}

// matchError returns a solver's error in the terms of matches.
func matchError(err error) error {
	switch {
	case errors.Is(err, solver.ErrNothingFits), errors.Is(err, boards.ErrNothingFits):
		return fmt.Errorf("%w: %w", game.ErrNothingFits, err)
	case errors.Is(err, parallel.ErrBusy):
		return fmt.Errorf("%w: %w", game.ErrBusy, err)
	}
	return err
}

// All returns the rules of every kind of game, the word game first.
func All(lists *wordle.Lists, words *solver.Solver, cards *boards.Solver) []game.Rules {
	return []game.Rules{Wordle(lists, words), Pokle(cards)}
}
