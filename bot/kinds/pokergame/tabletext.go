package pokergame

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/picture"
	"fivefold/game/pokle"
)

// PokerTableLines returns as text what a picture of the table shows, for fronts without
// pictures and for players who prefer text. The deal must be valid.
func PokerTableLines(t picture.PokerTable) (lines []bot.Line) {
	for i, hole := range t.Deal.Holes {
		line, before := bot.Text(picture.PlayerName(i)+" ", bot.Bold(hole.String())), ": "
		for s, places := range t.Deal.Places {
			line = line.With(before+pokle.Street(s).String()+" ", bot.Emoji(picture.Medals[places[i]]+" "), picture.Ordinals[places[i]])
			before = ", "
		}
		lines = append(lines, line)
	}
	for _, g := range t.Guesses {
		lines = append(lines, CardTiles(g))
	}
	if t.Hidden != nil {
		lines = append(lines, bot.Text("The board: ", bot.Bold(picture.BoardWords(*t.Hidden)), "."))
		if t.WonAlike() {
			lines = append(lines, bot.Text(picture.Alike))
		}
		return lines
	}
	possible, left := t.Possible(), t.AttemptsLeft()
	switch {
	case possible != "" && left != "":
		lines = append(lines, bot.Text(possible+" ", bot.Bold(left)))
	case possible != "":
		lines = append(lines, bot.Text(possible))
	case left != "":
		lines = append(lines, bot.Text(bot.Bold(left)))
	}
	return lines
}

// ShowdownLines says street by street who was ahead, and with which hand, on this
// board. No player may hold a card of it.
func ShowdownLines(d pokle.Deal, b pokle.Board) (lines []bot.Line) {
	for s := range pokle.Street(pokle.Streets) {
		dealt := b[:pokle.Flop.Cards()]
		if s > pokle.Flop {
			dealt = b[s.Cards()-1 : s.Cards()]
		}
		var cards []string
		for _, c := range dealt {
			cards = append(cards, c.String())
		}
		lines = append(lines, bot.Text(bot.Bold(picture.StreetName(s)+" "+strings.Join(cards, " ")), ": "+ranking(d.Hands(b.Cards(s)))+"."))
	}
	return lines
}

// ranking says who has which place with which hand, best first, such as "1. player 2,
// pair of tens; 2. player 1 and player 3, high card ace".
func ranking(hands [pokle.Players]pokle.Cards) string {
	var worth [pokle.Players]pokle.Strength
	for i, hand := range hands {
		worth[i], _ = hand.Evaluate()
	}
	places := pokle.PlacesOf(worth)
	var parts []string
	for place := uint8(1); place <= pokle.Players; place++ {
		var names []string
		hand := ""
		for i := range worth {
			if places[i] == place {
				names = append(names, strings.ToLower(picture.PlayerName(i)))
				hand = handWords(worth[i], worth[:])
			}
		}
		if len(names) > 0 {
			who := strings.Join(names, " and ")
			if len(names) == pokle.Players {
				who = "all players"
			}
			parts = append(parts, fmt.Sprintf("%d. %s, %s", place, who, hand))
		}
	}
	return strings.Join(parts, "; ")
}

// handWords names a hand, with its kickers if another hand has the same name and only
// they decide.
func handWords(hand pokle.Strength, all []pokle.Strength) string {
	words := hand.Describe()
	if !slices.ContainsFunc(all, func(o pokle.Strength) bool { return o != hand && o.Describe() == words }) {
		return words
	}
	var kickers []string
	for _, r := range hand.Kickers() {
		kickers = append(kickers, r.String())
	}
	return words + ", then " + strings.Join(kickers, " ")
}
