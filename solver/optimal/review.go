package optimal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Played is a game to review: one that has ended, or a part of one.
type Played struct {
	Turns []wordle.Turn
	Hard  marks.Hardness
	// Hidden is the hidden word, or the zero Word if it is not known. It need not be given
	// if the last turn found it.
	Hidden wordle.Word
}

// Review grades a game. Its Line is nil if the hidden word is not known or on no list.
type Review = grade.Review[wordle.Word]

// Judged is a turn with its judgement.
type Judged = grade.Judged[wordle.Word]

// Why a game cannot be reviewed, apart from [ErrNothingFits]. The text of the error says
// which turn is to blame, and never contains the hidden word.
var (
	// ErrOver means that a turn follows the one that found the word.
	ErrOver = errors.New("the word had already been found")
	// ErrOtherHidden means that the given hidden word would get other feedback.
	ErrOtherHidden = errors.New("the hidden word would get other feedback")
)

// Review judges each guess of a game by what was known when it was made, with the guesses that
// were left; solver/README.md has the formulas. From the seventh guess on, there is no limit.
//
// The possible words are those of [Solver.Remaining]. Totals come from the trees and the
// built-in totals of openers, or from a search as long as ReviewTime lasts. The rest is
// estimated, and not Proven. If all is proven, the review of a game is always the same.
//
// If there are several permits, reviews leave one for hints. The error is [ErrNothingFits],
// [ErrOver], [ErrOtherHidden], a *[wordle.HardModeError], [parallel.ErrBusy] or ctx's.
func (s *Solver) Review(ctx context.Context, p Played) (Review, error) {
	hidden, err := p.Check()
	if err != nil {
		return Review{}, err
	}
	permit, err := s.Permits.Acquire(ctx, parallel.Review)
	if err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	all := make([]*evaluation, len(p.Turns))
	for i, turn := range p.Turns {
		words := s.Remaining(p.Turns[:i])
		if len(words) == 0 {
			return Review{}, fmt.Errorf("guess %d: %w", i, ErrNothingFits)
		}
		all[i] = s.newEvaluation(words, p.Turns[:i], p.Hard, turn.Guess)
	}
	after := 1
	if n := len(p.Turns); n > 0 && p.Turns[n-1].Feedback != wordle.AllGreen {
		if after = len(s.Remaining(p.Turns)); after == 0 {
			return Review{}, fmt.Errorf("guess %d: %w", n, ErrNothingFits)
		}
	}
	if err := s.evaluate(ctx, p.Hard, all); err != nil {
		return Review{}, err
	}
	r := Review{Guesses: make([]Judged, len(all))}
	for i, a := range slices.Backward(all) {
		r.Guesses[i] = a.judged(p.Turns[i].Feedback, after)
		after = len(a.words)
	}
	if s.lists.CanPropose(hidden) {
		r.Line, err = PlayOut(hidden, p.Hard, func(p Position) (wordle.Word, error) { return s.move(ctx, p) })
		if err != nil {
			return Review{}, err
		}
	}
	return r, nil
}

// Check returns the hidden word, or the zero Word if it is not known. The error is
// [ErrOver], [ErrOtherHidden] or a *[wordle.HardModeError], with the number of the guess.
func (p Played) Check() (hidden wordle.Word, err error) {
	hidden = p.Hidden
	if n := len(p.Turns); n > 0 && hidden == 0 && p.Turns[n-1].Feedback == wordle.AllGreen {
		hidden = p.Turns[n-1].Guess
	}
	for i, turn := range p.Turns {
		switch {
		case i > 0 && p.Turns[i-1].Feedback == wordle.AllGreen:
			err = ErrOver
		case hidden != 0 && wordle.Score(turn.Guess, hidden) != turn.Feedback:
			err = ErrOtherHidden
		default:
			err = wordle.CheckClues(p.Hard, p.Turns[:i], turn.Guess)
		}
		if err != nil {
			return 0, fmt.Errorf("guess %d: %w", i+1, err)
		}
	}
	return hidden, nil
}

// PlayOut plays a game until the hidden word is found, and returns its turns. The function move chooses each guess. A
// game that uses up its guesses continues without a limit.
func PlayOut(hidden wordle.Word, hard marks.Hardness, move func(Position) (wordle.Word, error)) ([]wordle.Turn, error) {
	var turns []wordle.Turn
	for {
		p := Position{Turns: turns, Hard: hard, Limit: wordle.Attempts}
		if len(turns) >= wordle.Attempts {
			p.Limit = 0 // lost, and goes on
		}
		guess, err := move(p)
		if err != nil {
			return nil, err
		}
		turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
		if guess == hidden {
			return turns, nil
		}
	}
}

// move is [Solver.Suggest] for a caller that holds a permit.
func (s *Solver) move(ctx context.Context, p Position) (wordle.Word, error) {
	if hint, ok := s.onTree(p); ok {
		return hint.Word, nil
	}
	if words := s.Remaining(p.Turns); len(words) == 1 {
		return words[0], nil
	}
	if start := s.starts[p.Hard].Load(); start != nil && len(p.Turns) == 0 {
		return start.best, nil // so that the line does not contradict the judgement
	}
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("reviewing a game: %w", err)
	}
	solution, err := s.Solve(ctx, p, Effort{Workers: 1, Memory: suggestMemory, searchTime: s.SuggestTime})
	if err != nil {
		return 0, err
	}
	return solution.Suggestions[0].Word, nil
}
