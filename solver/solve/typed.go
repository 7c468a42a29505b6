package solve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// SplitTurn tells a guess from its feedback. A player may type both into either field, in either order: "crane
// bbygb". Feedback alone may be in the field of the guess, even with a mistake. A single known word is always a
// guess.
func SplitTurn(guess, feedback string, known func(wordle.Word) bool) wordle.Typed {
	typed := wordle.Typed{Guess: strings.TrimSpace(guess), Feedback: strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(feedback), ":"))}
	turns := wordle.SplitTurns(typed.Guess+" "+typed.Feedback, known, false)
	if len(turns) != 1 || typed.Guess == "" && turns[0].Feedback == "" {
		return typed
	}
	t := turns[0]
	if w, err := wordle.ParseWord(t.Guess); t.Feedback == "" && (err != nil || !known(w)) && resemblesFeedback(t.Guess) {
		return wordle.Typed{Feedback: t.Guess}
	}
	return t
}

// SplitBoards tells a guess from the feedback of several boards, each of which may come in pieces. All may be in either field, in
// either order.
func SplitBoards(guess, feedback string, known func(wordle.Word) bool) (word string, all []string) {
	for _, t := range wordle.SplitTurns(strings.ReplaceAll(guess+" "+feedback, ",", " "), known, false) {
		if w, err := wordle.ParseWord(t.Guess); word == "" && (err == nil && known(w) || !resemblesFeedback(t.Guess)) {
			word, t.Guess = t.Guess, ""
		}
		all = append(all, t.Guess, t.Feedback)
	}
	return word, slices.DeleteFunc(all, func(text string) bool { return text == "" })
}

// resemblesFeedback reports whether at most one character of a text is not b, y or g. An empty text does not resemble
// feedback.
func resemblesFeedback(text string) bool {
	rest := strings.Map(func(r rune) rune {
		if strings.ContainsRune("byg", unicode.ToLower(r)) {
			return -1
		}
		return r
	}, text)
	return text != "" && utf8.RuneCountInString(rest) <= 1
}

// TypedCards is what a player typed about a puzzle of the poker game. Empty fields were not typed.
type TypedCards struct{ Deal, Guess, Feedback string }

// SplitCards tells a deal, a guess and its feedback apart. A player may type one of them into any field, or a guess
// and its feedback into one field, in either order.
func SplitCards(deal, guess, feedback string) TypedCards {
	typed := TypedCards{strings.TrimSpace(deal), strings.TrimSpace(guess), strings.TrimSpace(feedback)}
	switch {
	case typed.Deal != "":
	case typed.Guess == "":
		return sortCards(typed.Feedback)
	case typed.Feedback == "":
		if sorted := sortCards(typed.Guess); sorted.Feedback == "" || sorted.Guess != "" {
			return sorted
		}
	}
	return typed
}

// placesOfDeal is how many digits make a text a deal. A deal has nine places, but a player may forget some.
const placesOfDeal = 6

// sortCards puts a text into the field that it resembles most.
func sortCards(text string) TypedCards {
	words := strings.Fields(Tidy(text))
	cards, digits := 0, 0
	for _, word := range words {
		if isDigits(word) {
			digits += utf8.RuneCountInString(word)
			continue
		}
		found, _ := pokle.ParseCards(word) // an error means no card
		cards += len(found)
	}
	switch {
	case cards > pokle.BoardCards || digits >= placesOfDeal:
		return TypedCards{Deal: text}
	case cards == 0:
		return TypedCards{Feedback: text}
	}
	for i := 1; i < len(words); i++ { // feedback comes last, or first, as in a copied board
		front, back := strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		if _, err := pokle.ParseFeedback(back); err == nil {
			return TypedCards{Guess: front, Feedback: back}
		}
		if _, err := pokle.ParseFeedback(front); err == nil {
			return TypedCards{Guess: back, Feedback: front}
		}
	}
	five := min(pokle.BoardCards, len(words))
	return TypedCards{Guess: strings.Join(words[:five], " "), Feedback: strings.Join(words[five:], " ")}
}

// TypedDeal is a deal as a player typed it: the hands of the players, then the places.
type TypedDeal [pokle.Players + 1]string

// SplitDeal finds the fields of a deal that was typed in one line: two cards for each player, then places. Extra
// cards go to the last player. If the text has three slashes, they separate the fields, whatever is in them.
func SplitDeal(text string) (t TypedDeal) {
	if fields := strings.Split(text, "/"); len(fields) == len(t) {
		for i, field := range fields {
			t[i] = Tidy(field)
		}
		return t
	}
	words := strings.Fields(Tidy(text))
	var cards []string
	for len(words) > 0 && !isDigits(words[0]) {
		found, err := pokle.ParseCards(words[0])
		if err != nil && len(cards) >= pokle.Players*pokle.HoleCards {
			break // places with a mistake
		}
		if err != nil {
			cards = append(cards, words[0]) // a card with a mistake
		} else {
			for _, c := range found {
				cards = append(cards, c.Plain())
			}
		}
		words = words[1:]
	}
	for i := range pokle.Players {
		n := min(pokle.HoleCards, len(cards))
		if i == pokle.Players-1 {
			n = len(cards)
		}
		t[i], cards = strings.Join(cards[:n], " "), cards[n:]
	}
	t[pokle.Players] = strings.Join(words, " ")
	return t
}

// WriteDeal returns a deal as it can be typed.
func WriteDeal(d pokle.Deal) (t TypedDeal) {
	for i, hole := range d.Holes {
		t[i] = hole.Plain()
	}
	var places []string
	for _, p := range d.Places {
		places = append(places, strings.ReplaceAll(p.String(), " ", ""))
	}
	t[pokle.Players] = strings.Join(places, " ")
	return t
}

// String returns the deal in one line, from which [SplitDeal] finds the same fields.
func (t TypedDeal) String() string { return strings.Join(t[:], " / ") }

// Places returns the places on each street. If there are too many, the river gets the rest.
func (t TypedDeal) Places() (streets [pokle.Streets]string) {
	digits := []rune(strings.ReplaceAll(t[pokle.Players], " ", ""))
	for s := range streets {
		n := min(pokle.Players, len(digits))
		if s == len(streets)-1 {
			n = len(digits)
		}
		streets[s], digits = string(digits[:n]), digits[n:]
	}
	return streets
}

// tidier turns the signs of suits into letters, and signs between cards into spaces.
var tidier = strings.NewReplacer(
	"♣", "C", "♧", "C", "♦", "D", "♢", "D", "♥", "H", "♡", "H", "♠", "S", "♤", "S",
	"\uFE0F", "", "\uFE0E", "", ",", " ", "/", " ", ";", " ", "|", " ", ":", " ",
)

// Tidy returns a text about cards as letters and digits with single spaces.
func Tidy(text string) string {
	return strings.Join(strings.Fields(tidier.Replace(marks.Squares(strings.ToValidUTF8(text, "�")))), " ")
}

func isDigits(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}
