package solve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/solve"
	"fivefold/storage"
)

// solveInTerminal is the subcommand solve without arguments: help with a word puzzle that is
// played elsewhere, typed and kept in the terminal's store. Hard turns hard mode on; an empty
// strategy leaves the puzzle its own.
func solveInTerminal(ctx context.Context, p *cli.Program, lists *wordle.Lists, hard bool, strategy string) error {
	if strategy != "" {
		if err := solver.CheckStrategy(strategy); err != nil {
			return err
		}
	}
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	// Trees are for the lists of the settings, and only hints look into them.
	s.Lists, s.Trees = lists, nil
	release := p.HoldLog()
	err = app.Run(ctx, p, s, settings.TerminalFile, storage.Options{Log: s.Logger(p.ErrOut, slog.LevelWarn)}, func(ctx context.Context, a app.App, where string) error {
		notice, err := putAsideUnreadable(ctx, p, a.Solve.Words)
		if err != nil {
			return err
		}
		goesOn, err := resume(ctx, p, a.Solve.Words, hard, strategy)
		if err != nil {
			return err
		}
		if goesOn {
			notice = "Your puzzle goes on; \"new\" begins another one.\n\n"
		}
		t := terminal.Terminal{
			Notice: notice,
			Bot:    a.Bot, In: p.In, Out: p.Out, Player: app.Player(p), Colour: p.Colour(), HistoryFile: s.LinesFile(), Environ: p.Environ(),
			Welcome: fmt.Sprintf("Help with a word puzzle that you play elsewhere. Type the feedback for the word proposed, "+
				"such as bbygb, or your own word and its feedback: crane bbygb. \"help\" lists what else can be "+
				"typed, \"quit\" leaves. Puzzles are kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			First: "next", Solve: true,
			CanGuess: cli.CanGuess(lists),
		}
		return t.Run(ctx)
	})
	return errors.Join(err, release())
}

// origin returns the origin of a request by the player of this terminal.
func origin(p *cli.Program) game.Origin {
	return game.Origin{Request: terminal.NewRequestID(), Location: terminal.Location, Player: app.Player(p)}
}

// putAsideUnreadable replaces what is stored of the player's puzzles if it is damaged, and
// returns what to say about that.
func putAsideUnreadable(ctx context.Context, p *cli.Program, words *solve.Words) (notice string, err error) {
	if _, err = words.Peek(ctx, app.Player(p)); !errors.Is(err, solve.ErrUnreadable) {
		return "", err
	}
	if _, err := words.Show(ctx, origin(p)); err != nil && !errors.Is(err, solve.ErrUnreadable) {
		return "", err
	}
	return "Your puzzles and your record here cannot be read any more: their data is damaged.\nThey were put aside, and you start again.\n\n", nil
}

// resume begins a new puzzle if the player's last one is over, and applies hard and strategy to
// the current one. It reports whether that one has lines already.
func resume(ctx context.Context, p *cli.Program, words *solve.Words, hard bool, strategy string) (goesOn bool, err error) {
	v, err := words.Peek(ctx, app.Player(p))
	if err != nil {
		return false, err
	}
	if v.Puzzle.Status() != game.Playing {
		if v, err = words.Begin(ctx, origin(p), 0, hard); err != nil {
			return false, err
		}
	}
	setup := v.Puzzle.Setup
	setup.Hard = setup.Hard || hard
	if strategy != "" {
		setup.Strategy = strategy
	}
	if setup != v.Puzzle.Setup {
		_, err = words.Update(ctx, origin(p), v.Version, func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.With(setup), nil })
	}
	return len(v.Puzzle.Turns) > 0, err
}
