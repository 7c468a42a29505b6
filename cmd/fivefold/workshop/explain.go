package workshop

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// explanation is how a guess would split the words that are left.
type explanation struct {
	solver.Suggestion
	classes []solver.Class
}

// ExplainCommand is the subcommand explain.
func ExplainCommand(p *cli.Program) *cobra.Command {
	var (
		after []string
		all   bool
		png   string
	)
	cmd := &cobra.Command{
		Use:               "explain WORD...",
		ValidArgsFunction: cli.CompleteWords(maxExplained),
		Example: "  fivefold explain crane slate\n" +
			"  fivefold explain crony --after slate:bbybb --png crony.png",
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
	flags.StringVar(&png, "png", "", "draw the numbers of words into this PNG `file`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		turns, args, err := parseAfter(after, args)
		if err != nil {
			return cli.WrongUse("%w", err)
		}
		var words []wordle.Word
		for _, text := range args {
			w, err := cli.ReadWord(text)
			if err != nil {
				return cli.WrongUse("%w", err)
			}
			words = append(words, w)
		}
		picture, err := p.OutputIf("--png", png)
		if err != nil {
			return err
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		s := solver.New(lists)
		var shown []explanation
		for _, w := range words {
			classes, suggestion, err := s.Classes(turns, w)
			if err != nil {
				return fmt.Errorf("--after: %w", cli.ExplainSolver(err))
			}
			shown = append(shown, explanation{suggestion, classes})
		}
		if err := printExplained(p.Text(picture), shown, lists, all, p.Colour()); err != nil || picture == nil {
			return err
		}
		var b bytes.Buffer
		if err := drawExplained(&b, shown); err != nil {
			return fmt.Errorf("drawing: %w", err)
		}
		return picture.WriteBytes(cmd.Context(), b.Bytes())
	}
	return cmd
}

const (
	maxExplained = 10 // words to explain at once
	maxRows      = 20 // feedbacks listed for each
	maxListed    = 8  // words listed for each feedback
)

// parseAfter reads guesses with their feedback, such as slate:bbybb. In "--after slate bbybb"
// the feedback is one of the arguments; the other arguments are the words to explain.
func parseAfter(after, args []string) (turns []wordle.Turn, words []string, err error) {
	var tiles []string
	for _, arg := range args {
		if _, err := wordle.ParseFeedback(arg); err == nil {
			tiles = append(tiles, arg)
		} else {
			words = append(words, arg)
		}
	}
	var guesses, feedback []string
	for _, text := range after {
		for _, t := range cli.SplitTurns([]string{text}, true) {
			if t.Feedback == "" && len(tiles) > 0 {
				t.Feedback, tiles = tiles[0], tiles[1:]
			}
			if t.Feedback == "" {
				return nil, nil, fmt.Errorf("--after %s: it needs a guess and its feedback, such as slate:bbybb", text)
			}
			guesses, feedback = append(guesses, t.Guess), append(feedback, t.Feedback)
		}
	}
	switch {
	case len(tiles) > 0:
		return nil, nil, fmt.Errorf("%q is feedback, but of which guess? Write it as --after slate:%[1]s", tiles[0])
	case len(words) == 0 || len(words) > maxExplained:
		return nil, nil, fmt.Errorf("give from 1 to %d words to explain, such as: fivefold explain crane", maxExplained)
	}
	if turns, err = cli.ParseTurns(guesses, feedback); err != nil {
		return nil, nil, fmt.Errorf("--after %s: %w", strings.Join(after, " "), err)
	}
	return turns, words, nil
}

// printExplained prints a table for each guess. With colour, feedback is shown as tiles of
// the guess.
func printExplained(w io.Writer, explained []explanation, lists *wordle.Lists, all, colour bool) error {
	for i, e := range explained {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%v.\n", e.Suggestion)
		fmt.Fprintf(w, "%.2f words stay on average; the feedback gives %.2f of %.2f bits.\n",
			e.Expected, e.Entropy, math.Log2(float64(e.Remaining)))
		switch {
		case e.Possible:
			fmt.Fprintf(w, "It can be the hidden word.\n")
		case !lists.CanGuess(e.Word):
			fmt.Fprintf(w, "It is not in the list of words that may be guessed.\n")
		}
		fmt.Fprintln(w)
		// Tiles are drawn with control sequences, which have no width.
		row := func(feedback, words any, list string) {
			f, isFeedback := feedback.(wordle.Feedback)
			switch {
			case colour && isFeedback:
				feedback = tiles(e.Word, f)
			case colour:
				feedback = fmt.Sprintf("%-15v", feedback)
			}
			fmt.Fprintf(w, "%-8v  %-5v  %s\n", feedback, words, list)
		}
		row("feedback", "words", "")
		rest, restWords := 0, 0
		for i, c := range e.classes {
			if !all && i >= maxRows {
				rest++
				restWords += len(c.Words)
				continue
			}
			row(c.Feedback, len(c.Words), listed(c.Words, all))
		}
		if rest > 0 {
			fmt.Fprintf(w, "and %d more feedbacks, with %d words; --all lists everything\n", rest, restWords)
		}
	}
	return nil
}

// tiles returns the guess in coloured tiles, 15 columns wide.
func tiles(guess wordle.Word, f wordle.Feedback) string {
	line := wordgame.LetterTiles(wordle.Turn{Guess: guess, Feedback: f})
	return strings.TrimSuffix(terminal.Draw(bot.Reply{Lines: []bot.Line{line}}, true), "\n")
}

// listed returns the words in a line: all of them, or the first few.
func listed(words []wordle.Word, all bool) string {
	if all || len(words) <= maxListed {
		return joinWords(words)
	}
	return joinWords(words[:maxListed-1]) + " …"
}
