// Package solve has the subcommands that help with puzzles played elsewhere. Lines in a terminal are
// those of bot/solve; one question, JSON and reviews are answered here by package solver/solve and
// the solvers.
package solve

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot"
	botsolve "fivefold/bot/solve"
	"fivefold/bot/terminal"
	"fivefold/bot/typed"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
)

// Command is the subcommand solve.
func Command(p *cli.Program) *cobra.Command {
	var (
		asJSON          bool
		hard            marks.Hardness
		trees, strategy string
	)
	cmd := &cobra.Command{
		Use: "solve [GUESS FEEDBACK]...",
		Example: "  fivefold solve\n" +
			"  fivefold solve slate bbgbg brick byybb\n" +
			"  fivefold solve slate bbybb --strategy minimax --hard ultra",
		Short: "Help with a puzzle, or say what to guess next",
		Long: "Without arguments: help with a word puzzle that you play elsewhere. It proposes a word; type the feedback it " +
			"gets, such as bbygb, or another word and its feedback, such as slate bbygb, and so on. \"help\" lists what " +
			"else can be typed. The puzzle and your record are kept with the games of \"fivefold play\".\n\n" +
			"With arguments: say what to guess next, after guesses and their feedback: five letters, b for black (or " +
			"grey), y for yellow and g for green; squares such as ⬛🟨🟩, digits from 0 to 2 and colours in words work too. " +
			"For example:\n\n" +
			"  fivefold solve slate bbgbg brick byybb\n" +
			"  fivefold solve slate:bbgbg brick:byybb\n\n" +
			"With --hard or --strategy and no guesses it says what to guess first.\n\n" +
			"With --json, questions are read from standard input, a JSON object a line, and answers are written to " +
			"standard output, one a line:\n\n" +
			"  {\"guesses\":[\"crane\"],\"feedback\":[\"bbygb\"],\"limit\":6,\"budget_ms\":200}\n\n" +
			"A bad line is answered by {\"error\":...,\"line\":n}. solver/README.md explains all fields.",
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.BoolVar(&asJSON, "json", false, "read questions from standard input, and answer them, as JSON")
	flags.StringVar(&trees, "trees", "", "with --json: `files` that \"fivefold tree\" wrote for the same lists, with commas between them")
	flags.StringVar(&strategy, "strategy", optimal.Optimal, "how to choose, by its `name`: "+strings.Join(optimal.StrategyNames(), ", "))
	cli.Proposes(cmd, "strategy", optimal.StrategyNames()...)
	cli.HardFlag(cmd, &hard)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON && (hard != marks.Off || len(args) > 0) {
			return cli.WrongUse("with --json, guesses and hard mode are read from standard input and not from the command line")
		}
		if trees != "" && !asJSON {
			return cli.WrongUse("--trees is for --json")
		}
		if err := optimal.CheckStrategy(strategy); err != nil {
			return cli.WrongUse("--strategy: %w", err)
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		switch {
		case asJSON:
			known, err := settings.ReadTrees(lists, trees)
			if err != nil {
				return cli.WrongUse("--trees: %w", err)
			}
			return serveLines(cmd.Context(), p.In, p.Out, wordSolver{optimal.New(lists, known...), strategy}.answer)
		case len(args) > 0 || flags.Changed("hard") || flags.Changed("strategy"):
			return solveOnce(cmd.Context(), p, lists, solve.WordSetup{Hard: hard, Strategy: strategy}, args)
		}
		const welcome = "Help with a word puzzle that you play elsewhere. Type the feedback for the word proposed, " +
			"such as bbygb, or your own word and its feedback: slate bbygb. \"help\" lists what else can be " +
			"typed, \"quit\" leaves. Puzzles are kept in %s.\n"
		return solveInTerminal(cmd.Context(), p, lists, welcome, &typed.Help{Group: "solve", Entry: bot.NameSolveNext})
	}
	return cmd
}

// solveOnce says what to guess next in a puzzle that is not kept, after guesses and their feedback.
func solveOnce(ctx context.Context, p *cli.Program, lists *wordle.Lists, setup solve.WordSetup, args []string) error {
	text := strings.Join(args, " ")
	typed := wordle.SplitTurns(text, lists.CanGuess, false)
	incomplete := func(t wordle.Typed) bool { return t.Guess == "" || t.Feedback == "" }
	if len(args) > 0 && len(typed) == 0 || slices.ContainsFunc(typed, incomplete) {
		return cli.WrongUse("each guess must be followed by its feedback, such as: fivefold solve slate bbygb")
	}
	turns, err := readUnfinished(typed, wordle.Attempts)
	if err != nil {
		return cli.WrongUse("%s: %w", text, err)
	}
	words := solve.Words{Solver: app.NewWeighted(p, lists)}
	v, err := words.View(ctx, solve.Session{Words: solve.WordPuzzle{Setup: setup, Turns: turns}})
	switch {
	case err != nil:
		return err
	case v.Contradiction != nil:
		return explainSolver(optimal.ErrNothingFits)
	case len(v.Words.Proposed) == 0:
		return explainSolver(optimal.ErrNothingAllowed)
	}
	_, err = io.WriteString(p.Out, terminal.Draw(p.Out, bot.Reply{Blocks: bot.Lines(botsolve.Advice(v)...)}, p.Colour()))
	return err
}

// solveInTerminal helps with a puzzle, line by line, and keeps it in the terminal's store. Without lists
// it uses those of the settings.
func solveInTerminal(ctx context.Context, p *cli.Program, lists *wordle.Lists, welcome string, help *typed.Help) error {
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	if lists != nil {
		s.Lists, s.Trees = lists, nil // trees are for the lists of the settings
	}
	return app.Terminal(ctx, p, s, welcome, func(ctx context.Context, _ app.App, t terminal.Terminal) error {
		t.Help = help
		return t.Run(ctx)
	})
}
