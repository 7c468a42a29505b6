package boards

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Played is a game to review: one that has ended, or a part of one.
type Played struct {
	Deal    pokle.Deal
	Guesses []pokle.Board
	Hidden  pokle.Board
}

// Review grades a game.
type Review = grade.Review[pokle.Board]

// Judged is a step with its judgement. It misses no board: the game it reviews has no limit.
type Judged = grade.Judged[pokle.Board]

// ErrOver means that a guess follows the one that won.
var ErrOver = errors.New("the game had already been won")

// Review judges each guess of a game by what was known when it was made; README.md of the folder
// above has the formulas. With up to [ByBitsAbove] boards possible, skill goes by the totals of
// guesses that find them all if only possible boards are guessed, in a game that continues until
// the board is found; with more, by the information in the guess's feedback.
//
// The work is counted, so the review of a game is the same on every machine. Where the
// work does not suffice, guesses are judged by the best that was found, and are not
// Proven. The error is one of [Solver.List], [ErrOtherHidden], [ErrOver], or says why the
// deal does not allow a guess, as [pokle.Deal.Allows] does. No error contains the hidden
// board.
func (s *Solver) Review(ctx context.Context, p Played) (Review, error) {
	permit, err := s.begin(ctx, parallel.Review)
	if err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	left, err := s.list(ctx, p.Deal)
	if err != nil {
		return Review{}, err
	}
	var r Review
	first := choose(ctx, p.Deal, left, pokle.Attempts) // the most work, and needed twice
	r.Line, err = play(ctx, p.Deal, left, p.Hidden, func(ctx context.Context, boards []pokle.Board, guesses int) pokle.Board {
		if guesses == pokle.Attempts {
			return first.board
		}
		return choose(ctx, p.Deal, boards, guesses).board
	})
	if err != nil {
		return Review{}, err
	}
	for i, guess := range p.Guesses {
		switch {
		case i > 0 && r.Guesses[i-1].Feedback == pokle.AllGreen:
			err = ErrOver
		default:
			err = p.Deal.Allows(guess)
		}
		if err != nil {
			return Review{}, fmt.Errorf("guess %d: %w", i+1, err)
		}
		step := Step{Guess: guess, Feedback: p.Deal.Score(guess, p.Hidden)}
		best := first
		if i > 0 || len(left) <= ByBitsAbove { // where it looks ahead, the limit matters
			best = choose(ctx, p.Deal, left, len(left))
		}
		r.Guesses = append(r.Guesses, judge(ctx, p.Deal, left, step, best))
		left = After(p.Deal, left, []Step{step})
	}
	if err := ctx.Err(); err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// judge returns the judgement of a step when these boards are possible and the solver would make the
// best choice, in a game without a limit.
func judge(ctx context.Context, d pokle.Deal, boards []pokle.Board, step Step, best choice) Judged {
	n := len(boards)
	row := feedbacks(d, step.Guess, boards)
	all := classesOf(row)
	judged := Judged{
		Turn: step, Before: n, After: all[step.Feedback], Expected: all.expected(), Best: best.board, Proven: best.proven,
		Luck: grade.Luck(all[:], step.Feedback, all[step.Feedback]), Cut: grade.Bits(n, all[step.Feedback]),
	}
	asGood := false
	if n > ByBitsAbove {
		logs := all.logs()
		asGood = logs <= best.logs
		judged.Skill = skillByBits(entropy.Of(n, logs), entropy.Of(n, min(logs, best.logs)))
	} else {
		total, exact := best.total+n, best.proven
		if all[row[0]] < n || row[0] == uint8(pokle.AllGreen) { // it splits the boards
			total, exact = newSearch(ctx, boards, mixWork).total(row)
		}
		if best.board.Compare(step.Guess) == 0 {
			total = min(total, best.total) // two searches may differ where nothing is proven
		}
		asGood = total <= best.total
		judged.Skill = grade.Skill(float64(n), float64(min(best.total, total)), float64(total))
		judged.Proven = best.proven && exact
	}
	if asGood {
		judged.Best = step.Guess
	}
	judged.BestExpected = classesOf(feedbacks(d, judged.Best, boards)).expected()
	return judged
}

// skillByBits returns the information of a guess as a share of the best one's, from 0
// to 99.
func skillByBits(bits, best float64) float64 {
	if bits >= best {
		return grade.Max
	}
	return grade.Max * bits / best
}
