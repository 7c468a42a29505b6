package workshop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/simulate"
)

// reviewed is the results of the strategies with --review.
type reviewed struct {
	simulateOptions
	answers, guesses int // the lengths of the lists
	results          []reviewedStrategy
}

type reviewedStrategy struct {
	name string
	simulate.Reviews
}

// simulateReview is the subcommand simulate with --review. When ctx ends it prints the
// results so far.
func simulateReview(ctx context.Context, p *cli.Program, lists *wordle.Lists, o simulateOptions) error {
	s := solver.New(lists)
	strategies := make([]solver.Strategy, len(o.strategies))
	for i, name := range o.strategies { // check all before the first is played
		if name == cli.RandomStrategy {
			continue
		}
		var err error
		if strategies[i], err = s.Strategy(name); err != nil {
			return cli.WrongUse("--strategy %s: %w", name, err)
		}
	}
	c := reviewed{simulateOptions: o, answers: len(lists.Answers()), guesses: len(lists.Guesses())}
	var stopped error
	for i, name := range o.strategies {
		progress, end := p.Progress(name)
		result, err := simulate.Review(ctx, simulate.ReviewOptions{
			Lists: lists, Strategy: strategies[i], Hard: o.hard, Games: o.review, Seed: o.seed, Progress: progress,
		})
		end()
		if err != nil && !errors.Is(err, ctx.Err()) {
			return o.explain(name, err)
		}
		if result.Games > 0 {
			c.results = append(c.results, reviewedStrategy{name, result})
		}
		if err != nil {
			stopped = fmt.Errorf("%s was stopped after %d of %d games", name, result.Games, o.review)
			break
		}
	}
	print := c.print
	switch {
	case o.json:
		print = c.printJSON
	case len(c.results) == 0:
		return stopped
	}
	return errors.Join(print(p.Out), stopped)
}

// print prints a table with a column for each strategy.
func (c reviewed) print(w io.Writer) error {
	fmt.Fprintf(w, "%s; games for %d hidden words, drawn with seed %d, %d may be guessed.\n",
		c.mode(), c.answers, c.seed, c.guesses)
	fmt.Fprintf(w, "Skill and luck go from 0 to 99, and are those of a game unless the row says otherwise.\n\n")
	table := cli.NewColumns(w)
	row := func(name string, value func(reviewedStrategy) string) {
		fmt.Fprintf(table, "%s\t", name)
		for _, r := range c.results {
			fmt.Fprintf(table, "%s\t", value(r))
		}
		fmt.Fprintln(table)
	}
	number := func(name string, value func(reviewedStrategy) float64) {
		row(name, func(r reviewedStrategy) string { return fmt.Sprintf("%.2f", value(r)) })
	}
	took := func(name string, value func(reviewedStrategy) time.Duration) {
		row(name, func(r reviewedStrategy) string { return value(r).Round(10 * time.Microsecond).String() })
	}
	row("", func(r reviewedStrategy) string { return r.name })
	row("games", func(r reviewedStrategy) string { return strconv.Itoa(r.Games) })
	row("lost", func(r reviewedStrategy) string { return strconv.Itoa(r.Lost) })
	number("skill", func(r reviewedStrategy) float64 { return r.Skill.Mean })
	number("standard deviation", func(r reviewedStrategy) float64 { return r.Skill.Deviation })
	number("luck", func(r reviewedStrategy) float64 { return r.Luck.Mean })
	number("standard deviation", func(r reviewedStrategy) float64 { return r.Luck.Deviation })
	number("skill of all guesses", func(r reviewedStrategy) float64 { return r.GuessSkill })
	number("luck of all guesses", func(r reviewedStrategy) float64 { return r.GuessLuck })
	row("proven guesses", func(r reviewedStrategy) string { return fmt.Sprintf("%.1f %%", 100*r.ProvenShare()) })
	took("half of the reviews within", func(r reviewedStrategy) time.Duration { return r.Percentile(50) })
	took("99 % within", func(r reviewedStrategy) time.Duration { return r.Percentile(99) })
	took("all within", func(r reviewedStrategy) time.Duration { return r.Percentile(100) })
	row("time", func(r reviewedStrategy) string { return r.Took.Round(10 * time.Millisecond).String() })
	return table.End()
}

// reviewJSON is what --json prints with --review.
type reviewJSON struct {
	rulesJSON
	Seed       uint64               `json:"seed"`
	Strategies []reviewStrategyJSON `json:"strategies"`
}

type reviewStrategyJSON struct {
	Strategy       string  `json:"strategy"`
	Complete       bool    `json:"complete"`
	Games          int     `json:"games"`
	Lost           int     `json:"lost"`
	Skill          float64 `json:"skill"`
	SkillDeviation float64 `json:"skill_deviation"`
	Luck           float64 `json:"luck"`
	LuckDeviation  float64 `json:"luck_deviation"`
	GuessSkill     float64 `json:"guess_skill"` // the means over all guesses
	GuessLuck      float64 `json:"guess_luck"`
	// Judged is the number of guesses, Proven how many of them have a proven skill.
	Judged int `json:"judged"`
	Proven int `json:"proven"`
	// ReviewMS has the milliseconds within which 50, 99 and 100 % of the reviews were done.
	ReviewMS [3]float64 `json:"review_ms"`
	Seconds  float64    `json:"seconds"`
}

func (c reviewed) printJSON(w io.Writer) error {
	out := reviewJSON{c.rules(c.answers, c.guesses), c.seed, []reviewStrategyJSON{}}
	for _, r := range c.results {
		s := reviewStrategyJSON{
			Strategy: r.name, Complete: r.Games == c.review, Games: r.Games, Lost: r.Lost,
			Skill: r.Skill.Mean, SkillDeviation: r.Skill.Deviation, Luck: r.Luck.Mean, LuckDeviation: r.Luck.Deviation,
			GuessSkill: r.GuessSkill, GuessLuck: r.GuessLuck,
			Judged: r.Guesses, Proven: r.Proven, Seconds: r.Took.Seconds(),
		}
		for i, p := range []int{50, 99, 100} {
			s.ReviewMS[i] = float64(r.Percentile(p).Microseconds()) / 1000
		}
		out.Strategies = append(out.Strategies, s)
	}
	return writeJSON(w, out)
}
