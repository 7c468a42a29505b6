package solve

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
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
				return bot.Reply{}, bot.Decline(bot.Text("One thing at a time, please: feedback and its board, or a deal, or ", bot.Bold("undo"), ". Nothing was changed."))
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
				rule, err := enter[solve.BoardPuzzle](entry.guess, entry.feedback, cardMarks, pokergame.Read)
				if err != nil {
					return bot.Reply{}, err
				}
				return h.updateBoard(ctx, r, rule)
			}
			v, err := h.Boards.Show(ctx, r.Origin())
			return showBoard(v), err
		},
	}
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
	v, err := h.Boards.Update(ctx, r.Origin(), versionOf(r), rule)
	return changed(r, v, err, showBoard, explainBoard)
}

// changeMarks shows the puzzle with the marks that a button for one of its cards asks for.
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

// explainBoard puts into words why a puzzle cannot be changed as asked. It returns other errors as they are.
func explainBoard(r bot.Request, v solve.BoardView, err error) (bot.Reply, error) {
	var reply bot.Reply
	none, isNone := errors.AsType[*solve.ContradictionError](err)
	held, isHeld := errors.AsType[*pokle.HeldError](err)
	repeated, isRepeated := errors.AsType[*pokle.RepeatedError](err)
	switch {
	case isNone && r.FromComponent:
		return under(contradictedLine(none), boardReply(v, none.Turn.Guess, none.Turn.Feedback)), nil // the marks stay, to be corrected
	case isNone:
		reply = bot.Ephemeral(contradictedLine(none))
	case isHeld:
		reply = bot.Ephemeral(bot.Text(fmt.Sprintf("Player %d holds the %v, so it cannot be on the board. Please check that card. The guess was not entered.", held.Player, held.Card)))
	case isRepeated:
		reply = bot.Ephemeral(bot.Text(fmt.Sprintf("That board is guess %d already. If its feedback is wrong, take back the guesses from there on with ", repeated.Attempt), slashUndoBoard, "."))
	case errors.Is(err, solve.ErrNoDeal):
		reply = bot.Ephemeral(bot.Text("There is no deal yet. Enter it first: ", bot.Slash(pokergame.NameSolve, "deal", ExampleDeal), ".")).
			Row(typedDeal{}.button("Enter the deal", bot.ButtonPrimary))
	default:
		return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
			solve.ErrOver:    bot.Text("This puzzle is over. Begin the next one with ", slashNewDeal, ", or take back the last guess with ", slashUndoBoard, "."),
			solve.ErrNoTurn:  bot.Text("There is no guess to take back yet. See where you are with ", bot.Slash(pokergame.NameSolve), "."),
			solve.ErrNoGuess: bot.Text("No board is proposed, so please enter your guess too: ", slashStep(v.Puzzle.Setup.Deal), "."),
		})
	}
	return bot.Reply{}, bot.RefuseWith(err, reply)
}

// What players can type to go on otherwise.
var (
	slashUndoBoard = bot.Slash(pokergame.NameSolve, "undo", "true")
	slashNewDeal   = bot.Slash(pokergame.NameSolve, "new", "true")
)

func contradictedLine(none *solve.ContradictionError) bot.Line {
	line := bot.Text(fmt.Sprintf("No possible board gives %v the feedback %s, so guess %d was not entered. Please check its marks, and the order of its cards.",
		none.Turn.Guess, cardMarks.write(none.Turn.Feedback), none.Number))
	if len(none.Suspects) == 0 {
		return line.With(" If they are right, the deal is mistyped: start over with ", slashNewDeal, ".")
	}
	guesses := bot.Each(none.Suspects, strconv.Itoa)
	return line.With(" If they are right, those of guess "+bot.Enumerate(guesses, "or")+" are wrong; ", slashUndoBoard, " takes back the last guess.")
}

// showBoard draws a player's puzzle with no mark entered yet, or asks for a deal if there is none.
func showBoard(v solve.BoardView) bot.Reply { return boardReply(v, v.Puzzle.Next(), blank) }

