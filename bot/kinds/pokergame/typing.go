package pokergame

import (
	"fmt"
	"regexp"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game/pokle"
)

// What can be typed of five cards up to now, and of one of them.
var (
	typedCards = regexp.MustCompile(`(?i)^((10|[2-9tjqka])[cdhs]){0,4}(1|(10|[2-9tjqka])[cdhs]?)?$`)
	typedCard  = regexp.MustCompile(`(?i)(10?|[2-9tjqka])[cdhs]?`)
)

// typedTiles divides what was typed into cards. Whole ones are as wide as they will be with their
// mark.
func typedTiles(typed string) (tiles []string, whole bool) {
	whole = true
	for _, text := range typedCard.FindAllString(typed, -1) {
		cards, err := pokle.ParseCards(text)
		if whole = err == nil && len(cards) == 1; whole {
			text = fmt.Sprintf("%*s", bot.WideTile, cards[0])
		}
		tiles = append(tiles, strings.Replace(strings.ToUpper(text), "T", "10", 1))
	}
	return tiles, whole
}

// Begins returns with how many cards words begin.
func Begins(words []string) int {
	n := 0
	for _, word := range words {
		cards, err := pokle.ParseCards(word)
		if err != nil || len(cards) == 0 {
			break
		}
		n += len(cards)
	}
	return n
}

// hands are the cards that players hold, and their places on each street.
func hands(s State) face.Aside {
	d := s.Deal()
	all := face.Aside{First: true, Rows: [][]face.Part{{{Text: strings.Repeat(" ", 18) + "flop · turn · river"}}}}
	for i, hole := range d.Holes {
		row := []face.Part{{Text: fmt.Sprintf("%-9s", picture.PlayerName(i))}}
		for _, card := range hole {
			row = append(row, face.Part{Text: fmt.Sprintf("%*s", bot.WideTile, card), Ink: inkOf(card)}, face.Part{Text: " "})
		}
		var places []string
		for s := range pokle.Streets {
			places = append(places, fmt.Sprintf("%-4s", picture.Ordinals[d.Places[s][i]]))
		}
		all.Rows = append(all.Rows, append(row, face.Part{Text: " " + strings.TrimRight(strings.Join(places, " · "), " ")}))
	}
	return all
}
