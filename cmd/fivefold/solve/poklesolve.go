package solve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	botsolve "fivefold/bot/solve"
	"fivefold/bot/typed"
	"fivefold/cmd/fivefold/cli"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
)

// PokleCommand is the subcommand pokle with its subcommand solve.
func PokleCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pokle",
		Short:   "Help with a puzzle of the poker game, Pokle",
		Example: "  fivefold pokle solve",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(pokleSolveCommand(p))
	return cmd
}

func pokleSolveCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "solve",
		Args:    cobra.NoArgs,
		Example: "  fivefold pokle solve",
		Short:   "Help with a poker puzzle that you play elsewhere",
		Long: "Help with a poker puzzle that you play elsewhere. Type its deal, such as " + botsolve.ExampleDeal + ", and it proposes a board. Type " +
			"the feedback that it gets, such as gyeyg, or another board and its feedback, such as " + botsolve.ExampleStep + ", and so on. \"help\" " +
			"lists what else can be typed. The puzzle is kept with the games of \"fivefold play\".\n\n" +
			"With --json, questions are read from standard input, a JSON object a line, and answers are written to " +
			"standard output, one a line:\n\n" +
			"  {\"hands\":[\"QD QC\",\"10H 2H\",\"9H KH\"],\"places\":[\"2 1 3\",\"1 3 2\",\"2 1 3\"],\n" +
			"   \"steps\":[{\"guess\":\"4C 4H QH AC JC\",\"feedback\":\"geyyg\"}],\"list\":true}\n\n" +
			"A bad line is answered by {\"error\":...,\"line\":n}. solver/README.md explains all fields.",
	}
	asJSON := cmd.Flags().Bool("json", false, "read questions from standard input, and answer them, as JSON")
	limit := cmd.Flags().Duration("time", 1800*time.Millisecond, "with --json: how long to look for the best board")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			if !cmd.Flags().Changed("time") {
				*limit = max(*limit, p.SearchTime)
			}
			return serveLines(cmd.Context(), p.In, p.Out, func(ctx context.Context, text []byte) (any, error) { return answerBoards(ctx, text, *limit) })
		}
		if cmd.Flags().Changed("time") {
			return cli.WrongUse("--time is for --json")
		}
		const welcome = "Help with a poker puzzle that you play elsewhere. Type its deal, then the feedback for the board " +
			"proposed, such as gyeyg, or the five cards of your own board and their feedback. " +
			"\"help\" lists what else can be typed, \"quit\" leaves. The puzzle is kept in %s.\n"
		return solveInTerminal(cmd.Context(), p, nil, welcome, &typed.Help{Group: pokergame.NameSolve, Entry: pokergame.NameSolve})
	}
	return cmd
}

// boardQuestion is a program's question about a deal.
type boardQuestion struct {
	Hands  []string    `json:"hands"`
	Places []string    `json:"places"`
	Steps  []boardStep `json:"steps"`
	List   bool        `json:"list"`
}

type boardStep struct {
	Guess    string `json:"guess"`
	Feedback string `json:"feedback"`
}

// boardAnswer is the answer to a boardQuestion.
type boardAnswer struct {
	Boards    int      `json:"boards"`
	SHA256    string   `json:"sha256"`
	Best      string   `json:"best"`
	Entropy   float64  `json:"entropy"`
	Proven    bool     `json:"proven"`
	Solutions []string `json:"solutions,omitempty"`
}

func answerBoards(ctx context.Context, text []byte, limit time.Duration) (any, error) {
	var q boardQuestion
	if err := parseObject(text, &q); err != nil {
		return nil, err
	}
	deal, turns, err := q.parse()
	if err != nil {
		return nil, err
	}
	all, err := poker.Fitting(ctx, deal)
	if err != nil {
		return nil, err
	}
	left, err := solve.After(deal, all, turns)
	if err != nil {
		return nil, fmt.Errorf("%w; check it", err)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	best, err := poker.Best(timed, left)
	if err != nil {
		return nil, err
	}
	texts := slices.Sorted(slices.Values(bot.Each(left, pokle.Board.Plain)))
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n") + "\n"))
	a := boardAnswer{
		Boards: len(left), SHA256: hex.EncodeToString(sum[:]), Best: best.Board.Plain(),
		Entropy: best.Entropy, Proven: best.Proven,
	}
	if q.List {
		a.Solutions = texts
	}
	return a, nil
}

// parse reads the deal and the steps. The error is a sentence.
func (q boardQuestion) parse() (d pokle.Deal, turns []poker.Step, err error) {
	if len(q.Hands) != pokle.Players || len(q.Places) != pokle.Streets {
		return d, nil, fmt.Errorf("there must be %d hands, and places for flop, turn and river", pokle.Players)
	}
	if d, err = pokle.ParseDeal([pokle.Players]string(q.Hands), [pokle.Streets]string(q.Places)); err != nil {
		return d, nil, err
	}
	for i, s := range q.Steps {
		var turn poker.Step
		turn.Guess, err = pokle.ParseBoard(s.Guess)
		if err == nil {
			err = d.Allows(turn.Guess)
		}
		if err == nil {
			turn.Feedback, err = pokle.ParseFeedback(s.Feedback)
		}
		if err != nil {
			return d, nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		turns = append(turns, turn)
	}
	return d, turns, nil
}
