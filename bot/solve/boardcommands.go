package solve

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// BoardCommand is the command for puzzles of the poker game.
func (h *Handlers) BoardCommand() bot.Command {
	return bot.Command{
		Name:        pokergame.NameSolve,
		HiddenArgs:  append([]string{argMarks, argAt}, dealFields...),
		Help:        "Help with a poker puzzle that you play elsewhere; leave empty to see where you are",
		Audience:    bot.Asker,
		NotSaved:    notSaved,
		ShowCommand: pokergame.NameSolve,
		Explain:     explainSession,
		Options: []bot.Option{
			{Name: "feedback", MultiWord: true, Help: "What the board got: g green, y yellow, e grey, such as gyeyg; squares work too"},
			{Name: "guess", MultiWord: true, Help: "The board you guess, if it is not the one proposed, such as " + exampleBoard},
			{Name: "deal", MultiWord: true, Help: "Six cards and nine places, such as " + ExampleDeal},
			{Name: "undo", Kind: bot.FlagOption, Help: "Take back the last guess"},
			{Name: "new", Kind: bot.FlagOption, Help: "Begin with a new deal; the old puzzle stays until that is right"},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if typed := r.Args[argMarks]; typed != "" {
				return h.changeMarks(ctx, r, typed)
			}
			entry, undo, begin := readEntry(r.Args), r.Args["undo"] == "true", r.Args["new"] == "true"
			fields, inFields := dealFrom(r.Args)
			played := entry.guess != "" || entry.feedback != ""
			switch {
			case undo && (begin || played || entry.deal != "" || inFields), played && (begin || entry.deal != "" || inFields):
				return bot.Reply{}, bot.Decline(bot.Text("Please one thing at a time: feedback and its board, or a deal, or ", bot.Bold("undo"), ". Nothing was changed."))
			case undo:
				return h.updateBoard(ctx, r, solve.BoardPuzzle.Undo)
			case entry.deal != "":
				return h.beginBoard(ctx, r, splitDeal(entry.deal))
			case begin:
				reply := fields.ask()
				reply.Lines = append(reply.Lines, bot.Text("A puzzle that you already have stays until the new deal is right; ", bot.Slash(pokergame.NameSolve), " shows it."))
				return reply, nil
			case inFields:
				return h.beginBoard(ctx, r, fields)
			case played:
				return h.playBoard(ctx, r, entry)
			}
			v, err := h.Boards.Show(ctx, r.Origin())
			return showBoard(v), err
		},
	}
}

// playBoard enters a guess with its feedback, or chooses the next guess.
func (h *Handlers) playBoard(ctx context.Context, r bot.Request, entry boardEntry) (bot.Reply, error) {
	var step boards.Step
	var err error
	if entry.guess != "" {
		if step.Guess, err = pokle.ParseBoard(entry.guess); err != nil {
			return bot.Reply{}, bot.Refuse(err, pokergame.NotBoard(entry.guess, err))
		}
		if entry.feedback == "" {
			return h.updateBoard(ctx, r, func(p solve.BoardPuzzle) (solve.BoardPuzzle, error) { return p.Choose(step.Guess) })
		}
	}
	if step.Feedback, err = pokle.ParseFeedback(entry.feedback); err != nil {
		return bot.Reply{}, cardMarks.refuse(entry.feedback, err)
	}
	return h.updateBoard(ctx, r, func(p solve.BoardPuzzle) (solve.BoardPuzzle, error) {
		if step.Guess == (pokle.Board{}) {
			step.Guess = p.Next() // once only: if another request comes first, another board is next when the rule runs again
		}
		return p.Add(step)
	})
}

// beginBoard begins with a deal. A wrong deal from a form is refused in the place of the
// message, with its fault alone; a button leads back to the player's puzzle, if there is one.
func (h *Handlers) beginBoard(ctx context.Context, r bot.Request, typed typedDeal) (bot.Reply, error) {
	d, err := typed.deal()
	if err == nil {
		var v solve.BoardView
		v, err = h.Boards.Update(ctx, r.Origin(), 0, func(p solve.BoardPuzzle) (solve.BoardPuzzle, error) {
			if p.Setup.Deal == d && p.Status() == game.Playing {
				return p, nil // the same deal once more: its guesses are not lost
			}
			return solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: d}}, nil
		})
		switch {
		case err == nil:
			return showBoard(v), nil
		case errors.Is(err, boards.ErrNothingFits):
			err = typed.refuse(err, bot.Text(bot.Bold("No board leads to these places,"), " so a card or a place of this deal must be mistyped. Please check ",
				bot.Bold(typed.String()), "; places are those of player 1, 2 and 3 on the flop, on the turn and on the river."))
		}
	}
	var refusal bot.Refusal
	if !r.FromComponent || !errors.As(err, &refusal) {
		return bot.Reply{}, err
	}
	reply := refusal.Reply
	reply.InPlace = true
	if v, err := h.Boards.Peek(ctx, r.Player); err == nil && v.Puzzle.Setup.HasDeal() {
		reply.Buttons[0] = append(reply.Buttons[0], bot.Button{Label: "Back to my puzzle", Command: pokergame.NameSolve})
	}
	return bot.Reply{}, bot.RefuseWith(err, reply)
}

