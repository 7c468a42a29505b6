package main

import (
	"strings"

	"fivefold/game/wordle"
)

// typedTurn is a guess and its feedback as they were typed. There may be no feedback.
type typedTurn struct{ guess, feedback string }

// splitTurns tells guesses from feedback: "slate bbybb" and "slate:bbybb" are the same, and feedback
// may come in pieces, as squares and colours do. If guesses may be bare, the words after one
// are taken for its feedback only if they can be read as that.
func splitTurns(args []string, bare bool) []typedTurn {
	var words []string
	for _, arg := range args {
		words = append(words, strings.Fields(strings.ReplaceAll(arg, ":", " : "))...)
	}
	var turns []typedTurn
	for len(words) > 0 {
		t := typedTurn{guess: words[0]}
		words = words[1:]
		colon := len(words) > 0 && words[0] == ":"
		if colon {
			words = words[1:]
		}
		n := feedbackAtFront(words)
		if n == 0 && (colon || !bare) {
			n = min(1, len(words)) // one word, to be refused as feedback
		}
		t.feedback = strings.Join(words[:n], " ")
		words = words[n:]
		turns = append(turns, t)
	}
	return turns
}

// feedbackAtFront returns how many of the first words are the feedback for a guess, or 0 if they are
// no feedback.
func feedbackAtFront(words []string) int {
	for n := range min(len(words), wordle.Length) {
		if _, err := wordle.ParseFeedback(strings.Join(words[:n+1], " ")); err == nil {
			return n + 1
		}
	}
	return 0
}
