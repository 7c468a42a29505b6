package solve

import (
	"strings"
	"unicode/utf8"

	"fivefold/game/pokle"
)

// boardEntry is what a player typed about a puzzle of the poker game; what is empty
// was not typed.
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

// placesOfDeal is how many digits make a text a deal: fewer than its nine places, since a
// player may forget some.
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
	for i := 1; i < len(words) && !isDigits(words[i-1]); i++ {
		feedback := strings.Join(words[i:], " ")
		if _, err := pokle.ParseFeedback(feedback); err == nil {
			return boardEntry{guess: strings.Join(words[:i], " "), feedback: feedback}
		}
	}
	if cards > pokle.BoardCards || digits >= placesOfDeal {
		return boardEntry{deal: text}
	}
	return boardEntry{guess: strings.Join(words[:five], " "), feedback: strings.Join(words[five:], " ")}
}
