package solve

import (
	"context"
	"time"

	botsolve "fivefold/bot/solve"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/solver/boards"
)

// pokleSolveInTerminal is the subcommand pokle solve without arguments: help with a
// puzzle of the poker game that is played elsewhere, typed and kept in the terminal's
// store.
func pokleSolveInTerminal(ctx context.Context, p *cli.Program, limit time.Duration) error {
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	const welcome = "Help with a poker puzzle that you play elsewhere. Type its deal, then the feedback for the board " +
		"proposed, such as gyeyg, or the five cards of your own board and their feedback. " +
		"\"help\" lists what else can be typed, \"quit\" leaves. The puzzle is kept in %s.\n"
	return app.Terminal(ctx, p, s, welcome, func(ctx context.Context, a app.App, t terminal.Terminal) error {
		a.Solve.Boards.Solver = boardSolver(limit)
		var err error
		if t.Notice, err = putAsideUnreadable(ctx, p, a.Solve.Words); err != nil {
			return err
		}
		v, err := a.Solve.Boards.Peek(ctx, app.Player(p))
		if err != nil {
			return err
		}
		if len(v.Puzzle.Turns) > 0 && v.Puzzle.Status() == game.Playing {
			t.Notice = "Your puzzle goes on; a new deal begins another one.\n\n"
		}
		t.First, t.Help, t.CanGuess = "show", &botsolve.BoardLanguage, nil
		return t.Run(ctx)
	})
}

// boardSolver returns a solver that searches for a board for that long.
func boardSolver(limit time.Duration) *boards.Solver {
	return &boards.Solver{Time: max(limit, 1)} // 0 would mean a second
}
