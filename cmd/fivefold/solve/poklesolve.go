package solve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot"
	botsolve "fivefold/bot/solve"
	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/cli"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// PokleCommand is the subcommand pokle, which has the subcommand solve.
func PokleCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pokle",
		Short:   "Help with a puzzle of the poker game, Pokle",
		Example: "  fivefold pokle solve",
		Args:    cli.OnlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(pokleSolveCommand(p))
	return cmd
}

func pokleSolveCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "solve [DEAL [GUESS FEEDBACK]...]",
		Example: "  fivefold pokle solve\n" +
			"  fivefold pokle solve QD QC 10H 2H 9H KH 213 132 213\n" +
			"  fivefold pokle solve QD QC 10H 2H 9H KH 213 132 213 10C10DJCQH10S:ygygy",
		Short: "Help with a poker puzzle, or say which board to guess next",
		Long: "Without arguments: help with a poker puzzle that you play elsewhere. Type its deal,\n" +
			"such as " + botsolve.ExampleDeal + ", and it proposes a board. Type the\n" +
			"feedback that it gets, such as gyeyg, or another board and its feedback, such as\n" +
			botsolve.ExampleStep + ", and so on. \"help\" lists what else can be typed. The\n" +
			"puzzle is kept with the games of \"fivefold play\".\n\n" +
			"With arguments: say which board to guess next. First the deal: six cards, two for\n" +
			"each player, then the places of player 1, 2 and 3 on flop, turn and river; equal\n" +
			"hands share one. Then guesses and their feedback: g green, y yellow, e grey; digits\n" +
			"from 0 to 2, squares and colours in words work too:\n\n" +
			"  fivefold pokle solve QDQC 10H2H 9HKH 213132213 10C10DJCQH10S:ygygy\n\n" +
			"With --json, questions are read from standard input, a JSON object a line, and\n" +
			"answers are written to standard output, one a line:\n\n" +
			"  {\"hands\":[\"QD QC\",\"10H 2H\",\"9H KH\"],\"places\":[\"2 1 3\",\"1 3 2\",\"2 1 3\"],\n" +
			"   \"steps\":[{\"guess\":\"4C 4H QH AC JC\",\"feedback\":\"geyyg\"}],\"list\":true}\n\n" +
			"In the answer, sha256 is that of the boards that are left, sorted as text, a line\n" +
			"each; best is the one whose feedback gives the most information, entropy how many\n" +
			"bits, proven whether all were looked at. With list, solutions are all boards. A bad\n" +
			"line is answered by {\"error\":...,\"line\":n}.",
	}
	asJSON := cmd.Flags().Bool("json", false, "read questions from standard input, and answer them, as JSON")
	limit := cmd.Flags().Duration("time", 1800*time.Millisecond, "how long to look for the best board")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if *asJSON && len(args) > 0 {
			return cli.WrongUse("with --json, deals are read from standard input and not from the command line")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		*limit = p.LimitOf(cmd.Flags(), *limit)
		switch {
		case *asJSON:
			return serveLines(cmd.Context(), p.In, p.Out, func(ctx context.Context, text []byte) (any, error) { return answerBoards(ctx, text, *limit) })
		case len(args) > 0:
			return pokleSolveOnce(cmd.Context(), p, strings.Fields(strings.Join(args, " ")), *limit)
		}
		return pokleSolveInTerminal(cmd.Context(), p, *limit)
	}
	return cmd
}

// pokleSolveOnce is the subcommand pokle solve with arguments.
func pokleSolveOnce(ctx context.Context, p *cli.Program, words []string, limit time.Duration) error {
	q, err := readBoardQuestion(words)
	if err != nil {
		return cli.WrongUse("%w", err)
	}
	var puzzle solve.BoardPuzzle
	if puzzle.Setup.Deal, err = q.deal(); err != nil {
		return cli.WrongUse("%s: %w", strings.Join(words, " "), err)
	}
	for i, s := range q.Steps {
		step, err := s.parse(puzzle.Setup.Deal)
		if err != nil {
			return cli.WrongUse("guess %d: %w", i+1, err)
		}
		if puzzle, err = puzzle.Add(step); err != nil {
			return fmt.Errorf("guess %d: %w", i+1, err)
		}
	}
	solver := solve.Boards{Solver: &boards.Solver{Time: limit}}
	view, err := solver.Judge(ctx, puzzle)
	if errors.Is(err, boards.ErrNothingFits) {
		return fmt.Errorf("%w: check its cards, and the places of player 1, 2 and 3 on flop, turn and river", err)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.Out, terminal.DrawOn(p.Out, bot.Reply{Lines: botsolve.BoardLines(view)}, p.Colour()))
	return err
}

