// Package workshop is the solver's: simulations, plans for whole games, and charts.
package workshop

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/simulate"
)

// simulateOptions are the flags of the subcommand simulate, without the word lists.
type simulateOptions struct {
	strategies           []string
	hard                 bool
	opener               string
	sample               int
	seed                 uint64
	review               int
	json                 bool
	csv, png, checkpoint string // paths

	csvFile, pngFile, checkpointFile *cli.Output // for the paths; nil for none
}

// SimulateCommand is the subcommand simulate.
func SimulateCommand(p *cli.Program) *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Play every hidden word with a strategy, and count the guesses",
		Long: "Play every hidden word with a strategy, and count the guesses. A lost game goes on\n" +
			"until the word is found, and all its guesses count.\n\n" +
			"Each strategy chooses the guess with\n" +
			"  optimal    the fewest guesses for all hidden words together\n" +
			"  expected   the fewest words left on average\n" +
			"  entropy    the most information in its feedback\n" +
			"  minimax    the fewest words left in the worst case\n" +
			"  parts      the most different feedbacks\n" +
			"Of equal guesses it takes one that can be the hidden word, then the first in the\n" +
			"alphabet. Repeat --strategy to compare several.\n\n" +
			"With other lists than the built-in ones it may take an hour to find the optimal\n" +
			"opener; --opener avoids that. With --checkpoint you can stop a long run and\n" +
			"continue it later.\n\n" +
			"With --review, games of six guesses are drawn instead, and every guess is judged:\n" +
			"its skill by how many guesses the best play needs after it, its luck by how few\n" +
			"words its feedback left. For comparison there is also the strategy \"random\",\n" +
			"which guesses any possible word.",
		Example: "  fivefold simulate --strategy entropy --strategy minimax --sample 100\n" +
			"  fivefold simulate --strategy optimal --csv games.csv --png games.png\n" +
			"  fivefold simulate --review 200 --strategy random",
		Args: cli.NoArguments,
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.StringSliceVar(&o.strategies, "strategy", []string{"expected"}, "how to choose guesses, by these `names`: "+strings.Join(solver.StrategyNames(), ", "))
	flags.BoolVar(&o.hard, "hard", false, "keep to hard mode")
	flags.StringVar(&o.opener, "opener", "", "the first guess, a `word`, instead of the strategy's own")
	flags.Var(cli.WholeNumber(&o.sample, 0, cli.MostOfAny), "sample", "how many hidden words to draw, 0 for all; the strategy does not know which")
	flags.Var(cli.WholeNumber(&o.review, 1, cli.MostOfAny), "review", "how many games to draw and judge, instead of counting guesses")
	flags.Uint64Var(&o.seed, "seed", 1, "which words are drawn, by a `number`; the same seed draws the same words")
	flags.BoolVar(&o.json, "json", false, "print the result as JSON")
	flags.StringVar(&o.csv, "csv", "", "write every game to this `file`")
	flags.StringVar(&o.png, "png", "", "draw the numbers of guesses into this PNG `file`")
	flags.StringVar(&o.checkpoint, "checkpoint", "", "a `file` to save progress in, and to continue from")
	hidden := flags.String("against", "", "a `file` of words to find, played as \"fivefold solve\" plays without arguments")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := errors.Join(
			cli.Apart(cmd, "against", "review", "sample", "seed", "json", "csv", "png", "checkpoint"),
			cli.Apart(cmd, "review", "sample", "opener", "csv", "png", "checkpoint"),
		); err != nil {
			return err
		}
		if *hidden != "" && !flags.Changed("strategy") {
			o.strategies = []string{solver.Optimal}
		}
		if err := o.check(flags.Changed("seed")); err != nil {
			return cli.WrongUse("%w", err)
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		if *hidden != "" {
			return against(cmd.Context(), p, lists, *hidden, o)
		}
		if err := o.findFiles(p); err != nil {
			return err
		}
		if o.review > 0 {
			return simulateReview(cmd.Context(), p, lists, o)
		}
		return simulateWords(cmd.Context(), p, lists, o)
	}
	return cmd
}

