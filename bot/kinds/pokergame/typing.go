package pokergame

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
)

// What can be typed of five cards up to now, and of one of them.
var (
	typedCards = regexp.MustCompile(`(?i)^((10|[2-9tjqka])[cdhs]){0,4}(1|(10|[2-9tjqka])[cdhs]?)?$`)
	typedCard  = regexp.MustCompile(`(?i)(10?|[2-9tjqka])[cdhs]?`)
)

// Tiles divides what was typed into cards. Whole ones are as wide as they will be with their mark.
func (*Game) Tiles(typed string) face.TypedTiles {
	tiles := face.TypedTiles{Whole: true, Fits: typedCards.MatchString(typed)}
	for _, text := range typedCard.FindAllString(typed, -1) {
		cards, err := pokle.ParseCards(text)
		if tiles.Whole = err == nil && len(cards) == 1; tiles.Whole {
			text = fmt.Sprintf("%*s", bot.WideTile, cards[0])
		}
		tiles.Texts = append(tiles.Texts, strings.Replace(strings.ToUpper(text), "T", "10", 1))
	}
	return tiles
}

// SidePanel is the players' hands.
func (*Game) SidePanel(s game.State) face.SidePanel {
	d := s.(pokle.State).Deal()
	all := face.SidePanel{First: true, Rows: [][]face.SidePart{{{Text: strings.Repeat(" ", 18) + "flop · turn · river"}}}}
	for i, hole := range d.Holes {
		row := []face.SidePart{{Text: fmt.Sprintf("%-9s", picture.PlayerName(i))}}
		for _, card := range hole {
			row = append(row, face.SidePart{Text: fmt.Sprintf("%*s", bot.WideTile, card), Ink: inkOf(card)}, face.SidePart{Text: " "})
		}
		places := bot.Each(d.Places[:], func(p pokle.Places) string { return fmt.Sprintf("%-4s", picture.Ordinals[p[i]]) })
		all.Rows = append(all.Rows, append(row, face.SidePart{Text: " " + strings.TrimRight(strings.Join(places, " · "), " ")}))
	}
	return all
}

// Complete helps to type the cards of a guess: the ranks and then the suits of the next
// card, in their order. It leaves out cards that were typed before or that players of the game
// hold, since no board has them; about what can be on the table it says nothing.
func (*Game) Complete(current func() game.State, typed string) []bot.Choice {
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
	if s, ok := current().(pokle.State); ok {
		for _, hole := range s.Deal().Holes {
			taken |= hole.Cards()
		}
	}
	switch {
	case err != nil:
		return comment("%s", fault(1, err))
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
	done = "" // the cards are written out again: with all that was typed between them, choices could be too long
	for _, c := range cards {
		taken = taken.Add(c)
		done += strings.ToLower(c.Plain()) + " "
	}
	var choices []bot.Choice
	add := func(name, value string) {
		choices = append(choices, bot.Choice{Name: done + name, Value: done + value})
	}
	for rank := pokle.Two; rank <= pokle.Ace; rank++ {
		var suits []string
		for suit := pokle.Clubs; suit <= pokle.Spades; suit++ {
			c := pokle.NewCard(rank, suit)
			plain := strings.ToLower(c.Plain())
			switch ten := strings.Replace(plain, "10", "t", 1); {
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
	if choices == nil {
		return comment("%s", fault(len(cards)+1, unfinished))
	}
	return choices
}

// fault says in a few words what is wrong with cards, of which this one cannot be read.
func fault(number int, err error) string {
	if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		return fmt.Sprintf("%v twice", twice.Card)
	}
	if card, ok := errors.AsType[*pokle.CardError](err); ok {
		number = card.Number
	}
	return fmt.Sprintf("card %d is not a card; write 10h for the ten of hearts", number)
}
