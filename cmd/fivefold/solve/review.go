package solve

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/history"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// ReviewCommand is the subcommand review.
func ReviewCommand(p *cli.Program) *cobra.Command {
	var (
		hidden string
		played optimal.Played
	)
	cmd := &cobra.Command{
		Use: "review GUESS:FEEDBACK...",
		Example: "  fivefold review slate:bbybb crony:byybb favor:bgbgg major:ggggg\n" +
			"  fivefold review slate crony favor --hidden major",
		Short: "Judge a game played elsewhere: skill and luck of each guess",
		Long: "Judge each guess of a game that was played elsewhere, from 0 to 99: its skill, by the guesses still needed on " +
			"average, against the best guess there was; and its luck, how good its feedback was, out of all it could get. " +
			"For example:\n\n" +
			"  fivefold review slate:bbybb crony:byybb favor:bgbgg major:ggggg\n\n" +
			"In feedback b is black (or grey), y yellow and g green; squares work too. With the hidden word, guesses need " +
			"no feedback: fivefold review slate crony --hidden major\n\n" +
			"Every word that may be guessed is possible, but common ones are far more likely. A first guess is judged with " +
			"the words that this program hides: for all others there is no time. \"About\" means that there was no time " +
			"for a proof: a guess named then is better, but perhaps not the best. For games played with this program there " +
			"is /review game.",
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.StringVar(&hidden, "hidden", "", "the hidden `word`, if it was not found but is known")
	cli.HardFlag(cmd, &played.Hard)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		if hidden != "" {
			if played.Hidden, err = cli.ReadWord(hidden); err != nil {
				return cli.WrongUse("--hidden: %w", err)
			}
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		typed := wordle.SplitTurns(strings.Join(args, " "), lists.CanGuess, hidden != "")
		if len(typed) == 0 || len(typed) > wordle.Attempts {
			return cli.WrongUse("give from 1 to %d guesses, such as: fivefold review slate:bbybb crony:byybb", wordle.Attempts)
		}
		if i := slices.IndexFunc(typed, func(t wordle.Typed) bool { return t.Feedback == "" }); i >= 0 && hidden == "" {
			return cli.WrongUse("guess %d needs its feedback, such as %s:bbygb; or name the hidden word with --hidden", i+1, typed[i].Guess)
		}
		if played.Turns, err = readTurns(typed, played.Hidden); err != nil {
			return cli.WrongUse("%w", err)
		}
		review, err := app.NewWeighted(p, lists).Review(cmd.Context(), played)
		if err != nil && cmd.Context().Err() != nil {
			return errors.New("stopped before the game was judged")
		}
		if err != nil {
			return fmt.Errorf("%w; check the feedback, the hidden word and --hard", err)
		}
		var lines []bot.Line
		n := len(review.Guesses)
		if n > 0 {
			lines = history.ReviewLines(wordgame.New(lists, nil).Face(), review)
		}
		if n < len(played.Turns) {
			lines = append(lines, bot.Text(fmt.Sprintf("No word I know fits the feedback up to guess %d, so nothing is judged from there on. "+
				"Check it or, if the word was not in my list, name it with --hidden.", n+1)))
		}
		_, err = io.WriteString(p.Out, terminal.Draw(p.Out, bot.Reply{Blocks: bot.Lines(lines...)}, p.Colour()))
		return err
	}
	return cmd
}