// check returns an error for options that make no sense, whatever the lists are.
func (o simulateOptions) check(seeded bool) error {
	names := solver.StrategyNames()
	if o.review > 0 {
		names = append(slices.Clone(names), cli.RandomStrategy)
	}
	for i, name := range o.strategies {
		switch {
		case name == cli.RandomStrategy && o.review == 0:
			return errors.New("--strategy random guesses differently every time, so it needs --review")
		case !slices.Contains(names, name):
			return fmt.Errorf("--strategy %s: %w", name, cli.Choice(&name, names).Set(name))
		case slices.Contains(o.strategies[:i], name):
			return fmt.Errorf("--strategy %s is given twice", name)
		}
	}
	switch {
	case len(o.strategies) == 0:
		return errors.New("--strategy needs a name")
	case seeded && o.sample == 0 && o.review == 0:
		return errors.New("--seed says which words are drawn, so it needs --sample or --review")
	case o.checkpoint != "" && len(o.strategies) > 1:
		return errors.New("--checkpoint saves one strategy; run each separately, with its own file")
	}
	return nil
}

// findFiles checks the files to write before the run, which may take hours.
func (o *simulateOptions) findFiles(p *cli.Program) error {
	var found []*cli.Output
	for _, file := range []struct {
		flag, path string
		to         **cli.Output
	}{{"--csv", o.csv, &o.csvFile}, {"--png", o.png, &o.pngFile}, {"--checkpoint", o.checkpoint, &o.checkpointFile}} {
		f, err := p.OutputIf(file.flag, file.path)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if slices.ContainsFunc(found, f.Same) {
			return cli.WrongUse("%s %s: another option has the same file", file.flag, file.path)
		}
		found = append(found, f)
		*file.to = f
	}
	if c := o.checkpointFile; c != nil && c.Path == "" {
		return cli.WrongUse("--checkpoint %s: it must be a file, so that the run can continue from it", o.checkpoint)
	}
	if o.json && p.Text(o.csvFile, o.pngFile) != p.Out {
		return cli.WrongUse("--json is written to standard output too; give --csv and --png a file")
	}
	return nil
}

// simulateWords is the subcommand simulate. When ctx ends it prints the results so far.
func simulateWords(ctx context.Context, p *cli.Program, lists *wordle.Lists, o simulateOptions) error {
	if o.sample > len(lists.Answers()) {
		return cli.WrongUse("--sample %d: there are only %d words", o.sample, len(lists.Answers()))
	}
	s := solver.New(lists)
	opener, err := parseOpener(o.opener)
	if err != nil {
		return err
	}
	if opener != 0 && !lists.CanGuess(opener) {
		return cli.WrongUse("--opener %s: it is not in the list of guesses", o.opener)
	}
	base := simulate.Options{
		Lists: lists, Hard: o.hard, Opener: opener, Sample: o.sample, Seed: o.seed,
	}
	if o.checkpointFile != nil {
		base.Checkpoint = o.checkpoint
		base.Create = func(_ string, content []byte) error { return o.checkpointFile.WriteBytes(ctx, content) }
	}
	var strategies []solver.Strategy
	for _, name := range o.strategies { // check all before the first is played
		strategy, err := s.Strategy(name)
		if err != nil {
			return cli.WrongUse("--strategy %s: %w", name, err)
		}
		strategies = append(strategies, strategy)
	}
	c := comparison{simulateOptions: o, answers: len(lists.Answers()), guesses: len(lists.Guesses())}
	var stopped error
	for i, name := range o.strategies {
		run := base
		run.Strategy = strategies[i]
		run.Settings = name
		var end func()
		run.Progress, end = p.Progress(name)
		result, err := simulate.Run(ctx, run)
		end()
		if err != nil && !errors.Is(err, ctx.Err()) {
			return o.explain(name, err)
		}
		if len(result.Games) > 0 {
			c.results = append(c.results, strategyResult{name, result})
		}
		if err != nil {
			stopped = o.stopped(name, result)
			break
		}
	}
	return errors.Join(c.write(ctx, p.Text(o.csvFile, o.pngFile), stopped == nil), stopped)
}

// explain says what to do about an error.
func (o simulateOptions) explain(strategy string, err error) error {
	switch {
	case errors.Is(err, simulate.ErrOtherRun):
		return fmt.Errorf("--checkpoint %w\ngive another file, or the options of that simulation; it was not changed", err)
	case errors.Is(err, simulate.ErrNoCheckpoint):
		return fmt.Errorf("--checkpoint %w\ngive another file; it was not changed", err)
	}
	return fmt.Errorf("simulating %s: %w", strategy, err)
}