// readBoardQuestion reads the words of a deal, and of guesses with their feedback. Cards may
// be typed without spaces between them, and feedback in pieces or after a colon.
func readBoardQuestion(words []string) (q boardQuestion, err error) {
	const places = pokle.Streets * pokle.Players
	words = strings.Fields(strings.NewReplacer(":", " ", ",", " ", "/", " ").Replace(strings.Join(words, " ")))
	for range pokle.Players {
		hand, rest := takeCards(words, pokle.HoleCards)
		q.Hands, words = append(q.Hands, hand), rest
	}
	digits := ""
	for len(digits) < places && len(words) > 0 {
		digits, words = digits+words[0], words[1:]
	}
	if len(digits) != places {
		return q, errors.New("a deal is six cards and nine places, such as " + botsolve.ExampleDeal)
	}
	for i := 0; i < places; i += pokle.Players {
		q.Places = append(q.Places, digits[i:i+pokle.Players])
	}
	for len(words) > 0 {
		board, rest := takeCards(words, pokle.BoardCards)
		if len(rest) == 0 {
			return q, errors.New("each guess is five cards followed by its feedback, such as " + botsolve.ExampleStep)
		}
		n := max(1, cli.FeedbackAtFront(rest)) // if the first word is wrong, that one, to be refused as feedback
		q.Steps, words = append(q.Steps, boardStep{Guess: board, Feedback: strings.Join(rest[:n], " ")}), rest[n:]
	}
	return q, nil
}

// takeCards returns the first words that are n cards, and the words that follow. If there are
// none, it returns the first n words, to be refused as cards.
func takeCards(words []string, n int) (cards string, rest []string) {
	for i := range words {
		text := strings.Join(words[:i+1], " ")
		if found, err := pokle.ParseCards(text); err == nil && len(found) == n {
			return text, words[i+1:]
		}
	}
	n = min(n, len(words))
	return strings.Join(words[:n], " "), words[n:]
}

// boardQuestion is what a program asks about a deal.
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
	deal, err := q.deal()
	if err != nil {
		return nil, err
	}
	left, err := boards.Fitting(ctx, deal)
	if err != nil {
		return nil, err
	}
	for i, s := range q.Steps {
		step, err := s.parse(deal)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if left = boards.After(deal, left, []boards.Step{step}); len(left) == 0 {
			return nil, fmt.Errorf("step %d: no board gets this feedback after the steps before; check it", i+1)
		}
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	best, err := boards.Best(timed, left)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(left))
	for i, b := range left {
		texts[i] = b.Plain()
	}
	slices.Sort(texts)
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

// deal reads the deal. The error is a sentence.
func (q boardQuestion) deal() (pokle.Deal, error) {
	if len(q.Hands) != pokle.Players || len(q.Places) != pokle.Streets {
		return pokle.Deal{}, fmt.Errorf("there must be %d hands, and places for flop, turn and river", pokle.Players)
	}
	return pokle.ParseDeal([pokle.Players]string(q.Hands), [pokle.Streets]string(q.Places))
}

func (s boardStep) parse(d pokle.Deal) (boards.Step, error) {
	guess, err := pokle.ParseBoard(s.Guess)
	if err != nil {
		return boards.Step{}, err
	}
	if err := d.Allows(guess); err != nil {
		return boards.Step{}, err
	}
	f, err := pokle.ParseFeedback(s.Feedback)
	return boards.Step{Guess: guess, Feedback: f}, err
}
