package solve

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game/pokle"
	"fivefold/solver/solve"
)

// dealFields names the arguments that only the form and its buttons have: the fields of a [solve.TypedDeal].
var dealFields = []string{"one", "two", "three", "places"}

const (
	maxHand   = 20 // characters of a field: two cards take seven
	maxPlaces = 40
)

// Examples of a deal, and of a guess with its feedback that is possible in it.
const (
	ExampleDeal = "QD QC 10H 2H 9H KH 213 132 213"
	ExampleStep = exampleBoard + " " + exampleFeedback

	exampleBoard    = "4C 4H QH AC JC"
	exampleFeedback = "gyeyg"
)

// slashStep names the command with a guess that is possible in a deal.
func slashStep(d pokle.Deal) bot.Span {
	return bot.Slash(pokergame.NameSolve, "guess", pokergame.Guessable(d, exampleBoard), "feedback", exampleFeedback)
}

// dealFrom returns what is in the fields of a form or button, and whether there are any.
func dealFrom(args map[string]string) (t solve.TypedDeal, ok bool) {
	for i, name := range dealFields {
		value, given := args[name]
		ok = ok || given
		t[i] = solve.Tidy(value)
	}
	return t, ok
}

// readDeal reads a deal. The error is a [bot.Refusal] that says what is wrong and lets the player correct it.
func readDeal(t solve.TypedDeal) (pokle.Deal, error) {
	d, err := t.Parse()
	if err == nil {
		return d, nil
	}
	var line bot.Line
	if hand, ok := errors.AsType[*pokle.HandError](err); ok {
		line = notHand(hand.Player, t[hand.Player-1], hand.Err)
	} else if street, ok := errors.AsType[*pokle.StreetError](err); ok {
		line = notPlaces(t, street.Street)
	} else if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		var players []string
		for i, hole := range d.Holes {
			if hole.Cards().Has(twice.Card) {
				players = append(players, fmt.Sprintf("player %d", i+1))
			}
		}
		line = bot.Text(fmt.Sprintf("The %v is there twice: %s have it. All cards differ; please check both.", twice.Card, strings.Join(players, " and ")))
	}
	return d, refuseDeal(t, err, line)
}

func notHand(player int, text string, err error) bot.Line {
	if text == "" {
		return bot.Text(fmt.Sprintf("Player %d has no cards yet. Each player holds two, such as ", player), bot.Bold("10H 2H"), ".")
	}
	if card, ok := errors.AsType[*pokle.CardError](err); ok {
		return bot.Text(fmt.Sprintf("Player %d holds ", player), bot.Quote(text), ": "+pokergame.NotCard(card))
	}
	if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		return bot.Text(fmt.Sprintf("Player %d has the %v twice. All cards differ; please check both.", player, twice.Card))
	}
	cards, _ := pokle.ParseCards(text) // which can be read, but are not two
	return bot.Text(fmt.Sprintf("Player %d has %s: ", player, bot.Plural(len(cards), "card")), bot.Quote(text), ". Each player holds two, such as ", bot.Bold("10H 2H"), ".")
}

// notPlaces says what is wrong with the places: a digit, their number, or those on a street.
func notPlaces(t solve.TypedDeal, street pokle.Street) bot.Line {
	const all = pokle.Streets * pokle.Players
	streets, typed := t.Places(), t[pokle.Players]
	digits := []rune(strings.Join(streets[:], ""))
	for i := range min(len(digits), all) {
		if r := digits[i]; r < '1' || r > '0'+pokle.Players {
			return bot.Text(fmt.Sprintf("The place of player %d on the %v is not 1, 2 or 3: ", i%pokle.Players+1, pokle.Street(i/pokle.Players)),
				bot.Quote(typed), ". "+ninePlaces, bot.Bold("213 132 213"), ".")
		}
	}
	switch len(digits) {
	case all:
		return bot.Text(fmt.Sprintf("%s on the %v cannot be the places of three players: equal hands share a place, and the next hand takes the next one, such as 1 1 2 or 1 2 2.",
			streets[street], street))
	case 0:
		return bot.Text("There are no places yet. "+ninePlaces, bot.Bold("213 132 213"), ".")
	}
	return bot.Text(fmt.Sprintf("%s has %s. ", bot.Quote(typed), bot.Plural(len(digits), "place"))+ninePlaces, bot.Bold("213 132 213"), ".")
}

const ninePlaces = "There are nine: those of player 1, 2 and 3 on the flop, on the turn and on the river, such as "

// refuseDeal returns the refusal of a wrong deal. Its button brings back what was typed.
func refuseDeal(t solve.TypedDeal, cause error, line bot.Line) error {
	return bot.RefuseWith(cause, bot.Ephemeral(line).Row(dealButton(t, "Correct it", bot.ButtonPrimary)))
}

// dealButton opens the form with a deal in its fields, as far as a button has room.
func dealButton(t solve.TypedDeal, label string, style bot.ButtonStyle) bot.Button {
	b := bot.Button{Label: label, Style: style, Command: pokergame.NameSolve, Args: map[string]string{"new": "true"}}
	for i, name := range dealFields {
		value := t[i]
		if value == "" {
			continue
		}
		b.Args[name] = value
		if b.Size() > bot.MaxButton {
			delete(b.Args, name)
		}
	}
	return b
}

func dealForm(t solve.TypedDeal) *bot.Form {
	f := &bot.Form{Title: "The deal of your puzzle", Command: pokergame.NameSolve}
	for i, name := range dealFields {
		field := bot.Field{Name: name, Label: fmt.Sprintf("Player %d", i+1), Help: "two cards, such as 10H 2H", Required: true, Max: maxHand}
		if i == pokle.Players {
			field.Label, field.Max = "Places", maxPlaces
			field.Help = "2 1 3, 1 3 2, 2 1 3: player 1, 2 and 3 on flop, turn, river; ties share a place"
		}
		if value := []rune(t[i]); len(value) <= field.Max {
			field.Value = string(value)
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

// askForDeal explains what a deal is and opens the form with one in its fields.
func askForDeal(t solve.TypedDeal) bot.Reply {
	reply := bot.Ephemeral(
		bot.Text(bot.Bold("Help with a poker puzzle that you play elsewhere."),
			" I propose a board, you guess it there and enter the feedback it got, and so on. Only you see this."),
		bot.Text("Begin with the deal: two cards of player 1, 2 and 3, then their places on the flop, on the turn and on the river: ",
			bot.Slash(pokergame.NameSolve, "deal", ExampleDeal), "."),
		bot.Text("Cards are 2 to 10, J, Q, K and A with C ♣, D ♦, H ♥ or S ♠. 213 means that player 1 is second, player 2 first and player 3 third; ",
			"equal hands share a place, as in 112 or 122."))
	reply.Form = dealForm(t)
	return reply.Row(dealButton(t, "Enter the deal", bot.ButtonPrimary))
}
