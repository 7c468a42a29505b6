package solve

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// typedTurn is a guess and its feedback as they were typed. There may be no feedback.
type typedTurn struct{ Guess, Feedback string }

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
		t := typedTurn{Guess: words[0]}
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

// readTurns reads turns. If the hidden word is known, and not 0, a guess needs no feedback. The error is
// a sentence.
func readTurns(typed []typedTurn, hidden wordle.Word) ([]wordle.Turn, error) {
	var turns []wordle.Turn
	for i, t := range typed {
		guess, err := cli.ReadWord(t.Guess)
		turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)}
		if err == nil && (t.Feedback != "" || hidden == 0) {
			if turn.Feedback, err = wordle.ParseFeedback(t.Feedback); err != nil {
				err = fmt.Errorf("%q: %w", t.Feedback, err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("guess %d: %w", i+1, err)
		}
		turns = append(turns, turn)
	}
	return turns, nil
}

// readUnfinished reads the turns of a game that goes on and has that many guesses in all, 0 for any number.
func readUnfinished(typed []typedTurn, limit int) ([]wordle.Turn, error) {
	if limit > 0 && len(typed) >= limit {
		return nil, fmt.Errorf("all guesses are made; the limit is %d", limit)
	}
	turns, err := readTurns(typed, 0)
	if i := slices.IndexFunc(turns, func(t wordle.Turn) bool { return t.Feedback == wordle.AllGreen }); i >= 0 {
		return nil, fmt.Errorf("guess %d was right: there is nothing left to find", i+1)
	}
	return turns, err
}

// explainSolver returns the error in a sentence that says what to do.
func explainSolver(err error) error {
	switch {
	case errors.Is(err, solver.ErrNothingFits):
		return errors.New("no word of the lists fits this feedback; check it, or use other lists")
	case errors.Is(err, solver.ErrNothingAllowed):
		return errors.New("hard mode leaves no word of the lists to guess; check the feedback")
	}
	return err
}
