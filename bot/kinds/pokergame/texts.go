package pokergame

import (
	"errors"
	"fmt"
	"math"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// NotBoard says why a text is not five cards; err is the one of [pokle.ParseBoard].
func NotBoard(typed string, err error) bot.Line {
	var (
		card  *pokle.CardError
		twice *pokle.TwiceError
		count *pokle.CountError
	)
	switch {
	case errors.As(err, &card):
		return bot.Text(bot.Quote(typed), ": "+NotCard(card))
	case errors.As(err, &twice):
		return bot.Text(bot.Quote(typed), fmt.Sprintf(" has the %v twice. All cards of a board differ.", twice.Card))
	case errors.As(err, &count):
		return bot.Text(bot.Quote(typed), fmt.Sprintf(" has %s. A board has five: three of the flop, the turn and the river.", bot.Plural(count.Got, "card")))
	}
	return bot.Text(bot.Quote(typed), " is not a board. A board has five cards.")
}

// NotCard says what is wrong with a card.
func NotCard(err *pokle.CardError) string {
	if errors.Is(err, pokle.ErrRank) {
		return fmt.Sprintf("card %d has no rank that I know. Ranks are 2 to 10, J, Q, K and A, written before the suit.", err.Number)
	}
	return fmt.Sprintf("card %d has no suit that I know. Suits are C, D, H and S or ♣ ♦ ♥ ♠, written after the rank.", err.Number)
}

// BoardReason says why a board is suggested when so many guesses are left.
func BoardReason(s boards.Suggestion, left int) string {
	if s.Remaining == 1 {
		return "It is the only possible board."
	}
	if s.Proven && s.Guesses == 1 { // the boards that are left win alike
		return "It wins, whichever board is hidden."
	}
	late := ""
	if s.Remaining > left && left <= face.FewGuesses {
		late = fmt.Sprintf(" A board not found in time counts as %d guesses.", left+1)
	}
	average := bot.Figure(s.Guesses) + " more guesses on average"
	one := "%.1f"
	if s.Entropy > math.Log2(10) {
		one = "%.0f"
	}
	one = "It should leave about 1 board in " + fmt.Sprintf(one, math.Exp2(s.Entropy))
	switch {
	case s.Guesses > 0 && s.Proven:
		return "Best board, proven: " + average + "." + late
	case s.Guesses > 0:
		return "About " + average + "; not proven to be the best." + late
	case s.Proven:
		return one + "; no other possible board leaves fewer."
	}
	return one + "."
}

func explain(err error) (bot.Line, bool) {
	var held *pokle.HeldError
	switch {
	case errors.As(err, &held):
		return bot.Text(fmt.Sprintf("Player %d holds the %v, so it cannot be on the table.", held.Player, held.Card)), true
	case errors.Is(err, game.ErrNothingFits):
		return bot.Text("Under the current rules no board fits this game, so I can't suggest one."), true
	}
	return bot.Line{}, false
}
