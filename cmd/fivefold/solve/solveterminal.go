package solve

import (
	"context"
	"errors"

	botsolve "fivefold/bot/solve"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/solve"
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
	const welcome = "Help with a word puzzle that you play elsewhere. Type the feedback for the word proposed, " +
		"such as bbygb, or your own word and its feedback: crane bbygb. \"help\" lists what else can be " +
		"typed, \"quit\" leaves. Puzzles are kept in %s.\n"
	return app.Terminal(ctx, p, s, welcome, func(ctx context.Context, a app.App, t terminal.Terminal) error {
		var err error
		if t.Notice, err = putAsideUnreadable(ctx, p, a.Solve.Words); err != nil {
			return err
		}
		goesOn, err := resume(ctx, p, a.Solve.Words, hard, strategy)
		if err != nil {
			return err
		}
		if goesOn {
			t.Notice = "Your puzzle goes on; \"new\" begins another one.\n\n"
		}
		t.First, t.Help = "next", &botsolve.WordLanguage
		return t.Run(ctx)
	})
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