// stopped returns the error of a run that was stopped.
func (o simulateOptions) stopped(strategy string, r simulate.Result) error {
	text := fmt.Sprintf("%s was stopped after %d of %d hidden words", strategy, len(r.Games), r.Of)
	switch {
	case o.checkpoint != "" && len(r.Games) > 0:
		text += "; the same command continues from " + o.checkpoint
	case o.checkpoint == "":
		text += "; with --checkpoint it could be continued"
	}
	if o.csv != "" || o.png != "" {
		text += "\nno file was written"
	}
	return errors.New(text)
}

// comparison is the results of one or more strategies.
type comparison struct {
	simulateOptions
	answers, guesses int // the lengths of the lists
	results          []strategyResult
}

type strategyResult struct {
	name string
	simulate.Result
}

// write prints the results and, when they are complete, writes the files.
func (c comparison) write(ctx context.Context, w io.Writer, complete bool) error {
	print := c.print
	switch {
	case c.json:
		print = c.printJSON
	case len(c.results) == 0:
		return nil
	}
	if err := print(w); err != nil {
		return err
	}
	if !complete {
		return nil
	}
	for _, file := range []struct {
		to      *cli.Output
		content func(io.Writer) error
	}{{c.csvFile, c.writeCSV}, {c.pngFile, c.drawPNG}} {
		if file.to == nil {
			continue
		}
		var b bytes.Buffer
		if err := file.content(&b); err != nil {
			return file.to.Fault(err)
		}
		if err := file.to.WriteBytes(ctx, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// maxLongest is how many of the longest games are printed for each strategy.
const maxLongest = 5

// print prints a table with a column for each strategy. Each but the first is followed
// by its difference from the first.
func (c comparison) print(w io.Writer) error {
	fmt.Fprintf(w, "%s; %s.\n", c.mode(), c.words())
	for _, r := range c.results {
		if r.Resumed > 0 {
			fmt.Fprintf(w, "%d games are from %s.\n", r.Resumed, c.checkpoint)
		}
	}
	fmt.Fprintln(w)
	table := cli.NewColumns(w)
	row := func(name string, value func(strategyResult) string, difference func(a, b strategyResult) string) {
		fmt.Fprintf(table, "%s\t", name)
		for i, r := range c.results {
			fmt.Fprintf(table, "%s\t", value(r))
			if i > 0 {
				fmt.Fprintf(table, "%s\t", difference(c.results[0], r))
			}
		}
		fmt.Fprintln(table)
	}
	count := func(name string, value func(strategyResult) int) {
		row(name,
			func(r strategyResult) string { return strconv.Itoa(value(r)) },
			func(a, b strategyResult) string { return signed(value(b) - value(a)) })
	}
	none := func(strategyResult, strategyResult) string { return "" }

	row("", func(r strategyResult) string { return r.name }, func(strategyResult, strategyResult) string { return "difference" })
	row("opener", func(r strategyResult) string { return r.Opener.String() }, none)
	count("games", func(r strategyResult) int { return len(r.Games) })
	count("total", strategyResult.Total)
	row("average", func(r strategyResult) string { return fmt.Sprintf("%.5f", r.Average()) },
		func(a, b strategyResult) string { return fmt.Sprintf("%+.5f", b.Average()-a.Average()) })
	count("lost", strategyResult.Lost)
	row("time", func(r strategyResult) string { return r.Took.Round(10 * time.Millisecond).String() }, none)
	for i := range c.most() {
		if len(c.results) == 1 {
			break // the bars show it
		}
		name := fmt.Sprintf("in %d", i+1)
		if i >= wordle.Attempts {
			name += ", lost"
		}
		count(name, func(r strategyResult) int { return at(r.Distribution(), i) })
	}
	if err := table.End(); err != nil {
		return err
	}
	for _, r := range c.results {
		fmt.Fprintf(w, "\n%s, games by guesses\n", r.name)
		if err := printBars(w, r.Distribution(), c.highest()); err != nil {
			return err
		}
	}
	for _, r := range c.results {
		fmt.Fprintln(w)
		printLongest(w, r)
	}
	return nil
}

// mode returns the rules that were played by, as the start of a sentence.
func (o simulateOptions) mode() string {
	mode := "Easy mode"
	if o.hard {
		mode = "Hard mode"
	}
	return mode
}

// words says which words were hidden and how many may be guessed.
func (c comparison) words() string {
	hidden := fmt.Sprintf("%d hidden words", c.answers)
	if c.sample > 0 {
		hidden = fmt.Sprintf("%d of %d hidden words, drawn with seed %d", c.sample, c.answers, c.seed)
	}
	return fmt.Sprintf("%s, %d may be guessed", hidden, c.guesses)
}

// most returns how many guesses the longest game took, at least [wordle.Attempts].
func (c comparison) most() int {
	most := 0
	for _, r := range c.results {
		most = max(most, len(r.Distribution()))
	}
	return most
}

// at returns list[i], or 0 beyond its end.
func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}

// highest returns the highest bar of all strategies, at least 1.
func (c comparison) highest() int {
	highest := 1
	for _, r := range c.results {
		highest = max(highest, slices.Max(r.Distribution()))
	}
	return highest
}

// printBars prints bars for how many games took 1, 2, … guesses. Highest is the number of games
// of a bar of full length; it must be at least 1.
func printBars(w io.Writer, distribution []int, highest int) error {
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

func printLongest(w io.Writer, r strategyResult) {
	longest := r.Longest()
	games := "games"
	if len(longest) == 1 {
		games = "game"
	}
	fmt.Fprintf(w, "%s, the longest: %d %s of %d guesses\n", r.name, len(longest), games, len(longest[0].Guesses))
	for i, g := range longest {
		if i == maxLongest && len(longest) > maxLongest+1 {
			fmt.Fprintf(w, "  and %d more; --csv has all games\n", len(longest)-maxLongest)
			break
		}
		fmt.Fprintf(w, "  %s\n", joinWords(g.Guesses))
	}
}

func joinWords(words []wordle.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.String()
	}
	return strings.Join(texts, " ")
}

// rulesJSON is what games were played with.
type rulesJSON struct {
	Answers int  `json:"answers"` // the lengths of the lists
	Guesses int  `json:"guesses"`
	Hard    bool `json:"hard"`
}

func (o simulateOptions) rules(answers, guesses int) rulesJSON {
	return rulesJSON{answers, guesses, o.hard}
}

// simulationJSON is what --json prints.
type simulationJSON struct {
	rulesJSON
	Sample     int            `json:"sample,omitempty"`
	Seed       uint64         `json:"seed,omitempty"`
	Strategies []strategyJSON `json:"strategies"`
}

type strategyJSON struct {
	Strategy string      `json:"strategy"`
	Opener   wordle.Word `json:"opener"`
	Complete bool        `json:"complete"`
	Games    int         `json:"games"`
	Of       int         `json:"of"`
	Total    int         `json:"total"`
	Average  float64     `json:"average"`
	Lost     int         `json:"lost"`
	// Distribution has the number of games with 1, 2, … guesses.
	Distribution []int           `json:"distribution"`
	Longest      [][]wordle.Word `json:"longest"`
	Resumed      int             `json:"resumed"` // games from the checkpoint
	Seconds      float64         `json:"seconds"` // for the other games
}

func (c comparison) printJSON(w io.Writer) error {
	out := simulationJSON{rulesJSON: c.rules(c.answers, c.guesses), Sample: c.sample, Strategies: []strategyJSON{}}
	if c.sample > 0 {
		out.Seed = c.seed
	}
	for _, r := range c.results {
		s := strategyJSON{
			Strategy: r.name, Opener: r.Opener, Complete: r.Complete(), Games: len(r.Games), Of: r.Of,
			Total: r.Total(), Average: r.Average(), Lost: r.Lost(), Distribution: r.Distribution(),
			Resumed: r.Resumed, Seconds: r.Took.Seconds(),
		}
		for _, g := range r.Longest() {
			s.Longest = append(s.Longest, g.Guesses)
		}
		out.Strategies = append(out.Strategies, s)
	}
	return writeJSON(w, out)
}

// writeJSON writes a result as indented JSON.
func writeJSON(w io.Writer, result any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// writeCSV writes a line for each game, words in lower case as in word lists.
func (c comparison) writeCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	rows := [][]string{{"strategy", "hidden", "guesses", "lost", "game"}}
	for _, r := range c.results {
		for _, g := range r.Games {
			game := strings.ToLower(joinWords(g.Guesses))
			hidden := strings.ToLower(g.Hidden().String())
			rows = append(rows, []string{r.name, hidden, strconv.Itoa(len(g.Guesses)), strconv.FormatBool(g.Lost()), game})
		}
	}
	return table.WriteAll(rows)
}
