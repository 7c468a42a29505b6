package solve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/solver/boards"
	"fivefold/storage"
)

// pokleSolveInTerminal is the subcommand pokle solve without arguments: help with a
// puzzle of the poker game that is played elsewhere, typed and kept in the terminal's
// store.
func pokleSolveInTerminal(ctx context.Context, p *cli.Program, limit time.Duration) error {
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	release := p.HoldLog()
	err = app.Run(ctx, p, s, settings.TerminalFile, storage.Options{Log: s.Logger(p.ErrOut, slog.LevelWarn)}, func(ctx context.Context, a app.App, where string) error {
		a.Solve.Boards.Solver = boardSolver(limit)
		notice, err := putAsideUnreadable(ctx, p, a.Solve.Words)
		if err != nil {
			return err
		}
		v, err := a.Solve.Boards.Peek(ctx, app.Player(p))
		if err != nil {
			return err
		}
		if len(v.Puzzle.Turns) > 0 && v.Puzzle.Status() == game.Playing {
			notice = "Your puzzle goes on; a new deal begins another one.\n\n"
		}
		t := terminal.Terminal{
			Notice: notice,
			Bot:    a.Bot, In: p.In, Out: p.Out, Player: app.Player(p), Colour: p.Colour(), HistoryFile: s.LinesFile(), Environ: p.Environ(),
			Welcome: fmt.Sprintf("Help with a poker puzzle that you play elsewhere. Type its deal, then the feedback for the board "+
				"proposed, such as gyeyg, or the five cards of your own board and their feedback. "+
				"\"help\" lists what else can be typed, \"quit\" leaves. The puzzle is kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			First: "show", PokleSolve: true,
		}
		return t.Run(ctx)
	})
	return errors.Join(err, release())
}

// boardSolver returns a solver that searches for a board for that long.
func boardSolver(limit time.Duration) *boards.Solver {
	return &boards.Solver{Time: max(limit, 1)} // 0 would mean a second
}
