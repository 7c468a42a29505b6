package workshop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// dealRun is a run of the subcommand pokle simulate with its results.
type dealRun struct {
	wanted int    // how many to play
	seed   uint64 // of the first deal; the next one has the next number, and so on
	json   bool

	played []dealPlayed // in the order of their seeds
	took   time.Duration
}

type dealPlayed struct {
	number  int // of the deal, from 0
	boards  int
	guesses int
}

// PokleCommand is the subcommand pokle simulate.
func PokleCommand(p *cli.Program) *cobra.Command {
	var d dealRun
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Make deals, play each with the solver, and count the guesses",
		Long: "Make deals, play each with the solver, and count the guesses. The same seed gives\n" +
			"the same deals, played the same way on every machine. Deals whose board the solver\n" +
			"does not find in six guesses are not made.\n\n" +
			"A deal is easy when up to 650 boards fit it, medium up to 2900, and hard otherwise:\n" +
			"about a third each.",
		Example: "  fivefold pokle simulate --deals 20\n  fivefold pokle simulate --deals 1000 --seed 5000 --json",
		Args:    cli.NoArguments,
	}
	flags := cmd.Flags()
	d.wanted = 100
	flags.Var(cli.WholeNumber(&d.wanted, 1, cli.MostOfAny), "deals", "how many deals to play")
	flags.Uint64Var(&d.seed, "seed", 1, "the `number` of the first deal; the next deal has the next number")
	flags.BoolVar(&d.json, "json", false, "print the result as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return simulateDeals(cmd.Context(), p, d)
	}
	return cmd
}

// simulateDeals is the subcommand pokle simulate. When ctx ends it prints the results
// so far.
func simulateDeals(ctx context.Context, p *cli.Program, d dealRun) error {
	show, end := p.Progress("deals")
	err := d.play(ctx, show)
	end()
	if err != nil && !errors.Is(err, ctx.Err()) {
		return fmt.Errorf("playing deals: %w", err)
	}
	if err != nil {
		err = fmt.Errorf("stopped after %d of %d deals", len(d.played), d.wanted)
	}
	switch {
	case d.json:
		return errors.Join(writeJSON(p.Out, d.summary()), err)
	case len(d.played) == 0:
		return err
	}
	return errors.Join(d.print(p.Out), err)
}

// play plays the deals on all processors, and keeps the finished ones. The error is the
// first one, or ctx's.
func (d *dealRun) play(ctx context.Context, show func(done, of int)) error {
	began := time.Now()
	var mu sync.Mutex // protects d.played, and is held for show
	poker := new(boards.Solver)
	err := parallel.TryEach(ctx, 0, d.wanted, func(ctx context.Context, _, i int) error {
		puzzle, err := poker.Generate(ctx, d.seed+uint64(i))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		d.played = append(d.played, dealPlayed{number: i, boards: puzzle.Boards, guesses: puzzle.Guesses})
		show(len(d.played), d.wanted)
		return nil
	})
	slices.SortFunc(d.played, func(a, b dealPlayed) int { return cmp.Compare(a.number, b.number) })
	d.took = time.Since(began)
	return err
}

// dealsJSON is what --json prints, and what is printed as a table.
type dealsJSON struct {
	Seed     uint64  `json:"seed"`
	Complete bool    `json:"complete"`
	Deals    int     `json:"deals"`
	Of       int     `json:"of"`
	Average  float64 `json:"average"`
	// Distribution has the number of games won in 1, 2, … guesses.
	Distribution [pokle.Attempts]int `json:"distribution"`
	// BoardsMedian is the smaller of the two in the middle.
	BoardsMedian int     `json:"boards_median"`
	Easy         int     `json:"easy"`
	Medium       int     `json:"medium"`
	Hard         int     `json:"hard"`
	Seconds      float64 `json:"seconds"`
}

func (d dealRun) summary() dealsJSON {
	s := dealsJSON{Seed: d.seed, Complete: len(d.played) == d.wanted, Deals: len(d.played), Of: d.wanted, Seconds: d.took.Seconds()}
	if s.Deals == 0 {
		return s
	}
	var fitting []int
	total := 0
	for _, one := range d.played {
		fitting = append(fitting, one.boards)
		total += one.guesses
		s.Distribution[one.guesses-1]++
		switch boards.DifficultyOf(one.boards) {
		case boards.Easy:
			s.Easy++
		case boards.Medium:
			s.Medium++
		case boards.Hard:
			s.Hard++
		}
	}
	s.Average = float64(total) / float64(s.Deals)
	slices.Sort(fitting)
	s.BoardsMedian = fitting[(len(fitting)-1)/2]
	return s
}

func (d dealRun) print(w io.Writer) error {
	s := d.summary()
	fmt.Fprintf(w, "The poker game, deals from number %d.\n\n", s.Seed)
	table := cli.NewColumns(w)
	row := func(name, format string, value any) { fmt.Fprintf(table, "%s\t"+format+"\t\n", name, value) }
	row("deals", "%d", s.Deals)
	row("average", "%.4f", s.Average)
	row("boards, median", "%d", s.BoardsMedian)
	row(boards.Easy.String(), "%d", s.Easy)
	row(boards.Medium.String(), "%d", s.Medium)
	row(boards.Hard.String(), "%d", s.Hard)
	row("time", "%s", d.took.Round(10*time.Millisecond))
	if err := table.End(); err != nil {
		return err
	}
	fmt.Fprint(w, "\ngames won, by guesses\n")
	return printBars(w, s.Distribution[:])
}
