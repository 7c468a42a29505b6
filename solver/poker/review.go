package poker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Played is a game to review, ended or not.
type Played struct {
	Deal    pokle.Deal
	Guesses []pokle.Board
	Hidden  pokle.Board
}

// Review grades a game.
type Review = grade.Review[pokle.Board]

// Judged is a step with its judgement.
type Judged = grade.Judged[pokle.Board]

// Why a game cannot be reviewed.
var (
	// ErrOver means that a guess follows the one that won.
	ErrOver = errors.New("the game had already been won")
	// ErrOtherHidden means that the hidden board does not fit the deal.
	ErrOtherHidden = errors.New("the hidden board does not fit the deal")
)

// Review judges each guess of a game by what was known before it; solver/README.md has the formulas. With up to
// [ByBitsAbove] possible boards, skill compares the totals of guesses that find them all, in a game without a limit.
// With more, it compares the information in feedback.
//
// The work is counted, so the review of a game is the same on every machine. If the work is not enough for a guess,
// the guess is judged by the best that was found, and is not Proven. The error is one of [Solver.List],
// [ErrOtherHidden], [ErrOver], or [pokle.Deal.Allows] for a guess. No error contains the hidden board.
func (s *Solver) Review(ctx context.Context, p Played) (Review, error) {
	permit, err := s.begin(ctx, parallel.Review)
	if err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	boards, err := s.list(ctx, p.Deal)
	if err != nil {
		return Review{}, err
	}
	if _, fits := slices.BinarySearchFunc(boards, p.Hidden, pokle.Board.Compare); !fits {
		return Review{}, ErrOtherHidden
	}
	first := choose(ctx, p.Deal, boards, pokle.Attempts) // the most work, and needed twice
	r := Review{Line: line(ctx, p, boards, first.board)}
	for i, guess := range p.Guesses {
		err := p.Deal.Allows(guess)
		if i > 0 && r.Guesses[i-1].Feedback == pokle.AllGreen {
			err = ErrOver
		}
		if err != nil {
			return Review{}, fmt.Errorf("guess %d: %w", i+1, err)
		}
		step := Step{Guess: guess, Feedback: p.Deal.Score(guess, p.Hidden)}
		best := first
		if i > 0 || len(boards) <= ByBitsAbove { // if choose looked ahead for first, it kept the limit
			best = choose(ctx, p.Deal, boards, len(boards))
		}
		r.Guesses = append(r.Guesses, judge(ctx, p.Deal, boards, step, best))
		boards = After(p.Deal, boards, []Step{step})
	}
	if err := ctx.Err(); err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// line plays the solver's own game, beginning with the guess, until the hidden board is found or no guesses are left.
func line(ctx context.Context, p Played, boards []pokle.Board, guess pokle.Board) (steps []Step) {
	for {
		step := Step{Guess: guess, Feedback: p.Deal.Score(guess, p.Hidden)}
		steps = append(steps, step)
		if step.Feedback == pokle.AllGreen || len(steps) == pokle.Attempts {
			return steps
		}
		boards = After(p.Deal, boards, []Step{step})
		guess = choose(ctx, p.Deal, boards, pokle.Attempts-len(steps)).board
	}
}

// judge returns the judgement of a step, given the possible boards before it and the solver's choice
// in a game without a limit.
func judge(ctx context.Context, d pokle.Deal, boards []pokle.Board, step Step, best choice) Judged {
	n := len(boards)
	row := feedbacks(d, step.Guess, boards)
	all := classesOf(row)
	judged := Judged{
		Turn: step, Before: n, After: all[step.Feedback], Expected: all.expected(), Best: best.board, Proven: best.proven,
		Luck: grade.Luck(all[:], step.Feedback, all[step.Feedback]), Cut: grade.Bits(n, all[step.Feedback]),
	}
	isBest := false
	if n > ByBitsAbove {
		logs := all.logs()
		isBest = logs <= best.logs
		judged.Skill = skillByBits(entropy.Of(n, logs), entropy.Of(n, min(logs, best.logs)))
	} else {
		total, exact := best.total+n, best.proven
		if all[row[0]] < n || row[0] == uint8(pokle.AllGreen) { // it splits the boards
			total, exact = newSearch(ctx, boards, mixWork).total(row)
		}
		if best.board.Compare(step.Guess) == 0 {
			total = min(total, best.total) // two searches may differ where nothing is proven
		}
		isBest = total <= best.total
		judged.Skill = grade.Skill(float64(n), float64(min(best.total, total)), float64(total))
		judged.Proven = best.proven && exact
	}
	if isBest {
		judged.Best = step.Guess
	}
	judged.BestExpected = classesOf(feedbacks(d, judged.Best, boards)).expected()
	return judged
}

// skillByBits returns the information of a guess as a share of the best one's, from 0 to 99.
func skillByBits(bits, best float64) float64 {
	if bits >= best {
		return grade.Max
	}
	return grade.Max * bits / best
}
