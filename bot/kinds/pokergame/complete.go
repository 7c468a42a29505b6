package pokergame

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/pokle"
)

// completeGuess helps to type the cards of a guess: the ranks and then the suits of the next
// card, in their order. It leaves out cards that were typed before or that players of the game
// hold, since no board has them; about what can be on the table it says nothing.
func completeGuess(current func() game.State, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimLeft(typed, " "))
	done, part := typed, ""
	cards, err := pokle.ParseCards(done)
	unfinished := err
	if err != nil { // the last card is being typed
		at := strings.LastIndexAny(strings.TrimRight(typed, " "), " ,") + 1
		done, part = typed[:at], strings.TrimRight(typed[at:], " ")
		cards, err = pokle.ParseCards(done)
	}
	comment := func(format string, args ...any) []bot.Choice {
		value := string([]rune(typed)[:min(40, len([]rune(typed)))]) // a choice has at most 100 characters
		return []bot.Choice{{Name: value + " — " + fmt.Sprintf(format, args...), Value: value}}
	}
	var taken pokle.Cards // which cannot follow
	if s, ok := current().(State); ok {
		for _, hole := range s.Deal().Holes {
			taken |= hole.Cards()
		}
	}
	switch {
	case err != nil:
		return comment("%s", completionFault(err))
	case len(cards) > pokle.BoardCards:
		return comment("a board has five cards")
	}
	for _, c := range cards {
		if taken.Has(c) {
			return comment("a player holds the %v", c)
		}
	}
	if len(cards) == pokle.BoardCards {
		board := pokle.Board(cards)
		return comment("flop %v %v %v, turn %v, river %v", board[0], board[1], board[2], board[3], board[4])
	}
	done = "" // written anew: with whatever was typed between cards, choices could be too long
	for _, c := range cards {
		taken = taken.Add(c)
		done += strings.ToLower(c.Plain()) + " "
	}
	var choices []bot.Choice
	held := pokle.Card(pokle.Deck) // one that was typed in full but is taken
	add := func(name, value string) {
		choices = append(choices, bot.Choice{Name: done + name, Value: done + value})
	}
	for rank := pokle.Two; rank <= pokle.Ace; rank++ {
		var suits []string
		for suit := pokle.Clubs; suit <= pokle.Spades; suit++ {
			c := pokle.NewCard(rank, suit)
			plain := strings.ToLower(c.Plain())
			switch ten := strings.Replace(plain, "10", "t", 1); {
			case taken.Has(c) && (part == plain || part == ten):
				held = c
			case taken.Has(c):
			case part == "":
				suits = append(suits, c.String())
			case strings.HasPrefix(plain, part) || strings.HasPrefix(ten, part):
				add(c.String(), plain)
			}
		}
		if len(suits) > 0 {
			add(strings.ToLower(rank.String())+" — "+strings.Join(suits, " "), strings.ToLower(rank.String()))
		}
	}
	switch {
	case len(choices) > 0:
		return choices
	case unfinished != nil && errors.As(unfinished, new(*pokle.TwiceError)):
		return comment("%s", completionFault(unfinished))
	case held < pokle.Deck:
		return comment("a player holds the %v", held)
	}
	return comment("%s", completionFault(&pokle.CardError{Number: len(cards) + 1, Err: pokle.ErrRank}))
}

func completionFault(err error) string {
	var (
		card  *pokle.CardError
		twice *pokle.TwiceError
	)
	switch {
	case errors.As(err, &twice):
		return fmt.Sprintf("%v twice", twice.Card)
	case errors.As(err, &card):
		return fmt.Sprintf("card %d is not a card; write 10h for the ten of hearts", card.Number)
	}
	return "not cards"
}
