package play

import (
	"fivefold/bot"
	"fmt"
	"math"
	"strings"

	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// boardReply draws a player's puzzle of the poker game: the table, the guesses, what
// to try next and why, and how to go on. The buttons are for that board, with these
// marks. Without a deal it asks for one.
func boardReply(help game.BoardHelp, board pokle.Board, marks pokle.Feedback) bot.Reply {
	p := help.Puzzle
	if !p.HasDeal() {
		return typedDeal{}.ask()
	}
	lines := BoardLines(help)
	switch {
	case p.Status() != game.Playing:
		lines = append(lines, bot.Text("Begin the next one with ", bot.Slash(bot.NamePokleSolve+" new"), ". A wrong colour? ", bot.Slash(bot.NamePokleSolve+" undo"), " takes the last guess back."))
	case p.Next() == pokle.Board{}:
		lines = append(lines, bot.Text("Take the last guess back with ", bot.Slash(bot.NamePokleSolve+" undo"), ", or begin with a new deal: ", bot.Slash(bot.NamePokleSolve+" new"), "."))
	default:
		lines = append(lines, bot.Text("Then tell me its colours in the order of its cards, g for green, y for yellow, e for grey: ", bot.Slash(bot.NamePokleSolve+" gyeyg"), "."))
		if len(p.Steps) == 0 {
			lines = append(lines, bot.Text("Another board: ", bot.Slash(bot.NamePokleSolve+" 4C 4H QH AC JC gyeyg"), ". A new deal: ", bot.Slash(bot.NamePokleSolve+" new"), "."))
		}
	}
	return bot.Reply{Lines: lines, Buttons: boardButtons(help, board, marks), InPlace: true}
}

// BoardLines tells of a puzzle of the poker game all but how to go on with it.
func BoardLines(help game.BoardHelp) []bot.Line {
	p := help.Puzzle
	lines := tableLines(picture.Table{Deal: p.Deal, Left: -1})
	for _, s := range p.Steps {
		row := face.CardTiles(pokle.Guessed{Board: s.Guess, Feedback: s.Feedback})
		row = row.With(" " + pokle.Colours(s.Feedback))
		lines = append(lines, row)
	}
	n := len(help.Left.Boards)
	switch {
	case p.Status() == game.Won:
		last := p.Steps[len(p.Steps)-1].Guess
		lines = append(lines, bot.Text(bot.Bold(fmt.Sprintf("Solved in %d of %d. Well done!", len(p.Steps), pokle.Attempts))))
		return append(lines, showdownLines(p.Deal, last)...)
	case p.Status() == game.Lost:
		lines = append(lines, bot.Text(bot.Bold("Six guesses, and not found. Better luck next time!")))
	case n == 0:
		return append(lines, bot.Text(bot.Bold("No board fits any more,"), " so something here must be wrong."))
	default:
		lines = append(lines, boardProposal(p)...)
	}
	if n > 1 || p.Status() == game.Lost {
		lines = append(lines, bot.Text(possibleBoards(help.Left.Boards)))
	}
	if help.Left.Loose {
		lines = append(lines, bot.Text("No board has a use for each of its cards with this deal, as the rules want it; perhaps it is mistyped. I go on with those that lead to its places."))
	}
	return lines
}

// fewBoards is how many possible boards are listed at most.
const fewBoards = 5

// possibleBoards tells how many boards are possible or, of few, which.
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

// boardProposal tells which board to guess next, and why.
func boardProposal(p game.BoardPuzzle) []bot.Line {
	turn := fmt.Sprintf("Guess %d of %d: ", len(p.Steps)+1, pokle.Attempts)
	switch {
	case p.Proposal == nil:
		return nil // the player learns that no board fits
	case p.Chosen != pokle.Board{} && p.Chosen.Compare(p.Proposal.Board) != 0:
		return []bot.Line{bot.Text(turn, bot.Bold(p.Chosen.String()), ", your own choice. I would try ", bot.Bold(p.Proposal.Board.String()), ".")}
	}
	return []bot.Line{
		bot.Text(turn, "try ", bot.Bold(p.Next().String()), "."), // the player's order of the flop, where there is one
		bot.Text(boardReason(*p.Proposal, pokle.Attempts-len(p.Steps))),
	}
}

// boardReason tells why a board is proposed, when so many guesses are left.
func boardReason(s boards.Suggestion, left int) string {
	if s.Remaining == 1 {
		return "It is the only board that is possible."
	}
	late := ""
	if s.Remaining > left && left <= fewGuesses {
		late = " A board not found in time counts there as one guess more than there are."
	}
	switch {
	case s.Guesses > 0 && s.Proven:
		return fmt.Sprintf("It is proven best: from here it takes %.2f guesses on average.", s.Guesses) + late
	case s.Guesses > 0:
		return fmt.Sprintf("With it, %.2f guesses are expected from here; that none is better is not proven.", s.Guesses) + late
	}
	stays := fmt.Sprintf("%.1f", math.Exp2(s.Entropy))
	if s.Entropy > math.Log2(10) {
		stays = fmt.Sprintf("%.0f", math.Exp2(s.Entropy))
	}
	told := fmt.Sprintf("Its colours tell %.2f bits on average: as much as leaving 1 board of %s.", s.Entropy, stays)
	if s.Proven {
		return told + " No other possible board tells more."
	}
	return told + " That none is better is not proven."
}
