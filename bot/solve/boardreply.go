package solve

import (
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/solve"
)

// showBoard draws a player's puzzle with no mark entered yet, or asks for a deal if
// there is none.
func showBoard(v solve.BoardView) bot.Reply { return boardReply(v, v.Puzzle.Next(), blank) }

// boardReply draws a player's puzzle of the poker game: the table, the guesses, what to
// try next and why, and how to go on. The buttons are for that board, with these marks.
// Without a deal it asks for one.
func boardReply(v solve.BoardView, board pokle.Board, shown marks.Feedback) bot.Reply {
	p := v.Puzzle
	if !p.Setup.HasDeal() {
		return typedDeal{}.ask()
	}
	lines := BoardLines(v)
	switch {
	case p.Status() != game.Playing:
		lines = append(lines, bot.Text("Begin the next one with ", slashNewDeal, ". A wrong mark? ", slashUndoBoard, " takes back the last guess."))
	case p.Next() == pokle.Board{}:
		lines = append(lines, bot.Text("Take back the last guess with ", slashUndoBoard, ", or begin with a new deal: ", slashNewDeal, "."))
	default:
		lines = append(lines, bot.Text("Then enter its feedback, card by card (g green, y yellow, e grey): ", bot.Slash(pokergame.NameSolve, "feedback", exampleFeedback), "."))
		if len(p.Turns) == 0 {
			lines = append(lines, bot.Text("Another board: ", slashStep(p.Setup.Deal), ". A new deal: ", slashNewDeal, "."))
		}
	}
	return bot.Reply{Lines: lines, Buttons: boardButtons(v, board, shown), InPlace: true}
}

// BoardLines is all of a puzzle of the poker game except how to go on with it.
func BoardLines(v solve.BoardView) []bot.Line {
	p := v.Puzzle
	deal := p.Setup.Deal
	lines := pokergame.PokerTableLines(picture.PokerTable{Deal: deal, Left: -1})
	for _, t := range p.Turns {
		lines = append(lines, pokergame.CardTiles(t).With(" "+cardMarks.write(t.Feedback)))
	}
	n := len(v.Left)
	switch {
	case p.Status() == game.Won:
		last := p.Turns[len(p.Turns)-1].Guess
		lines = append(lines, endLine(true, len(p.Turns)))
		return append(lines, pokergame.ShowdownLines(deal, last)...)
	case p.Status() == game.Lost:
		lines = append(lines, endLine(false, len(p.Turns)))
	case n == 0:
		return append(lines, bot.Text(bot.Bold("No board fits any more,"), " so something here must be wrong."))
	default:
		lines = append(lines, boardProposal(p)...)
	}
	if n > 1 || p.Status() == game.Lost {
		lines = append(lines, bot.Text(possibleBoards(v.Left)))
	}
	return lines
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
	texts := make([]string, len(left))
	for i, b := range left {
		texts[i] = b.String()
	}
	return are + ": " + strings.Join(texts, "; ") + "."
}

func boardProposal(p solve.BoardPuzzle) []bot.Line {
	if len(p.Proposed) == 0 {
		return nil // BoardLines says that no board fits
	}
	turn := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, pokle.Attempts)
	best := p.Proposed[0]
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
