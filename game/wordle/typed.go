package wordle

import (
	"strings"

	"fivefold/game/marks"
)

// Typed is a guess and its feedback as a player typed them. Either may be missing.
type Typed struct{ Guess, Feedback string }

// SplitTurns tells guesses from feedback: "slate bbybb", "slate:bbybb" and, as a copied board has it, "⬛⬛🟨⬛⬛ SLATE" are the same.
// Feedback may come in pieces, as squares and colours do. A known word alone is a guess, even if its letters could be marks. If
// bare is set, a guess may lack feedback: words that cannot be read as feedback are then the next guess. Without bare, or after a
// colon, one such word is taken as feedback, to be refused.
func SplitTurns(text string, known func(Word) bool, bare bool) (turns []Typed) {
	words := strings.Fields(strings.ReplaceAll(marks.Squares(text), ":", " : "))
	take := func(n int) string {
		taken := strings.Join(words[:n], " ")
		words = words[n:]
		return taken
	}
	colon := func() bool {
		found := len(words) > 0 && words[0] == ":"
		if found {
			take(1)
		}
		return found
	}
	isKnown := func() bool {
		w, err := ParseWord(words[0])
		return err == nil && known(w)
	}
	for len(words) > 0 {
		var t Typed
		if n := feedbackAtFront(words); n > 1 || n == 1 && !isKnown() {
			t.Feedback = take(n)
			colon()
			ofNext := len(words) > 1 && words[1] == ":" // the word has feedback of its own
			if len(words) > 0 && !ofNext && (feedbackAtFront(words) == 0 || isKnown()) {
				t.Guess = take(1)
			}
		} else {
			t.Guess = take(1)
			wanted := colon() || !bare
			n := feedbackAtFront(words)
			switch {
			case n == 1 && !wanted && isKnown():
				n = 0
			case n == 0 && wanted:
				n = min(1, len(words))
			}
			t.Feedback = take(n)
		}
		turns = append(turns, t)
	}
	return turns
}

// feedbackAtFront returns how many of the first words are the feedback for a guess, or 0 if they are not feedback.
func feedbackAtFront(words []string) int {
	for n := range min(len(words), Length) {
		if _, err := ParseFeedback(strings.Join(words[:n+1], " ")); err == nil {
			return n + 1
		}
	}
	return 0
}
