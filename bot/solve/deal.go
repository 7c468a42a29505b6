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

// dealFields names the fields of the form, which are those of a [solve.TypedDeal]. A button has them in one argument.
var dealFields = []string{"one", "two", "three", "places"}

const argFields = "fields"

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

// fromForm returns the deal entered in the form. It reports false if the arguments are not those of a form.
func fromForm(args map[string]string) (t solve.TypedDeal, ok bool) {
	for i, name := range dealFields {
		value, given := args[name]
		ok = ok || given
		t[i] = solve.Tidy(value)
	}
	return t, ok
}

// readDeal reads a deal. The error is a [bot.Refusal] that says what is wrong and lets the player correct it.
func readDeal(t solve.TypedDeal) (pokle.Deal, error) {
	streets := t.Places()
	d, err := pokle.ParseDeal([pokle.Players]string(t[:]), streets)
	if err == nil {
		return d, nil
	}
	hand, inHand := errors.AsType[*pokle.HandError](err)
	street, inStreet := errors.AsType[*pokle.StreetError](err)
	var line bot.Line
	if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		line = bot.Text(fmt.Sprintf("The deal has the %v twice. Check the hands.", twice.Card))
	} else if card, ok := errors.AsType[*pokle.CardError](err); ok && inHand {
		line = bot.Text(fmt.Sprintf("Player %d holds ", hand.Player), bot.Quote(t[hand.Player-1]), ": "+pokergame.NotCard(card))
	} else if inHand {
		cards, _ := pokle.ParseCards(t[hand.Player-1]) // the cards can be read, but are not two
		line = bot.Text(fmt.Sprintf("Player %d has %s. Each player holds two, such as ", hand.Player, bot.Plural(len(cards), "card")), bot.Bold("10H 2H"), ".")
	} else if n := len([]rune(strings.Join(streets[:], ""))); n != pokle.Streets*pokle.Players {
		line = bot.Text("The deal has "+bot.Plural(n, "place")+". It needs nine: players 1, 2 and 3 on the flop, then the turn, then the river, such as ",
			bot.Bold("213 132 213"), ".")
	} else if inStreet {
		line = bot.Text(fmt.Sprintf("%s on the %v can't be the places of three players. Equal hands share a place, as in 112 or 122.",
			streets[street.Street], street.Street))
	}
	return d, refuseDeal(t, err, line)
}

// refuseDeal returns the refusal of a wrong deal. Its button brings back what was typed.
func refuseDeal(t solve.TypedDeal, cause error, line bot.Line) error {
	return bot.RefuseWith(cause, bot.Ephemeral(line).Row(dealButton(t, "Correct it", bot.ButtonPrimary)))
}

// dealButton opens the form with a deal in its fields, if a button has room for that.
func dealButton(t solve.TypedDeal, label string, style bot.ButtonStyle) bot.Button {
	b := bot.Button{Label: label, Style: style, Command: pokergame.NameSolve, Args: map[string]string{"new": "true", argFields: strings.Join(t[:], "/")}}
	if t == (solve.TypedDeal{}) || len(b.Query()) > bot.MaxButton {
		delete(b.Args, argFields)
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
		bot.Text("I propose a board, you guess it there and tell me the colours you got. Only you see this."),
		bot.Text("Begin with the deal: two cards each for players 1, 2 and 3, then their places on the flop, turn and river: ",
			bot.Slash(pokergame.NameSolve, "deal", ExampleDeal).On("Enter the deal"), "."),
		bot.Text("Cards are 2 to 10, J, Q, K and A with C ♣, D ♦, H ♥ or S ♠. 213 means that player 1 is second, player 2 first and player 3 third; ",
			"equal hands share a place, as in 112 or 122."))
	reply.Heading, reply.Form = bot.Text("Help with a poker puzzle"), dealForm(t)
	return reply.Row(dealButton(solve.TypedDeal{}, "Enter the deal", bot.ButtonPrimary))
}
