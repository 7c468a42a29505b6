package workshop

import (
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

// PokleCommand is the subcommand pokle simulate.
func PokleCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Make deals, play each with the solver, and count the guesses",
		Long: "Make deals, play each with the solver, and count the guesses. The same seed gives\n" +
			"the same deals, played the same way on every machine. Deals whose board the solver\n" +
			"does not find in six guesses are not made.\n\n" +
			"A deal is easy when up to 650 boards fit it, medium up to 2900, and hard otherwise:\n" +
			"about a third each.",
		Example: "  fivefold pokle simulate --deals 1000 --seed 5000",
		Args:    cli.NoArguments,
	}
	flags := cmd.Flags()
	wanted := 100
	flags.Var(cli.WholeNumber(&wanted, 1, cli.MostOfAny), "deals", "how many deals to play")
	seed := flags.Uint64("seed", 1, "the `number` of the first deal; the next deal has the next number")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		began := time.Now()
		show, end := p.Progress("deals")
		played, err := playDeals(cmd.Context(), *seed, wanted, show)
		end()
		if err != nil && cmd.Context().Err() == nil {
			return fmt.Errorf("playing deals: %w", err)
		}
		if err != nil {
			err = fmt.Errorf("stopped after %d of %d deals", len(played), wanted)
		}
		if len(played) == 0 {
			return err
		}
		fmt.Fprintf(p.Out, "The poker game, deals from number %d.\n\n", *seed)
		return errors.Join(printDeals(p.Out, played, time.Since(began)), err)
	}
	return cmd
}

// playedDeal is a deal that was played.
type playedDeal struct{ boards, guesses int }

// playDeals plays the deals on all processors, and returns the finished ones. The error is the
// first one, or ctx's.
func playDeals(ctx context.Context, seed uint64, wanted int, show func(done, of int)) (played []playedDeal, err error) {
	var mu sync.Mutex // protects played, and is held for show
	poker := new(boards.Solver)
	err = parallel.TryEach(ctx, 0, wanted, func(ctx context.Context, _, i int) error {
		puzzle, err := poker.Generate(ctx, seed+uint64(i))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		played = append(played, playedDeal{puzzle.Boards, puzzle.Guesses})
		show(len(played), wanted)
		return nil
	})
	return played, err
}

// printDeals prints a table of the deals, of which there must be one, and bars.
func printDeals(w io.Writer, played []playedDeal, took time.Duration) error {
	var distribution [pokle.Attempts]int
	var fitting []int
	difficulties := map[boards.Difficulty]int{}
	total := 0
	for _, one := range played {
		distribution[one.guesses-1]++
		fitting = append(fitting, one.boards)
		difficulties[boards.DifficultyOf(one.boards)]++
		total += one.guesses
	}
	slices.Sort(fitting)
	table := cli.NewColumns(w)
	row := func(name, format string, value any) { fmt.Fprintf(table, "%s\t"+format+"\t\n", name, value) }
	row("deals", "%d", len(played))
	row("average", "%.4f", float64(total)/float64(len(played)))
	row("boards, median", "%d", fitting[(len(fitting)-1)/2])
	for _, d := range []boards.Difficulty{boards.Easy, boards.Medium, boards.Hard} {
		row(d.String(), "%d", difficulties[d])
	}
	row("time", "%s", took.Round(10*time.Millisecond))
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\ngames won, by guesses\n")
	return printBars(w, distribution[:])
}
