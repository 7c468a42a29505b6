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

// ByBitsAbove is the number of boards above which the skill is by information and not by
// guesses: see [Solver.Review].
const ByBitsAbove = playFew

// ErrOver means that a guess follows the one that won.
var ErrOver = errors.New("the game had already been won")

// The work of a review for all guesses of a game together, in comparisons of two
// boards. A guess may use four fifths of what those before it left, because the first
// ones have the most boards.
const (
	reviewAhead = 128 << 20 // for guesses that it looks ahead for
	reviewWork  = 256 << 20 // for the others
)

// share returns how much of the work that is left the next guess may use.
func share(work int64) int64 { return work / 5 * 4 }

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
	if r.Line, err = play(ctx, p.Deal, left, p.Hidden); err != nil {
		return Review{}, err
	}
	j := reviewer{ctx: ctx, deal: p.Deal, ahead: reviewAhead, work: reviewWork}
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
		r.Guesses = append(r.Guesses, j.judge(left, step))
		left = After(p.Deal, left, []Step{step})
	}
	if err := ctx.Err(); err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// reviewer judges the guesses of one game in their order.
type reviewer struct {
	ctx         context.Context
	deal        pokle.Deal
	ahead, work int64 // that is left
}

// judge returns the judgement of a step when these boards are possible.
func (j *reviewer) judge(boards []pokle.Board, step Step) Judged {
	row := feedbacks(j.deal, step.Guess, boards)
	all := classesOf(row)
	before, after := len(boards), all[step.Feedback]
	judged := Judged{
		Turn: step, Before: before, After: after, Expected: all.expected(),
		Luck: grade.Luck(all[:], step.Feedback, after), Cut: grade.Bits(before, after),
	}
	if judged.Before > ByBitsAbove {
		j.byBits(boards, all, &judged)
	} else {
		j.byGuesses(boards, row, &judged)
	}
	judged.BestExpected = classesOf(feedbacks(j.deal, judged.Best, boards)).expected()
	return judged
}

// byGuesses finds the best guess and the skill by looking ahead.
func (j *reviewer) byGuesses(boards []pokle.Board, row []uint8, judged *Judged) {
	n := len(boards)
	work := share(j.ahead)
	s := newSearch(j.ctx, boards, work)
	best := s.best(n)
	total, exact := best.total+n, best.proven
	if classesOf(row)[row[0]] < n || row[0] == uint8(pokle.AllGreen) { // it splits the boards
		total, exact = s.total(row)
	}
	if exact {
		j.ahead -= work - s.work
	} else {
		j.ahead -= work // it was not enough
	}
	judged.Best = boards[best.guess]
	if judged.Best.Compare(judged.Guess) == 0 {
		total = min(total, best.total) // two searches may differ where nothing is proven
	}
	if total <= best.total {
		judged.Best = judged.Guess
	}
	judged.Skill = grade.Skill(float64(n), float64(min(best.total, total)), float64(total))
	judged.Proven = best.proven && exact
}

// byBits finds the board whose feedback has the most information, and the skill by
// that.
func (j *reviewer) byBits(boards []pokle.Board, all classes, judged *Judged) {
	n := len(boards)
	r := ranked(boards)
	guesses := min(n, max(int(share(j.work)/int64(n)), 1))
	best, seen := r.best(j.ctx, 1, r.sample(guesses))
	j.work -= int64(guesses * n)
	judged.Best, judged.Proven = boards[best.guess], seen == n
	logs := all.logs()
	if logs <= best.logs {
		judged.Best, best.logs = judged.Guess, logs
	}
	judged.Skill = skillByBits(entropy.Of(n, logs), entropy.Of(n, best.logs))
}

// skillByBits returns the information of a guess as a share of the best one's, from 0
// to 99.
func skillByBits(bits, best float64) float64 {
	if bits >= best {
		return grade.Max
	}
	return grade.Max * bits / best
}
