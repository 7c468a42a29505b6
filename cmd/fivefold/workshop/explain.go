package workshop

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// ExplainCommand is the subcommand explain.
func ExplainCommand(p *cli.Program) *cobra.Command {
	var (
		after []string
		all   bool
	)
	cmd := &cobra.Command{
		Use: "explain WORD...",
		Example: "  fivefold explain crane slate\n" +
			"  fivefold explain crony --after slate:bbybb",
		Short: "Show how a guess would split the words that are left",
		Long: "Show how one or more guesses would split the words that are left: how many words\n" +
			"each feedback would leave, and which. For example:\n\n" +
			"  fivefold explain crony corny --after slate:bbybb\n\n" +
			"In feedback b is black (or grey), y yellow and g green.",
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.StringSliceVar(&after, "after", nil, "a `guess` and its feedback, such as slate:bbybb; repeat it for each guess")
	flags.BoolVar(&all, "all", false, "list every feedback and every word")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.WrongUse("give a word to explain, such as: fivefold explain crane")
		}
		turns, err := parseAfter(after)
		if err != nil {
			return cli.WrongUse("--after: %w", err)
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		s := solver.New(lists)
		var b strings.Builder
		for i, text := range args {
			w, err := cli.ReadWord(text)
			if err != nil {
				return cli.WrongUse("%w", err)
			}
			classes, suggestion, err := s.Classes(turns, w)
			if err != nil {
				return fmt.Errorf("--after: %w", cli.ExplainSolver(err))
			}
			if i > 0 {
				fmt.Fprintln(&b)
			}
			explain(&b, suggestion, classes, lists.CanGuess(w), all)
		}
		_, err = io.WriteString(p.Out, b.String())
		return err
	}
	return cmd
}

const (
	maxRows   = 20 // feedbacks listed for each word
	maxListed = 8  // words listed for each feedback
)

// parseAfter reads guesses with their feedback, such as slate:bbybb.
func parseAfter(after []string) ([]wordle.Turn, error) {
	var guesses, feedback []string
	for _, t := range cli.SplitTurns(after, false) {
		guesses, feedback = append(guesses, t.Guess), append(feedback, t.Feedback)
	}
	return cli.ParseTurns(guesses, feedback)
}

// explain writes the table of a guess.
func explain(w io.Writer, s solver.Suggestion, classes []solver.Class, canGuess, all bool) {
	fmt.Fprintf(w, "%v.\n", s)
	fmt.Fprintf(w, "%.2f words stay on average; the feedback gives %.2f of %.2f bits.\n", s.Expected, s.Entropy, math.Log2(float64(s.Remaining)))
	switch {
	case s.Possible:
		fmt.Fprintf(w, "It can be the hidden word.\n")
	case !canGuess:
		fmt.Fprintf(w, "It is not in the list of words that may be guessed.\n")
	}
	fmt.Fprintf(w, "\nfeedback  words\n")
	for i, c := range classes {
		if !all && i == maxRows {
			fmt.Fprintf(w, "and %d more; --all lists everything\n", len(classes)-maxRows)
			break
		}
		fmt.Fprintf(w, "%-8v  %-5d  %s\n", c.Feedback, len(c.Words), listed(c.Words, all))
	}
}

// listed returns the words in a line: all of them, or the first few.
func listed(words []wordle.Word, all bool) string {
	if all || len(words) <= maxListed {
		return joinWords(words)
	}
	return joinWords(words[:maxListed-1]) + " …"
}
