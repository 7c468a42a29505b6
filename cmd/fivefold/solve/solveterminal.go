package solve

import (
	"context"
	"errors"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// solveInTerminal is the subcommand solve without arguments: help with a word puzzle that is
// played elsewhere, typed and kept in the terminal's store. Hard turns hard mode on; an empty
// strategy leaves the puzzle its own.
func solveInTerminal(ctx context.Context, p *cli.Program, lists *wordle.Lists, hard bool, strategy string) error {
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
		goesOn, err := resume(ctx, p, a.Solve.Words, hard, strategy)
		if err != nil && !errors.Is(err, solve.ErrUnreadable) { // which the first command says
			return err
		}
		if goesOn {
			t.Notice = "Your puzzle goes on; \"new\" begins another one.\n\n"
		}
		t.First, t.Help = "show", &terminal.Help{Group: "solve", Entry: bot.NameSolveNext}
		return t.Run(ctx)
	})
}

// resume begins a new puzzle if the player's last one is over, and applies hard and strategy to
// the current one. It reports whether that one has lines already.
func resume(ctx context.Context, p *cli.Program, words *solve.Words, hard bool, strategy string) (goesOn bool, err error) {
	origin := func() game.Origin {
		return game.Origin{Request: terminal.NewRequestID(), Location: terminal.Location, Player: app.Player(p)}
	}
	v, err := words.Peek(ctx, app.Player(p))
	if err != nil {
		return false, err
	}
	if v.Puzzle.Status() != game.Playing {
		if v, err = words.Begin(ctx, origin(), 0, hard); err != nil {
			return false, err
		}
	}
	setup := v.Puzzle.Setup
	setup.Hard = setup.Hard || hard
	if strategy != "" {
		setup.Strategy = strategy
	}
	if setup != v.Puzzle.Setup {
		_, err = words.Update(ctx, origin(), v.Version, func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.With(setup), nil })
	}
	return len(v.Puzzle.Turns) > 0, err
}

// pokleSolveInTerminal is the subcommand pokle solve without arguments, as solveInTerminal is solve.
func pokleSolveInTerminal(ctx context.Context, p *cli.Program, limit time.Duration) error {
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	const welcome = "Help with a poker puzzle that you play elsewhere. Type its deal, then the feedback for the board " +
		"proposed, such as gyeyg, or the five cards of your own board and their feedback. " +
		"\"help\" lists what else can be typed, \"quit\" leaves. The puzzle is kept in %s.\n"
	return app.Terminal(ctx, p, s, welcome, func(ctx context.Context, a app.App, t terminal.Terminal) error {
		a.Solve.Boards.Solver = &boards.Solver{Time: limit}
		v, err := a.Solve.Boards.Peek(ctx, app.Player(p))
		if err != nil && !errors.Is(err, solve.ErrUnreadable) {
			return err
		}
		if err == nil && len(v.Puzzle.Turns) > 0 && v.Puzzle.Status() == game.Playing {
			t.Notice = "Your puzzle goes on; a new deal begins another one.\n\n"
		}
		t.First, t.Help = "show", &terminal.Help{Group: pokergame.NameSolve, Entry: pokergame.NameSolve}
		return t.Run(ctx)
	})
}
