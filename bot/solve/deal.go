package solve

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// typedDeal is a deal as a player typed it, in the four fields of a form: the hands of the players,
// and the places. So a refusal can name the player or the street, and what was typed is not lost.
type typedDeal [pokle.Players + 1]string

func (t typedDeal) places() string { return t[pokle.Players] }

// The fields, which are arguments that only the form and its buttons have.
var dealFields = []string{"one", "two", "three", "places"}

const (
	maxHand   = 20 // characters of a field: two cards take seven
	maxPlaces = 40
)

// Examples of what a player types: a deal that has boards, and a guess with its feedback
// whose cards nobody holds in it.
const (
	ExampleDeal = "QD QC 10H 2H 9H KH 213 132 213"
	ExampleStep = exampleBoard + " " + exampleFeedback

	exampleBoard    = "4C 4H QH AC JC"
	exampleFeedback = "gyeyg"
)

// slashStep names the command with [ExampleStep], of cards that can be guessed in a deal.
func slashStep(d pokle.Deal) bot.Span {
	return bot.Slash(pokergame.NameSolve, "guess", pokergame.Guessable(d, exampleBoard), "feedback", exampleFeedback)
}

func dealOf(d pokle.Deal) typedDeal {
	var t typedDeal
	for i, hole := range d.Holes {
		t[i] = hole.Plain()
	}
	places := bot.Each(d.Places[:], func(p pokle.Places) string { return strings.ReplaceAll(p.String(), " ", "") })
	t[pokle.Players] = strings.Join(places, " ")
	return t
}

// dealFrom returns what is in the fields of a form or button, and whether there are any.
func dealFrom(args map[string]string) (t typedDeal, ok bool) {
	for i, name := range dealFields {
		value, given := args[name]
		ok = ok || given
		t[i] = tidy(value)
	}
	return t, ok
}

// splitDeal finds the fields in a deal that was typed in one line: two cards for each
// player, then places. Extra cards go to the last player.
func splitDeal(text string) typedDeal {
	words := strings.Fields(tidy(text))
	var cards []string
	n := 0
	for ; n < len(words) && !isDigits(words[n]); n++ {
		found, err := pokle.ParseCards(words[n])
		switch {
		case err == nil:
			for _, c := range found {
				cards = append(cards, c.Plain())
			}
			continue
		case len(cards) < pokle.Players*pokle.HoleCards:
			cards = append(cards, words[n]) // a card with something wrong
			continue
		}
		break // places with something wrong
	}
	var t typedDeal
	for i := range pokle.Players {
		hand := min(pokle.HoleCards, len(cards))
		if i == pokle.Players-1 {
			hand = len(cards)
		}
		t[i] = strings.Join(cards[:hand], " ")
		cards = cards[hand:]
	}
	t[pokle.Players] = strings.Join(words[n:], " ")
	return t
}

// tidy returns what was typed as one line of letters and digits, with spaces for whatever separates the cards.
func tidy(text string) string {
	text = strings.NewReplacer(
		"♣", "C", "♧", "C", "♦", "D", "♢", "D", "♥", "H", "♡", "H", "♠", "S", "♤", "S",
		"\uFE0F", "", "\uFE0E", "", ",", " ", "/", " ", ";", " ", "|", " ", ":", " ",
	).Replace(marks.Squares(strings.ToValidUTF8(text, "�")))
	return strings.Join(strings.Fields(text), " ")
}

func isDigits(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// deal reads the fields. The error is a [bot.Refusal] that says what is wrong and lets the player correct it.
func (t typedDeal) deal() (pokle.Deal, error) {
	digits := []rune(strings.ReplaceAll(t.places(), " ", ""))
	var places [pokle.Streets]string
	for s := range places {
		n := min(pokle.Players, len(digits))
		if s == len(places)-1 {
			n = len(digits) // with all that are too many
		}
		places[s], digits = string(digits[:n]), digits[n:]
	}
	d, err := pokle.ParseDeal([pokle.Players]string(t[:]), places)
	if err == nil {
		return d, nil
	}
	var line bot.Line
	if hand, ok := errors.AsType[*pokle.HandError](err); ok {
		line = notHand(hand.Player, t[hand.Player-1], hand.Err)
	} else if street, ok := errors.AsType[*pokle.StreetError](err); ok {
		line = t.notPlaces(street.Street, places)
	} else if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		var players []string
		for i, hole := range d.Holes {
			if hole.Cards().Has(twice.Card) {
				players = append(players, fmt.Sprintf("player %d", i+1))
			}
		}
		line = bot.Text(fmt.Sprintf("The %v is there twice: %s have it. All cards differ; please check both.", twice.Card, strings.Join(players, " and ")))
	}
	return d, t.refuse(err, line)
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
	cards, _ := pokle.ParseCards(text) // no error: the cards can be read, but there are not two
	return bot.Text(fmt.Sprintf("Player %d has %s: ", player, bot.Plural(len(cards), "card")), bot.Quote(text), ". Each player holds two, such as ", bot.Bold("10H 2H"), ".")
}

