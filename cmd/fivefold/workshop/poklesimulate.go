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
	print := d.print
	switch {
	case d.json:
		print = d.printJSON
	case len(d.played) == 0:
		return err
	}
	return errors.Join(print(p.Out), err)
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

// distribution returns how many games were won in 1, 2, … guesses.
func (d dealRun) distribution() [pokle.Attempts]int {
	var games [pokle.Attempts]int
	for _, one := range d.played {
		games[one.guesses-1]++
	}
	return games
}

// average returns the mean number of guesses, 0 for no games.
func (d dealRun) average() float64 {
	total := 0
	for _, one := range d.played {
		total += one.guesses
	}
	return float64(total) / float64(max(len(d.played), 1))
}

// median returns the median number of boards that fit a deal: the smaller of the two
// in the middle, 0 for no deals.
func (d dealRun) median() int {
	if len(d.played) == 0 {
		return 0
	}
	var all []int
	for _, one := range d.played {
		all = append(all, one.boards)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// count returns how many deals have this difficulty.
func (d dealRun) count(of boards.Difficulty) int {
	n := 0
	for _, one := range d.played {
		if boards.DifficultyOf(one.boards) == of {
			n++
		}
	}
	return n
}

func (d dealRun) print(w io.Writer) error {
	fmt.Fprintf(w, "The poker game, deals from number %d.\n\n", d.seed)
	table := cli.NewColumns(w)
	row := func(name, format string, value any) { fmt.Fprintf(table, "%s\t"+format+"\t\n", name, value) }
	row("deals", "%d", len(d.played))
	row("average", "%.4f", d.average())
	row("boards, median", "%d", d.median())
	for _, of := range []boards.Difficulty{boards.Easy, boards.Medium, boards.Hard} {
		row(of.String(), "%d", d.count(of))
	}
	row("time", "%s", d.took.Round(10*time.Millisecond))
	if err := table.End(); err != nil {
		return err
	}
	fmt.Fprint(w, "\ngames won, by guesses\n")
	games := d.distribution()
	return printBars(w, games[:], max(slices.Max(games[:]), 1))
}

// dealsJSON is what --json prints.
type dealsJSON struct {
	Seed     uint64  `json:"seed"`
	Complete bool    `json:"complete"`
	Deals    int     `json:"deals"`
	Of       int     `json:"of"`
	Average  float64 `json:"average"`
	// Distribution has the number of games won in 1, 2, … guesses.
	Distribution [pokle.Attempts]int `json:"distribution"`
	BoardsMedian int                 `json:"boards_median"`
	Easy         int                 `json:"easy"`
	Medium       int                 `json:"medium"`
	Hard         int                 `json:"hard"`
	Seconds      float64             `json:"seconds"`
}

func (d dealRun) printJSON(w io.Writer) error {
	return writeJSON(w, dealsJSON{
		Seed: d.seed, Complete: len(d.played) == d.wanted, Deals: len(d.played), Of: d.wanted,
		Average: d.average(), Distribution: d.distribution(), BoardsMedian: d.median(),
		Easy: d.count(boards.Easy), Medium: d.count(boards.Medium), Hard: d.count(boards.Hard),
		Seconds: d.took.Seconds(),
	})
}
