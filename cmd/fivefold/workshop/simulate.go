// Package workshop has the subcommands that simulate games and work out plans for whole games.
package workshop

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/simulate"
	"fivefold/solver/weighted"
)

// simulation is the flags of the subcommand simulate and its results.
type simulation struct {
	strategies []string
	hard       marks.Hardness
	opener     string
	sample     uint // 0 for all
	seed       uint64
	boards     int    // played together; 0 for one
	against    string // the file of words to find; empty for the list of answers

	lists   *wordle.Lists
	words   []wordle.Word // hidden words are drawn from these
	results []result
}

// result is the result of a strategy.
type result struct {
	name string
	simulate.Result
}

// SimulateCommand is the subcommand simulate.
func SimulateCommand(p *cli.Program) *cobra.Command {
	var s simulation
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Play every hidden word with a strategy, and count the guesses",
		Long: "Play every hidden word with a strategy, and count the guesses. A lost game goes on until the word is found, " +
			"and all its guesses count.\n\n" +
			"Each strategy chooses the guess with\n" +
			"  optimal    the fewest guesses for all hidden words together\n" +
			"  expected   the fewest words left on average\n" +
			"  entropy    the most information in its feedback\n" +
			"  minimax    the fewest words left in the worst case\n" +
			"  parts      the most different feedbacks\n" +
			"Of equal guesses it takes one that can be the hidden word, then the first in the alphabet. Repeat --strategy " +
			"to compare several.\n\n" +
			"With other lists than the built-in ones it may take an hour to find the optimal opener; --opener avoids " +
			"that.\n\n" +
			"With --against, the words of a file are played as \"fivefold solve\" plays without arguments: it is not told " +
			"which words there are. A game that is lost counts as seven guesses.\n\n" +
			"With --boards, games of several boards are played, 2000 boards in all or --sample games. The average is that of " +
			"the games won. With --against, the words of the file are hidden once each, in its order, and any of them may be guessed.",
		Example: "  fivefold simulate --strategy entropy --strategy minimax --sample 100\n" +
			"  fivefold simulate --strategy optimal --csv games.csv",
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.StringSliceVar(&s.strategies, "strategy", []string{"expected"}, "how to choose guesses, by these `names`: "+strings.Join(optimal.StrategyNames(), ", "))
	cli.Proposes(cmd, "strategy", optimal.StrategyNames()...)
	cli.HardFlag(cmd, &s.hard)
	flags.StringVar(&s.opener, "opener", "", "the first guess, a `word`, instead of the strategy's own")
	flags.UintVar(&s.sample, "sample", 0, "how many hidden words to draw, a `number`; the strategy does not know which (default all)")
	flags.Uint64Var(&s.seed, "seed", 1, "which words are drawn, by a `number`; the same seed draws the same words")
	flags.StringVar(&s.against, "against", "", "a `file` of words to find, played as \"fivefold solve\" plays without arguments")
	flags.IntVar(&s.boards, "boards", 0, "play this `number` of boards together, from 2 to 8")
	table := flags.String("csv", "", "write every game to this `file`")
	overwrite := cli.Overwrites(cmd)
	for _, other := range []string{"strategy", "hard", "opener", "csv"} {
		cmd.MarkFlagsMutuallyExclusive("boards", other)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if s.against != "" && !flags.Changed("strategy") {
			s.strategies = []string{optimal.Optimal}
		}
		file, err := p.OutputIf(*table, *overwrite)
		if err != nil {
			return err
		}
		if s.lists, err = lists(); err != nil {
			return err
		}
		if flags.Changed("boards") {
			return s.playBoards(cmd.Context(), p)
		}
		stopped := s.play(cmd.Context(), p)
		if len(s.results) == 0 {
			return stopped
		}
		if err := errors.Join(s.print(p.Text(file)), stopped); err != nil || file == nil {
			return err
		}
		return file.Write(0o666, nil, s.writeCSV)
	}
	return cmd
}

// play plays with all strategies. It keeps finished games, also those before an error.
func (s *simulation) play(ctx context.Context, p *cli.Program) error {
	opener, err := parseOpener(s.opener)
	if err != nil {
		return err
	}
	if opener != 0 && !s.lists.CanGuess(opener) {
		return cli.WrongUse("--opener %s: it is not in the list of guesses", s.opener)
	}
	s.words = s.lists.Answers()
	o := simulate.Options{Hard: s.hard, Opener: opener}
	strategyOf := optimal.New(s.lists).Strategy
	if s.against != "" {
		if s.words, err = settings.ReadWords("--against", s.against); err != nil {
			return cli.WrongUse("%w", err)
		}
		o.Most = wordle.Attempts
		strategyOf = elsewhere(weighted.New(s.lists))
	}
	s.sample = min(s.sample, uint(len(s.words)))
	o.Hidden = simulate.Sample(s.words, int(s.sample), s.seed)
	var strategies []optimal.Strategy
	for _, name := range s.strategies { // check all before the first is played
		strategy, err := strategyOf(name)
		if err != nil {
			return cli.WrongUse("--strategy: %w", err)
		}
		strategies = append(strategies, strategy)
	}
	for i, name := range s.strategies {
		var end func()
		o.Progress, end = p.Progress(name)
		o.Strategy = strategies[i]
		played, err := simulate.Run(ctx, o)
		end()
		if len(played.Games) > 0 {
			s.results = append(s.results, result{name, played})
		}
		if err != nil && ctx.Err() != nil {
			return fmt.Errorf("%s was stopped after %d of %d hidden words", name, len(played.Games), len(o.Hidden))
		}
		if err != nil {
			return fmt.Errorf("simulating %s: %w", name, err)
		}
	}
	return nil
}

