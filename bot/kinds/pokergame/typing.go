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

// Patterns of five cards and of one card, complete or not.
var (
	typedCards = regexp.MustCompile(`(?i)^((10|[2-9tjqka])[cdhs]){0,4}(1|(10|[2-9tjqka])[cdhs]?)?$`)
	typedCard  = regexp.MustCompile(`(?i)(10?|[2-9tjqka])[cdhs]?`)
)

// Tiles divides typed text into cards. A whole card is as wide as it will be with its mark.
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

// Aside lists the players' hands and their places on each street.
func (*Game) Aside(state game.State) []bot.Block {
	s, ok := state.(pokle.State)
	if !ok {
		return nil
	}
	d := s.Deal()
	lines := []bot.Line{bot.Text("hands      flop  turn  river")}
	for i, hole := range d.Holes {
		var line bot.Line
		for _, card := range hole {
			line.Tiles = append(line.Tiles, bot.Tile{Text: card.String(), Ink: inkOf(card)})
		}
		for _, places := range d.Places {
			line = line.With("   " + picture.Medals[int(places[i])].Words)
		}
		lines = append(lines, line)
	}
	return bot.Lines(lines...)
}

// Complete proposes the next card: its ranks, then its suits, in order. It leaves out typed cards and the players'
// cards, since no board has them. It gives no other clue about the table.
func (*Game) Complete(current func() game.State, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimLeft(typed, " "))
	done, part := typed, ""
	cards, err := pokle.ParseCards(done)
	unfinished := err
	if err != nil { // the last card is incomplete
		at := strings.LastIndexAny(strings.TrimRight(typed, " "), " ,") + 1
		done, part = typed[:at], strings.TrimRight(typed[at:], " ")
		cards, err = pokle.ParseCards(done)
	}
	comment := func(format string, args ...any) []bot.Choice {
		value := string([]rune(typed)[:min(40, len([]rune(typed)))]) // a choice has at most 100 characters with the comment
		return []bot.Choice{{Name: value + " — " + fmt.Sprintf(format, args...), Value: value}}
	}
	var taken pokle.Cards // cards that can't follow
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
	done = "" // written again without extra spaces, to keep choices short
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

// fault says in a few words what is wrong with typed cards. A card error's own number replaces the given one.
func fault(number int, err error) string {
	if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		return fmt.Sprintf("%v twice", twice.Card)
	}
	if card, ok := errors.AsType[*pokle.CardError](err); ok {
		number = card.Number
	}
	return fmt.Sprintf("card %d isn't a card; write 10h for the ten of hearts", number)
}
