package workshop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/trees"
)

// TreeCommand is the subcommand tree.
func TreeCommand(p *cli.Program) *cobra.Command {
	var (
		options optimal.Position
		opener  string
		out     string
		limit   time.Duration
	)
	cmd := &cobra.Command{
		Use:   "tree",
		Short: "Work out the best plan for a whole game",
		Long: "Work out what to guess first, and then after each feedback, so that all hidden words together take the fewest " +
			"guesses. The plan is verified by playing every hidden word.\n\n" +
			"Without --opener every first guess is searched, which may take an hour. Ctrl-C or --time ends the search with " +
			"the best plan found so far. The output says what is proven about it.",
		Example: "  fivefold tree --opener slate --time 5m -o slate.tree\n" +
			"  fivefold tree --answers words.txt --guesses words.txt -o words.tree",
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.StringVar(&opener, "opener", "", "the first guess, a `word`; without it every one is searched")
	cli.HardFlag(cmd, &options.Hard)
	most := flags.Uint8("limit", wordle.Attempts, "how many guesses a game may take at most, 0 for any `number`")
	flags.StringVarP(&out, "output", "o", "", "write the plan to this `file`")
	overwrite := cli.Overwrites(cmd)
	flags.DurationVar(&limit, "time", 0, "how long to search at most, such as 90s (until the plan is proven)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		options.Limit = int(*most)
		first, err := parseOpener(opener)
		if err != nil {
			return err
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		file, err := p.OutputIf(out, *overwrite)
		if err != nil {
			return err
		}
		ctx := cmd.Context()
		if limit != 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		start := time.Now()
		progress, end := p.Progress("searching")
		s := optimal.New(lists)
		tree, err := s.Grow(ctx, first, options, optimal.Effort{Memory: 256 << 20, Progress: progress})
		end()
		if errors.Is(err, optimal.ErrNoPlay) && ctx.Err() != nil {
			advice := ""
			if first == 0 {
				advice = "; --opener makes the search much shorter"
			}
			return errors.New("stopped before any plan was found" + advice)
		}
		if err != nil {
			return err
		}
		took := time.Since(start)
		if err := printTree(p.Text(file), tree, lists, took); err != nil || file == nil {
			return err
		}
		content, err := json.Marshal(tree)
		if err != nil {
			return err
		}
		err = file.Write(0o666, nil, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
		if err == nil {
			_, err = fmt.Fprintf(p.Text(file), "Written to %s, %d bytes.\n", out, len(content))
		}
		return err
	}
	return cmd
}

// parseOpener reads the first guess of --opener, which is 0 for "".
func parseOpener(text string) (wordle.Word, error) {
	if text == "" {
		return 0, nil
	}
	opener, err := cli.ReadWord(text)
	if err != nil {
		return 0, cli.WrongUse("--opener: %w", err)
	}
	return opener, nil
}

// printTree prints the figures of a plan.
func printTree(w io.Writer, t *trees.Tree, lists *wordle.Lists, took time.Duration) error {
	limit := "any number of guesses"
	if t.Limit > 0 {
		limit = fmt.Sprintf("at most %d guesses", t.Limit)
	}
	fmt.Fprintf(w, "%v, %s, %s; %d hidden words, %d may be guessed.\n", t.Guess, t.Hard.Mode(), limit, t.Words, len(lists.Guesses()))
	fmt.Fprintf(w, "Total %d guesses, %.5f on average. Every hidden word was played. Time %v.\n",
		t.Total, float64(t.Total)/float64(t.Words), took.Round(10*time.Millisecond))
	for _, with := range []struct {
		opener string
		proven bool
		least  int
	}{{"this", t.Proven(), t.Least}, {"any", t.OpenerProven(), t.LeastOfAll}} {
		found := "proven, no plan needs fewer"
		if !with.proven {
			found = fmt.Sprintf("not proven; it takes at least %d", with.least)
		}
		fmt.Fprintf(w, "With %s opener: %s.\n", with.opener, found)
	}
	fmt.Fprint(w, "\ngames by guesses\n")
	return printBars(w, t.Distribution())
}
