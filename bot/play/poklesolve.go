package play

import (
	"context"
	"errors"
	"fivefold/bot"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

func (b *Handlers) pokleSolve() bot.Command {
	return bot.Command{
		Name:     bot.NamePokleSolve,
		Hidden:   append([]string{argMarks, argAt}, dealFields...),
		Help:     "Help with a poker puzzle that you play elsewhere; with nothing, shows where you are",
		Audience: bot.Asker,
		Options: []bot.Option{
			{Name: "colours", Words: true, Help: "What the board was told: g green, y yellow, e grey, such as gyeyg; squares work too"},
			{Name: "guess", Words: true, Help: "The board you guess, where it is not the one proposed, such as 4C 4H QH AC JC"},
			{Name: "deal", Words: true, Help: "Six cards and nine places, such as " + exampleDeal},
			{Name: "undo", Kind: bot.FlagOption, Help: "Take the last guess back"},
			{Name: "new", Kind: bot.FlagOption, Help: "Begin with a new deal; the old puzzle stays until that is right"},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if marks := r.Args[argMarks]; marks != "" {
				return b.pressCard(ctx, r, marks)
			}
			entry, undo, begin := readEntry(r.Args), r.Args["undo"] == "true", r.Args["new"] == "true"
			fields, inFields := dealFrom(r.Args)
			played := entry.guess != "" || entry.colours != ""
			switch {
			case undo && (begin || played || entry.deal != "" || inFields), played && (begin || entry.deal != "" || inFields):
				return bot.Reply{}, bot.Refuse(errTwoThings, bot.Text("Please one thing at a time: colours and their board, or a deal, or ", bot.Bold("undo"), ". Nothing was changed."))
			case undo:
				return b.updateBoard(ctx, r, game.BoardPuzzle.Undo)
			case entry.deal != "":
				return b.beginBoard(ctx, r, splitDeal(entry.deal))
			case begin:
				reply := fields.ask()
				reply.Lines = append(reply.Lines, bot.Text("A puzzle that you have already stays until the new deal is right; ", bot.Slash(bot.NamePokleSolve), " shows it."))
				return reply, nil
			case inFields:
				return b.beginBoard(ctx, r, fields)
			case played:
				return b.playBoard(ctx, r, entry)
			}
			help, err := b.Helper.ShowBoard(ctx, r.Origin())
			if err != nil {
				return bot.Reply{}, err
			}
			return boardReply(help, help.Puzzle.Next(), blank), nil
		},
	}
}

var errTwoThings = errors.New("two things at a time")

// PokleHelp tells all that can be typed for help with a puzzle of the poker game.
func PokleHelp() bot.Reply {
	return bot.Ephemeral(append(dealHelp(),
		bot.Text("Then the colours of each guess, g for green, y for yellow and e for grey, in the order of its cards: ", bot.Slash(bot.NamePokleSolve+" gyeyg"),
			" for the board proposed, ", bot.Slash(bot.NamePokleSolve+" 4C 4H QH AC JC gyeyg"), " for another one. Squares such as 🟩🟨⬜ and 🟧🟦⬛ work too."),
		bot.Text(bot.Slash(bot.NamePokleSolve+" undo"), " takes the last guess back, ", bot.Slash(bot.NamePokleSolve+" new"), " begins with a new deal, ",
			bot.Slash(bot.NamePokleSolve), " shows where you are."))...)
}

// playBoard enters a guess with its colours, or chooses the next guess.
func (b *Handlers) playBoard(ctx context.Context, r bot.Request, entry boardEntry) (bot.Reply, error) {
	var step boards.Step
	var err error
	if entry.guess != "" {
		if step.Guess, err = pokle.ParseBoard(entry.guess); err != nil {
			return bot.Reply{}, bot.Refuse(err, notBoard(entry.guess, err))
		}
		if entry.colours == "" {
			return b.updateBoard(ctx, r, func(p game.BoardPuzzle) (game.BoardPuzzle, error) { return p.Choose(step.Guess) })
		}
	}
	if step.Feedback, err = pokle.ParseFeedback(entry.colours); err != nil {
		return bot.Reply{}, bot.Refuse(err, notColours(entry.colours, err))
	}
	return b.updateBoard(ctx, r, func(p game.BoardPuzzle) (game.BoardPuzzle, error) {
		if step.Guess == (pokle.Board{}) {
			step.Guess = p.Next() // for good: another request may come between, after which another board is next
		}
		return p.Add(step)
	})
}

// beginBoard begins with a deal. What is wrong with one from a form is told above
// the puzzle that there is, since the answer takes its place.
func (b *Handlers) beginBoard(ctx context.Context, r bot.Request, typed typedDeal) (bot.Reply, error) {
	d, err := typed.deal()
	if err == nil {
		var help game.BoardHelp
		help, err = b.Helper.UpdateBoard(ctx, r.Origin(), 0, func(p game.BoardPuzzle) (game.BoardPuzzle, error) {
			if p.Deal == d && p.Status() == game.Playing {
				return p, nil // the same deal once more: its guesses are not lost
			}
			return game.BoardPuzzle{Deal: d}, nil
		})
		if err == nil {
			return boardReply(help, help.Puzzle.Next(), blank), nil
		}
		if errors.Is(err, boards.ErrNothingFits) {
			err = typed.refuse(err, bot.Text(bot.Bold("No board leads to these places,"), " so a card or a place of this deal must be mistyped. Please check ",
				bot.Bold(typed.String()), "; places are those of player 1, 2 and 3 on the flop, on the turn and on the river."))
		}
	}
	var told bot.Refusal
	if !r.Pressed || !errors.As(err, &told) {
		return bot.Reply{}, err
	}
	help, err := b.Helper.ShowBoard(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	return above(told.Reply, boardReply(help, help.Puzzle.Next(), blank)), nil
}

// updateBoard changes the player's puzzle and shows it.
func (b *Handlers) updateBoard(ctx context.Context, r bot.Request, rule func(game.BoardPuzzle) (game.BoardPuzzle, error)) (bot.Reply, error) {
	version, ok := seen(r)
	if !ok {
		return bot.Outdated(), nil
	}
	help, err := b.Helper.UpdateBoard(ctx, r.Origin(), version, rule)
	if errors.Is(err, game.ErrOutdated) {
		return outdatedBoard(help), nil
	}
	if err == nil {
		return boardReply(help, help.Puzzle.Next(), blank), nil
	}
	err = explainBoard(err)
	var (
		told bot.Refusal
		none *game.ContradictedError
	)
	if r.Pressed && errors.As(err, &told) && errors.As(err, &none) {
		return above(told.Reply, boardReply(help, none.Step.Guess, none.Step.Feedback)), nil // the colours stay, to be corrected
	}
	return bot.Reply{}, err
}

// outdatedBoard shows the puzzle to who pressed a button of an older message.
func outdatedBoard(help game.BoardHelp) bot.Reply {
	return above(bot.Ephemeral(bot.Text("That button belonged to an earlier state, so it changed nothing. This is where you are:")),
		boardReply(help, help.Puzzle.Next(), blank))
}

// above puts a reply's lines and buttons above those of another, which it becomes
// but for its form.
func above(top, below bot.Reply) bot.Reply {
	below.Lines = append(top.Lines, below.Lines...)
	rows := top.Buttons
	for _, row := range below.Buttons {
		if row = withoutThose(row, top.Buttons); len(row) > 0 {
			rows = append(rows, row)
		}
	}
	below.Buttons, below.Form = rows, nil
	below.InPlace = true
	return below
}

// explainBoard puts into words why a puzzle cannot be changed so; other errors it
// leaves as they are.
func explainBoard(err error) error {
	var (
		none     *game.ContradictedError
		held     *pokle.HeldError
		repeated *pokle.RepeatedError
		undo     = bot.Slash(bot.NamePokleSolve + " undo")
	)
	switch {
	case errors.As(err, &none):
		return bot.Refuse(err, contradicted(none))
	case errors.As(err, &held):
		return bot.Refuse(err, bot.Text(fmt.Sprintf("The %v is held by player %d, so it cannot be on the board. Please check that card. Nothing was taken in.", held.Card, held.Player)))
	case errors.As(err, &repeated):
		return bot.Refuse(err, bot.Text(fmt.Sprintf("That board is guess %d already. If its colours are wrong, take back the guesses from there on with ", repeated.Attempt), undo, "."))
	case errors.Is(err, game.ErrPuzzleOver):
		return bot.Refuse(err, bot.Text("This puzzle is over. Begin the next one with ", bot.Slash(bot.NamePokleSolve+" new"), ", or take the last guess back with ", undo, "."))
	case errors.Is(err, game.ErrNoDeal):
		return noDeal(err)
	case errors.Is(err, game.ErrNoLine):
		return bot.Refuse(err, bot.Text("There is no guess to take back yet. See where you are with ", bot.Slash(bot.NamePokleSolve), "."))
	case errors.Is(err, game.ErrNoNext):
		return bot.Refuse(err, bot.Text("No board is proposed, so please tell me yours too: ", bot.Slash(bot.NamePokleSolve+" 4C 4H QH AC JC gyeyg"), "."))
	}
	return err
}

// noDeal asks for a deal where there must be one first.
func noDeal(cause error) error {
	reply := bot.Ephemeral(bot.Text("There is no deal yet. Enter it first: ", bot.Slash(bot.NamePokleSolve+" "+exampleDeal), "."))
	reply.Buttons = [][]bot.Button{{typedDeal{}.button("Enter the deal", bot.Main)}}
	return bot.RefuseWith(cause, reply)
}

// contradicted tells that a step's colours leave no board, and where to look.
func contradicted(none *game.ContradictedError) bot.Line {
	what := fmt.Sprintf("No possible board gives %v the colours %s", none.Step.Guess, pokle.Colours(none.Step.Feedback))
	parts := []any{what + fmt.Sprintf(", so guess %d was not taken in. Please check its colours, and the order of its cards.", none.Number)}
	n := len(none.Instead)
	if n == 0 {
		return bot.Text(append(parts, " If they are right, the deal is mistyped: begin anew with ", bot.Slash(bot.NamePokleSolve+" new"), ".")...)
	}
	guesses := make([]string, n)
	for i, step := range none.Instead {
		guesses[i] = fmt.Sprint(step)
	}
	which := "guess " + guesses[0]
	if n > 1 {
		which = "guess " + strings.Join(guesses[:n-1], ", ") + " or " + guesses[n-1]
	}
	return bot.Text(append(parts, " If they are right, those of "+which+" are wrong; ", bot.Slash(bot.NamePokleSolve+" undo"), " takes the last guess back.")...)
}

// notBoard tells why a text is not five cards.
func notBoard(typed string, err error) bot.Line {
	var (
		card  *pokle.CardError
		twice *pokle.TwiceError
		count *pokle.CountError
	)
	switch {
	case errors.As(err, &card):
		return bot.Text(bot.Quote(typed), ": "+notCard(card))
	case errors.As(err, &twice):
		return bot.Text(bot.Quote(typed), fmt.Sprintf(" has the %v twice. All cards of a board differ.", twice.Card))
	case errors.As(err, &count):
		return bot.Text(bot.Quote(typed), fmt.Sprintf(" has %s. A board has five: three of the flop, the turn and the river, such as ", bot.Plural(count.Got, "card")), bot.Bold("4C 4H QH AC JC"), ".")
	}
	return bot.Text(bot.Quote(typed), " is no board. A board has five cards, such as ", bot.Bold("4C 4H QH AC JC"), ".")
}

// notColours tells why a text is not the colours of a guess.
func notColours(typed string, err error) bot.Line {
	return notMarks(typed, err, "colour", "card of the guess: g for green, y for yellow, e for grey, such as ", "gyeyg")
}
