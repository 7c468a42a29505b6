package solve

import (
	"errors"
	"fmt"
	"slices"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// readTurns reads turns. With a hidden word, which is 0 if it is not known, guesses need no feedback. The
// error is a sentence.
func readTurns(typed []wordle.Typed, hidden wordle.Word) ([]wordle.Turn, error) {
	var turns []wordle.Turn
	for i, t := range typed {
		if t.Guess == "" {
			return nil, fmt.Errorf("guess %d: its word is missing beside %s", i+1, t.Feedback)
		}
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

// readUnfinished reads the turns of a game that goes on. The limit is the number of guesses in all, 0 for
// any.
func readUnfinished(typed []wordle.Typed, limit int) ([]wordle.Turn, error) {
	if limit > 0 && len(typed) >= limit {
		return nil, fmt.Errorf("all guesses are made; the limit is %d", limit)
	}
	turns, err := readTurns(typed, 0)
	if i := slices.IndexFunc(turns, func(t wordle.Turn) bool { return t.Feedback == wordle.AllGreen }); i >= 0 {
		return nil, fmt.Errorf("guess %d was right: there is nothing left to find", i+1)
	}
	return turns, err
}

// explainSolver says what to do about the error of a solver.
func explainSolver(err error) error {
	switch {
	case errors.Is(err, optimal.ErrNothingFits):
		return errors.New("no word of the lists fits this feedback; check it, or use other lists")
	case errors.Is(err, optimal.ErrNothingAllowed):
		return errors.New("hard mode leaves no word of the lists to guess; check the feedback")
	}
	return err
}
