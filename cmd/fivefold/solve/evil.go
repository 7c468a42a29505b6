package solve

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/evil"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
)

// shortest is the answer of the subcommand evil: how many words are left, and how many guesses suffice in which ways.
type shortest struct {
	Left     int        `json:"left"`
	Fewest   int        `json:"fewest"`
	Complete bool       `json:"complete"` // Ways has all
	Ways     [][]string `json:"ways"`
}

// EvilCommand is the subcommand evil.
func EvilCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "evil [GUESS]...",
		Example: "  fivefold evil crane slink\n  fivefold evil --only-answers --json",
		Short:   "List the shortest ways to catch the word that dodges",
		Long: "List the shortest ways to catch the word that dodges, from the start or after guesses. Their feedback follows from " +
			"the rules. Each way ends with the only word left. In JSON, \"complete\" says whether \"ways\" has all.\n\n" +
			"All ways from the start take many minutes, and after a bad guess there may be millions: --most lists fewer.",
	}
	lists := settings.ListFlags(p, cmd)
	asJSON := cmd.Flags().Bool("json", false, "write one JSON object, with words in lower case")
	only := cmd.Flags().Bool("only-answers", false, "guess only words that can be hidden")
	most := cmd.Flags().Uint32("most", 0, "how many ways to list at most, a `number` (default 20, or all with --json)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		lists, err := lists()
		if err != nil {
			return err
		}
		game := evil.New(wordle.Turn{}, lists.Answers()[0])
		for i, text := range args {
			guess, err := cli.ReadWord(text)
			if err == nil && !lists.CanGuess(guess) {
				err = fmt.Errorf("%v is not in the list of guesses", guess)
			}
			if err == nil {
				game, err = game.Guess(lists.Answers(), guess)
			}
			if err != nil {
				return cli.WrongUse("guess %d: %w", i+1, err)
			}
		}
		if game.Status() == marks.Won {
			return cli.WrongUse("%s was the only word left: there is nothing more to guess", game.Answer())
		}
		left, guesses, limit := game.Left(lists.Answers()), lists.Proposals(), cmp.Or(int(*most), 20)
		if *only {
			guesses = lists.Answers()
		}
		if *asJSON && *most == 0 {
			limit = math.MaxInt
		}
		found := shortest{Left: len(left), Ways: [][]string{}}
		progress, end := p.Progress("searching")
		found.Fewest, err = dodge.New(lists).Ways(cmd.Context(), left, guesses, progress, func(way []wordle.Word) bool {
			found.Ways = append(found.Ways, bot.Each(way, lower))
			return len(found.Ways) <= limit
		})
		end()
		if cmd.Context().Err() != nil {
			return errors.New("stopped before all ways were found; --most makes the search shorter")
		}
		found.Complete = len(found.Ways) <= limit
		found.Ways = found.Ways[:min(len(found.Ways), limit)]
		if err == nil && *asJSON {
			err = json.NewEncoder(p.Out).Encode(found)
		}
		if err != nil || *asJSON {
			return err
		}
		lines := fmt.Sprintf("Words left: %d. Guesses that suffice: %d.\n", found.Left, found.Fewest)
		for _, way := range found.Ways {
			lines += strings.ToUpper(strings.Join(way, " ")) + "\n"
		}
		if !found.Complete {
			lines += "There are more ways; --most lists more.\n"
		}
		_, err = fmt.Fprint(p.Out, lines)
		return err
	}
	return cmd
}