// elsewhere makes strategies of the solver for puzzles that are played elsewhere.
func elsewhere(w *weighted.Solver) func(name string) (optimal.Strategy, error) {
	return func(name string) (optimal.Strategy, error) {
		return func(ctx context.Context, p optimal.Position, k int) ([]optimal.Suggestion, error) {
			best, err := w.Suggest(ctx, p, name, k)
			if err != nil {
				return nil, err
			}
			return []optimal.Suggestion{{Word: best[0].Word}}, nil
		}, optimal.CheckStrategy(name)
	}
}

// print prints a table with a column for each strategy. All but the first have one for their
// difference from the first.
func (s *simulation) print(w io.Writer) error {
	mode := s.hard.Mode()
	fmt.Fprintf(w, "%s; %s, %d may be guessed.\n\n", strings.ToUpper(mode[:1])+mode[1:], s.hidden(), len(s.lists.Guesses()))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, value func(result) string, difference func(a, b result) string) {
		fmt.Fprintf(table, "%s\t", name)
		for i, r := range s.results {
			fmt.Fprintf(table, "%s\t", value(r))
			if i > 0 {
				fmt.Fprintf(table, "%s\t", difference(s.results[0], r))
			}
		}
		fmt.Fprintln(table)
	}
	count := func(name string, value func(result) int) {
		row(name,
			func(r result) string { return strconv.Itoa(value(r)) },
			func(a, b result) string { return fmt.Sprintf("%+d", value(b)-value(a)) })
	}
	noDifference := func(result, result) string { return "-" }

	row("", func(r result) string { return r.name }, func(result, result) string { return "difference" })
	row("opener", func(r result) string { return r.Opener.String() }, noDifference)
	count("games", func(r result) int { return len(r.Games) })
	count("total", result.Total)
	row("average", func(r result) string { return fmt.Sprintf("%.5f", r.Average()) },
		func(a, b result) string { return fmt.Sprintf("%+.5f", b.Average()-a.Average()) })
	count("lost", result.Lost)
	row("time", func(r result) string { return r.Took.Round(10 * time.Millisecond).String() }, noDifference)
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range s.results {
		fmt.Fprintf(w, "\n%s, games by guesses\n", r.name)
		if err := printBars(w, r.Distribution()); err != nil {
			return err
		}
		longest := r.Longest()
		fmt.Fprintf(w, "\n%s, the longest: %d of %d guesses\n", r.name, len(longest), longest[0].Count())
		for _, g := range longest[:min(len(longest), maxLongest)] {
			fmt.Fprintf(w, "  %v: %s\n", g.Hidden, joinWords(g.Guesses))
		}
	}
	return nil
}

// maxLongest is how many of the longest games are printed for a strategy.
const maxLongest = 5

// hidden names the hidden words.
func (s *simulation) hidden() string {
	if s.sample > 0 {
		return fmt.Sprintf("%d of %d hidden words, drawn with seed %d", s.sample, len(s.words), s.seed)
	}
	return fmt.Sprintf("%d hidden words", len(s.words))
}

// printBars prints a bar for the games that took 1, 2, … guesses.
func printBars(w io.Writer, distribution []int) error {
	highest := max(slices.Max(distribution), 1)
	for i, n := range distribution {
		bar := strings.Repeat("▇", n*50/highest)
		if n > 0 && bar == "" {
			bar = "▏" // few, but some
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%2d %6d  %s", i+1, n, bar), " ")); err != nil {
			return err
		}
	}
	return nil
}

func joinWords(words []wordle.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.String()
	}
	return strings.Join(texts, " ")
}

// writeCSV writes a line for each game. Words are in lower case, as in word lists.
func (s *simulation) writeCSV(w io.Writer) error {
	rows := [][]string{{"strategy", "hidden", "guesses", "lost", "game"}}
	for _, r := range s.results {
		for _, g := range r.Games {
			rows = append(rows, []string{
				r.name, strings.ToLower(g.Hidden.String()), strconv.Itoa(g.Count()), strconv.FormatBool(g.Lost()), strings.ToLower(joinWords(g.Guesses)),
			})
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
