package cli

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver"
)

// ReadWord is [wordle.ParseWord] with an error that has the text.
func ReadWord(text string) (wordle.Word, error) {
	w, err := wordle.ParseWord(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return w, nil
}

// ReadFeedback is [wordle.ParseFeedback] with an error that has the text.
func ReadFeedback(text string) (wordle.Feedback, error) {
	f, err := wordle.ParseFeedback(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return f, nil
}

// TypedTurn is a guess and its feedback as they were typed. There may be no feedback.
type TypedTurn struct{ Guess, Feedback string }

// SplitTurns tells guesses from feedback: "slate bbybb" and "slate:bbybb" are the same, and feedback
// may come in pieces, as squares and colours do. If guesses may be bare, the words after one
// are taken for its feedback only if they can be read as that.
func SplitTurns(args []string, bare bool) []TypedTurn {
	var words []string
	for _, arg := range args {
		words = append(words, strings.Fields(strings.ReplaceAll(arg, ":", " : "))...)
	}
	var turns []TypedTurn
	for len(words) > 0 {
		t := TypedTurn{Guess: words[0]}
		words = words[1:]
		colon := len(words) > 0 && words[0] == ":"
		if colon {
			words = words[1:]
		}
		n := feedbackAtFront(words)
		if n == 0 && (colon || !bare) {
			n = min(1, len(words)) // one word, to be refused as feedback
		}
		t.Feedback = strings.Join(words[:n], " ")
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

// ParseTurns reads guesses and as many feedbacks. None of them may be all green, since the game
// must go on. The error is a sentence.
func ParseTurns(guesses, feedback []string) ([]wordle.Turn, error) {
	var turns []wordle.Turn
	for i := range guesses {
		guess, err := ReadWord(guesses[i])
		if err != nil {
			return nil, fmt.Errorf("guess %d: %w", i+1, err)
		}
		f, err := ReadFeedback(feedback[i])
		if err != nil {
			return nil, fmt.Errorf("guess %d: %w", i+1, err)
		}
		if f == wordle.AllGreen {
			return nil, fmt.Errorf("guess %d was right: there is nothing left to find", i+1)
		}
		turns = append(turns, wordle.Turn{Guess: guess, Feedback: f})
	}
	return turns, nil
}

// ExplainSolver returns the error in a sentence that says what to do.
func ExplainSolver(err error) error {
	switch {
	case errors.Is(err, solver.ErrNothingFits):
		return errors.New("no word of the lists fits this feedback; check it, or use other lists")
	case errors.Is(err, solver.ErrNothingAllowed):
		return errors.New("hard mode leaves no word of the lists to guess; check the feedback")
	}
	return err
}