// notPlaces says why the places cannot be read: a digit is wrong, there are not nine, or
// those on the street are not the places of three hands.
func (t typedDeal) notPlaces(street pokle.Street, places [pokle.Streets]string) bot.Line {
	const all = pokle.Streets * pokle.Players
	digits := []rune(strings.Join(places[:], ""))
	for i := range min(len(digits), all) {
		if r := digits[i]; r < '1' || r > '0'+pokle.Players {
			return bot.Text(fmt.Sprintf("The place of player %d on the %v is not 1, 2 or 3: ", i%pokle.Players+1, pokle.Street(i/pokle.Players)),
				bot.Quote(t.places()), ". "+ninePlaces, bot.Bold("213 132 213"), ".")
		}
	}
	switch len(digits) {
	case all:
		return bot.Text(fmt.Sprintf("%s on the %v cannot be the places of three players: equal hands share a place, and the next hand takes the next one, such as 1 1 2 or 1 2 2.",
			places[street], street))
	case 0:
		return bot.Text("There are no places yet. "+ninePlaces, bot.Bold("213 132 213"), ".")
	}
	return bot.Text(fmt.Sprintf("%s has %s. ", bot.Quote(t.places()), bot.Plural(len(digits), "place"))+ninePlaces, bot.Bold("213 132 213"), ".")
}

const ninePlaces = "There are nine: those of player 1, 2 and 3 on the flop, on the turn and on the river, such as "

// refuse is the error for a wrong deal. Its button brings back what was typed.
func (t typedDeal) refuse(cause error, line bot.Line) error {
	return bot.RefuseWith(cause, bot.Ephemeral(line).Row(t.button("Correct it", bot.ButtonPrimary)))
}

// String returns the deal in one line, as it can be typed.
func (t typedDeal) String() string { return strings.Join(t[:], " ") }

// button opens the form with this deal in its fields, as far as a button has room.
func (t typedDeal) button(label string, look bot.ButtonStyle) bot.Button {
	b := bot.Button{Label: label, Style: look, Command: pokergame.NameSolve, Args: map[string]string{"new": "true"}}
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

func (t typedDeal) form() *bot.Form {
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

func (t typedDeal) ask() bot.Reply {
	reply := bot.Ephemeral(
		bot.Text(bot.Bold("Help with a poker puzzle that you play elsewhere."),
			" I propose a board, you guess it there and enter the feedback it got, and so on. Only you see this."),
		bot.Text("Begin with the deal: two cards of player 1, 2 and 3, then their places on the flop, on the turn and on the river: ",
			bot.Slash(pokergame.NameSolve, "deal", ExampleDeal), "."),
		bot.Text("Cards are 2 to 10, J, Q, K and A with C ♣, D ♦, H ♥ or S ♠. 213 means that player 1 is second, player 2 first and player 3 third; ",
			"equal hands share a place, as in 112 or 122."))
	reply.Form = t.form()
	return reply.Row(t.button("Enter the deal", bot.ButtonPrimary))
}

// boardEntry is what a player typed about a puzzle of the poker game; what is empty was not typed.
type boardEntry struct {
	deal, guess, feedback string
}

// readEntry decides what is a board, what is its feedback and what is a deal. A single
// thing may be in any field, and feedback may follow their board in the same field.
func readEntry(args map[string]string) boardEntry {
	e := boardEntry{strings.TrimSpace(args["deal"]), strings.TrimSpace(args["guess"]), strings.TrimSpace(args["feedback"])}
	switch {
	case e.deal != "":
	case e.guess == "":
		return sortEntry(e.feedback)
	case e.feedback == "":
		if sorted := sortEntry(e.guess); sorted.feedback == "" || sorted.guess != "" {
			return sorted
		}
	}
	return e
}

// placesOfDeal is how many digits make a text a deal: fewer than its nine places, since a player may forget some.
const placesOfDeal = 6

// sortEntry decides whether a text is a deal, a board, feedback or a board with feedback.
// If something is wrong with it, it decides what the text resembles most.
func sortEntry(text string) boardEntry {
	words := strings.Fields(tidy(text))
	cards, digits := 0, 0
	five := min(pokle.BoardCards, len(words)) // the words that seem to be a board
	for i, word := range words {
		if isDigits(word) {
			digits += utf8.RuneCountInString(word)
			continue
		}
		before := cards
		found, _ := pokle.ParseCards(word) // none if it is not a card
		cards += len(found)
		if before < pokle.BoardCards && cards >= pokle.BoardCards {
			five = i + 1
		}
	}
	if cards == 0 && digits < placesOfDeal {
		return boardEntry{feedback: text}
	}
	for i := 1; i < len(words); i++ { // feedback comes last, or first, as in a copied board
		front, back := strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		if _, err := pokle.ParseFeedback(back); err == nil && !isDigits(words[i-1]) {
			return boardEntry{guess: front, feedback: back}
		}
		if _, err := pokle.ParseFeedback(front); err == nil && !isDigits(words[i]) {
			return boardEntry{guess: back, feedback: front}
		}
	}
	if cards > pokle.BoardCards || digits >= placesOfDeal {
		return boardEntry{deal: text}
	}
	return boardEntry{guess: strings.Join(words[:five], " "), feedback: strings.Join(words[five:], " ")}
}
