// Package solve helps with puzzles that are played elsewhere.
package solve

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// Command is the subcommand solve.
func Command(p *cli.Program) *cobra.Command {
	var (
		asJSON   bool
		trees    string
		strategy string
		options  solver.Position
		budget   time.Duration
		turns    []cli.TypedTurn
	)
	cmd := &cobra.Command{
		Use: "solve [GUESS FEEDBACK]...",
		Example: "  fivefold solve\n" +
			"  fivefold solve slate bbgbg brick byybb\n" +
			"  fivefold solve slate bbybb --strategy minimax --hard",
		Short: "Help with a puzzle, or say what to guess next",
		Long: "Without arguments: help with a word puzzle that you play elsewhere. It proposes a\n" +
			"word; type the feedback it gets, such as bbygb, or another word and its feedback,\n" +
			"such as crane bbygb, and so on. \"help\" lists what else can be typed. The puzzle\n" +
			"and your record are kept with the games of \"fivefold play\". --hard and --strategy\n" +
			"apply to this puzzle.\n\n" +
			"With arguments: say what to guess next, after guesses and their feedback: five\n" +
			"letters, b for black (or grey), y for yellow and g for green; squares such as\n" +
			"⬛🟨🟩, digits from 0 to 2 and colours in words work too. For example:\n\n" +
			"  fivefold solve slate bbgbg brick byybb\n" +
			"  fivefold solve slate:bbgbg brick:byybb\n\n" +
			"--limit, --time and --trees are for that; with one of them and no guesses it\n" +
			"says what to guess first.\n\n" +
			"With --json, questions are read from standard input, a JSON object a line, and\n" +
			"answers are written to standard output, one a line:\n\n" +
			"  {\"guesses\":[\"crane\"],\"feedback\":[\"bbygb\"],\"limit\":6,\"budget_ms\":200}\n\n" +
			"limit counts the guesses made too; 0 or none means any number. Without budget_ms\n" +
			"the search goes on until its answer is proven, which may take long when many\n" +
			"words remain. top, from 1 to 10, is how many of the best guesses are to have\n" +
			"their totals worked out. In the answer, total is the least sum of guesses over\n" +
			"all remaining words, null if no play is sure to find each within the limit or\n" +
			"none was found in time. A bad line is answered by {\"error\":...,\"line\":n}.",
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.BoolVar(&asJSON, "json", false, "read questions from standard input, and answer them, as JSON")
	flags.StringVar(&trees, "trees", "", "`files` that \"fivefold tree\" wrote for the same lists, with commas between them")
	flags.StringVar(&strategy, "strategy", solver.Optimal, "how to choose, by its `name`: "+strings.Join(solver.StrategyNames(), ", "))
	flags.BoolVar(&options.Hard, "hard", false, "keep to hard mode")
	flags.IntVar(&options.Limit, "limit", wordle.Attempts, "how many guesses there are in all, 0 for any `number`")
	flags.DurationVar(&budget, "time", 2*time.Second, "how long to search at most")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if asJSON && len(args) > 0 {
			return cli.WrongUse("with --json, guesses are read from standard input and not from the command line")
		}
		turns = cli.SplitTurns(args, false)
		if n := len(turns); len(args) > 0 && (n == 0 || turns[n-1].Feedback == "") {
			return cli.WrongUse("each guess must be followed by its feedback, such as: fivefold solve crane bbygb")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON {
			for _, name := range []string{"hard", "limit", "time"} {
				if flags.Changed(name) {
					return cli.WrongUse("--%s cannot be combined with --json: each question has that in its JSON", name)
				}
			}
		}
		if err := solver.CheckStrategy(strategy); err != nil {
			return cli.WrongUse("--strategy: %w", err)
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		// These flags say how to answer one question. Without guesses, it is about the opener.
		asks := asJSON || len(args) > 0 || slices.ContainsFunc([]string{"limit", "time", "trees"}, flags.Changed)
		if !asks {
			if !flags.Changed("strategy") {
				strategy = ""
			}
			return solveInTerminal(cmd.Context(), p, lists, options.Hard, strategy)
		}
		known, err := settings.ReadTrees(lists, trees)
		if err != nil {
			return fmt.Errorf("--trees: %w", err)
		}
		w, err := newWordSolver(solver.New(lists, known...), strategy)
		if err != nil {
			return err
		}
		if asJSON {
			return serveLines(cmd.Context(), p.In, p.Out, w.answer)
		}
		q := question{Hard: options.Hard, Limit: options.Limit, BudgetMS: float64(p.LimitOf(flags, budget)) / 1e6, Top: solver.MaxSuggestions}
		for _, t := range turns {
			q.Guesses, q.Feedback = append(q.Guesses, t.Guess), append(q.Feedback, t.Feedback)
		}
		if _, err := q.position(); err != nil {
			return cli.WrongUse("%s: %w", strings.Join(args, " "), err)
		}
		solution, err := w.solve(cmd.Context(), q)
		if err != nil {
			return err
		}
		return printSolution(p.Out, solution, strategy)
	}
	return cmd
}

// printSolution writes, for people, a solution that was found with the strategy.
func printSolution(w io.Writer, s solver.Solution, strategy string) error {
	n := len(s.Remaining)
	best := s.Suggestions[0]
	var b strings.Builder
	switch {
	case n == 1:
		fmt.Fprintf(&b, "Guess %v: it is the only word that fits.\n", best.Word)
		_, err := io.WriteString(w, b.String())
		return err
	case strategy != solver.Optimal:
		fmt.Fprintf(&b, "Guess %v, the best by %s.\n", best.Word, strategy)
	case s.Proven && s.Total == 0:
		fmt.Fprintf(&b, "Guess %v. Proven: no play is sure to find each of the %d words that fit in the guesses left.\n", best.Word, n)
	case s.Proven:
		fmt.Fprintf(&b, "Guess %v. Best word, proven: %.3f more guesses on average.\n", best.Word, float64(s.Total)/float64(n))
	case s.Total > 0:
		fmt.Fprintf(&b, "Guess %v. %.3f more guesses on average; no word takes fewer than %.3f. There was no time to prove more.\n",
			best.Word, float64(s.Total)/float64(n), float64(s.Least)/float64(n))
	default:
		fmt.Fprintf(&b, "Guess %v. It looks best, but that is not proven.\n", best.Word)
	}
	b.WriteString("\n")
	if err := suggestionTable(&b, s); err != nil {
		return err
	}
	b.WriteString("\n")
	var fit []string
	for _, word := range s.Remaining[:min(n, maxCandidates)] {
		fit = append(fit, word.String())
	}
	if n > maxCandidates {
		fit = append(fit, "and others")
	}
	fmt.Fprintf(&b, "%d words fit: %s.\n", n, strings.Join(fit, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}

// suggestionTable writes a row for each suggestion: the guesses that it takes on average if
// they were worked out, into how many groups its feedback splits the words, how many words
// are left in the worst case and on average, how many bits its feedback gives, and whether it
// can be the hidden word. Every strategy ranks by one of these.
func suggestionTable(w io.Writer, s solver.Solution) error {
	table := cli.NewColumns(w)
	fmt.Fprintln(table, "word\tguesses\tgroups\tworst\taverage\tbits\tpossible\t")
	for _, g := range s.Suggestions {
		guesses, possible := "-", "-"
		if g.Total > 0 {
			guesses = fmt.Sprintf("%.3f", float64(g.Total)/float64(len(s.Remaining)))
		}
		if g.Possible {
			possible = "yes"
		}
		fmt.Fprintf(table, "%v\t%s\t%d\t%d\t%.2f\t%.2f\t%s\t\n", g.Word, guesses, g.Groups, g.Worst, g.Expected, g.Entropy, possible)
	}
	return table.Flush()
}