func (h *Handlers) updateBoard(ctx context.Context, r bot.Request, rule func(solve.BoardPuzzle) (solve.BoardPuzzle, error)) (bot.Reply, error) {
	return update(ctx, r, h.Boards.Update, rule, showBoard, explainBoard)
}

// changeMarks shows the puzzle with the marks that a button for one of its cards asks
// for.
func (h *Handlers) changeMarks(ctx context.Context, r bot.Request, typed string) (bot.Reply, error) {
	v, err := h.Boards.Show(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	shown, err := pokle.ParseFeedback(typed)
	board, wrong := pokle.ParseBoard(r.Args["guess"])
	if p := v.Puzzle; err != nil || wrong != nil || versionOf(r) != v.Version || !p.Setup.HasDeal() || p.Status() != game.Playing {
		return outdated(showBoard(v)), nil
	}
	reply := boardReply(v, board, shown)
	reply.Lines = append(reply.Lines, cardMarks.soFar(board, shown))
	return reply, nil
}

// explainBoard puts into words why a puzzle cannot be changed as asked. It returns
// other errors as they are.
func explainBoard(r bot.Request, v solve.BoardView, err error) (bot.Reply, error) {
	var (
		reply    bot.Reply
		none     *solve.ContradictionError
		held     *pokle.HeldError
		repeated *pokle.RepeatedError
	)
	switch {
	case errors.As(err, &none):
		if r.FromComponent {
			return under(contradictedLine(none), boardReply(v, none.Turn.Guess, none.Turn.Feedback)), nil // the marks stay, to be corrected
		}
		reply = bot.Ephemeral(contradictedLine(none))
	case errors.As(err, &held):
		reply = bot.Ephemeral(bot.Text(fmt.Sprintf("Player %d holds the %v, so it cannot be on the board. Please check that card. The guess was not entered.", held.Player, held.Card)))
	case errors.As(err, &repeated):
		reply = bot.Ephemeral(bot.Text(fmt.Sprintf("That board is guess %d already. If its feedback is wrong, take back the guesses from there on with ", repeated.Attempt), slashUndoBoard, "."))
	case errors.Is(err, solve.ErrOver):
		reply = bot.Ephemeral(bot.Text("This puzzle is over. Begin the next one with ", slashNewDeal, ", or take back the last guess with ", slashUndoBoard, "."))
	case errors.Is(err, solve.ErrNoDeal):
		reply = bot.Ephemeral(bot.Text("There is no deal yet. Enter it first: ", bot.Slash(pokergame.NameSolve, "deal", ExampleDeal), ".")).
			Row(typedDeal{}.button("Enter the deal", bot.ButtonPrimary))
	case errors.Is(err, solve.ErrNoTurn):
		reply = bot.Ephemeral(bot.Text("There is no guess to take back yet. See where you are with ", bot.Slash(pokergame.NameSolve), "."))
	case errors.Is(err, solve.ErrNoGuess):
		reply = bot.Ephemeral(bot.Text("No board is proposed, so please enter your guess too: ", slashStep(v.Puzzle.Setup.Deal), "."))
	default:
		return bot.Reply{}, err
	}
	return bot.Reply{}, bot.RefuseWith(err, reply)
}

// What players can type to go on otherwise.
var (
	slashUndoBoard = bot.Slash(pokergame.NameSolve, "undo", "true")
	slashNewDeal   = bot.Slash(pokergame.NameSolve, "new", "true")
)

// contradictedLine says that the feedback for a guess leaves no board, and where to look.
func contradictedLine(none *solve.ContradictionError) bot.Line {
	line := bot.Text(fmt.Sprintf("No possible board gives %v the feedback %s, so guess %d was not entered. Please check its marks, and the order of its cards.",
		none.Turn.Guess, cardMarks.write(none.Turn.Feedback), none.Number))
	if len(none.Suspects) == 0 {
		return line.With(" If they are right, the deal is mistyped: start over with ", slashNewDeal, ".")
	}
	var guesses []string
	for _, number := range none.Suspects {
		guesses = append(guesses, strconv.Itoa(number))
	}
	return line.With(" If they are right, those of guess "+bot.Enumerate(guesses, "or")+" are wrong; ", slashUndoBoard, " takes back the last guess.")
}