// boardReply draws a player's puzzle of the poker game: the table, the guesses, what to try next and why, and how to
// go on. The buttons are for that board, with these marks. Without a deal it asks for one.
func boardReply(v solve.BoardView, board pokle.Board, shown marks.Feedback) bot.Reply {
	p := v.Puzzle
	if !p.Setup.HasDeal() {
		return typedDeal{}.ask()
	}
	deal := p.Setup.Deal
	lines := pokergame.PokerTableLines(picture.PokerTable{Deal: deal, Left: -1})
	for _, t := range p.Turns {
		lines = append(lines, pokergame.CardTiles(t).With(" "+cardMarks.write(t.Feedback)))
	}
	next := bot.Text("Begin the next one with ", slashNewDeal, ". A wrong mark? ", slashUndoBoard, " takes back the last guess.")
	switch n := len(v.Left); {
	case p.Status() == game.Won:
		lines = append(append(lines, endLine(true, len(p.Turns))), pokergame.ShowdownLines(deal, p.Turns[len(p.Turns)-1].Guess)...)
		lines = append(lines, next)
	case p.Status() == game.Lost:
		lines = append(lines, endLine(false, len(p.Turns)), bot.Text(possibleBoards(v.Left)), next)
	case n == 0 || len(p.Proposed) == 0:
		lines = append(lines, bot.Text(bot.Bold("No board fits any more,"), " so something here must be wrong."),
			bot.Text("Take back the last guess with ", slashUndoBoard, ", or begin with a new deal: ", slashNewDeal, "."))
	default:
		lines = append(lines, boardProposal(p)...)
		if n > 1 {
			lines = append(lines, bot.Text(possibleBoards(v.Left)))
		}
		lines = append(lines, bot.Text("Then enter its feedback, card by card (g green, y yellow, e grey): ", bot.Slash(pokergame.NameSolve, "feedback", exampleFeedback), "."))
		if len(p.Turns) == 0 {
			lines = append(lines, bot.Text("Another board: ", slashStep(deal), ". A new deal: ", slashNewDeal, "."))
		}
	}
	return bot.Reply{Lines: lines, Buttons: boardButtons(v, board, shown), InPlace: true}
}

const fewBoards = 5

func possibleBoards(left []pokle.Board) string {
	are := fmt.Sprintf("%d boards are possible", len(left))
	if len(left) == 1 {
		are = "1 board is possible"
	}
	if len(left) > fewBoards {
		return are + "."
	}
	return are + ": " + strings.Join(bot.Each(left, pokle.Board.String), "; ") + "."
}

func boardProposal(p solve.BoardPuzzle) []bot.Line {
	turn, best := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, pokle.Attempts), p.Proposed[0]
	if p.Chosen != (pokle.Board{}) && p.Chosen.Compare(best.Board) != 0 {
		return []bot.Line{bot.Text(turn, bot.Bold(p.Chosen.String()), ", your own choice. I would try ", bot.Bold(best.Board.String()), ".")}
	}
	return []bot.Line{
		bot.Text(turn, "try ", bot.Bold(p.Next().String()), "."), // with the flop in the player's order, if there is one
		bot.Text(pokergame.BoardReason(best, pokle.Attempts-len(p.Turns))),
	}
}

// boardButtons are the buttons under a puzzle of the poker game: the cards of the board
// whose marks are entered, each with its mark, and what else can be done.
func boardButtons(v solve.BoardView, board pokle.Board, shown marks.Feedback) [][]bot.Button {
	p := v.Puzzle
	at := strconv.FormatUint(v.Version, 10)
	undo := bot.Button{Label: "Undo", Command: pokergame.NameSolve, Args: map[string]string{"undo": "true", argAt: at}}
	begin := typedDeal{}.button("New deal", bot.ButtonSecondary)
	if p.Status() != game.Playing {
		begin.Style = bot.ButtonPrimary
		return [][]bot.Button{{begin, undo}}
	}
	last := []bot.Button{undo, begin}
	if len(p.Turns) == 0 {
		last = []bot.Button{begin, dealOf(p.Setup.Deal).button("Correct the deal", bot.ButtonSecondary)}
	}
	if board == (pokle.Board{}) {
		return [][]bot.Button{last}
	}
	cards, enter := cardMarks.entryButtons(strings.Fields(board.String()), shown, pokergame.NameSolve, map[string]string{"guess": board.Plain(), argAt: at})
	return [][]bot.Button{cards, append(enter, last...)}
}
