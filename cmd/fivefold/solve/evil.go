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

// shortest is the answer of the subcommand evil.
type shortest struct {
	Left     int        `json:"left"`     // how many words can still be the word
	Fewest   int        `json:"fewest"`   // guesses that suffice
	Complete bool       `json:"complete"` // whether Ways has all
	Ways     [][]string `json:"ways"`
}

// EvilCommand is the subcommand evil.
func EvilCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "evil [GUESS]...",
		Example: "  fivefold evil crane slink\n  fivefold evil --only-answers --json",
		Short:   "List the shortest ways to catch the word that dodges",
		Long: "List the shortest ways to catch the word that dodges, after the given guesses or from the start. Each guess gets the " +
			"feedback that keeps the most words; of equal ones, that with the fewest greens, then the fewest yellows, then the " +
			"first as grey comes before yellow before green. So nobody need be asked for the feedback.\n\n" +
			"Each way ends with the only word left. The ways come in alphabetical order: the first 20, or all with --json. All " +
			"from the start may take half an hour, and after a bad guess there may be millions: --most lists fewer. In JSON, " +
			"\"complete\" says whether \"ways\" has all.",
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	asJSON := flags.Bool("json", false, "write one JSON object, with words in lower case")
	only := flags.Bool("only-answers", false, "guess only words that can be hidden")
	most := flags.Uint32("most", 0, "how many ways to list at most, a `number` (default 20, or all with --json)")
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
		left, guesses := game.Left(lists.Answers()), lists.Proposals()
		if *only {
			guesses = lists.Answers()
		}
		limit := cmp.Or(int(*most), 20)
		if *asJSON && *most == 0 {
			limit = math.MaxInt
		}
		found := shortest{Left: len(left), Complete: true, Ways: [][]string{}}
		progress, end := p.Progress("searching")
		found.Fewest, err = dodge.New(lists).Ways(cmd.Context(), left, guesses, progress, func(way []wordle.Word) bool {
			if found.Complete = len(found.Ways) < limit; found.Complete {
				found.Ways = append(found.Ways, bot.Each(way, lower))
			}
			return found.Complete
		})
		end()
		switch {
		case cmd.Context().Err() != nil:
			return errors.New("stopped before all ways were found; --most makes the search shorter")
		case err != nil:
			return err
		case *asJSON:
			return json.NewEncoder(p.Out).Encode(found)
		}
		lines := []string{fmt.Sprintf("Words left: %d. Guesses that suffice: %d.", found.Left, found.Fewest)}
		for _, way := range found.Ways {
			lines = append(lines, strings.ToUpper(strings.Join(way, " ")))
		}
		if !found.Complete {
			lines = append(lines, "There are more ways; --most lists more.")
		}
		_, err = fmt.Fprintln(p.Out, strings.Join(lines, "\n"))
		return err
	}
	return cmd
}
