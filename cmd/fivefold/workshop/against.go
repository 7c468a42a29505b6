package workshop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver/simulate"
	"fivefold/solver/weighted"
)

// against is "simulate --against": it plays the words of a file as "fivefold solve" would, with
// the usual word list and weights.
func against(ctx context.Context, p *cli.Program, lists *wordle.Lists, file string, o simulateOptions) error {
	hidden, err := settings.ReadWords("--against", file)
	if err != nil {
		return err
	}
	base := simulate.AgainstOptions{Weighted: weighted.New(lists), Hidden: hidden, Hard: o.hard}
	if base.Opener, err = parseOpener(o.opener); err != nil {
		return err
	}
	for i, name := range o.strategies {
		run := base
		run.Strategy = name
		var end func()
		run.Progress, end = p.Progress(name)
		result, err := simulate.Against(ctx, run)
		end()
		if i > 0 {
			fmt.Fprintln(p.Out)
		}
		if err != nil && !errors.Is(err, ctx.Err()) {
			return fmt.Errorf("simulating %s: %w", name, err)
		}
		if err != nil {
			return fmt.Errorf("%s was stopped after %d of %d hidden words", name, len(result.Games), len(base.Hidden))
		}
		if err := printAgainst(p.Out, name, o.hard, result, lists); err != nil {
			return err
		}
	}
	return nil
}

func printAgainst(w io.Writer, strategy string, hard bool, r simulate.AgainstResult, lists *wordle.Lists) error {
	fmt.Fprintf(w, "%s, %s, opener %v: %d hidden words; fivefold solve knows %d words.\n", strategy, modeName(hard), r.Opener, len(r.Games), len(lists.Guesses()))
	won, all := r.Average()
	lost := r.Lost()
	fmt.Fprintf(w, "Found %d, %.4f guesses on average; %.4f with lost games as %d. The slowest guess took %v, all of them %v.\n",
		len(r.Games)-len(lost), won, all, wordle.Attempts+1, r.Slowest.Round(time.Millisecond), r.Took.Round(10*time.Millisecond))
	var unknown, known []wordle.Word
	for _, g := range lost {
		if lists.CanGuess(g.Hidden) {
			known = append(known, g.Hidden)
		} else {
			unknown = append(unknown, g.Hidden)
		}
	}
	fmt.Fprintf(w, "Lost although known: %s.\n", orNone(known))
	fmt.Fprintf(w, "Lost and not known: %s.\n\ngames by guesses\n", orNone(unknown))
	distribution := r.Distribution()
	return printBars(w, distribution, max(1, slices.Max(distribution)))
}

func orNone(words []wordle.Word) string {
	if len(words) == 0 {
		return "none"
	}
	return joinWords(words)
}
