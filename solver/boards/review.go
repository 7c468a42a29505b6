package boards

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
	"fivefold/solver/grade"
)

// Played is a game to be reviewed: one that has ended, or a part of one.
type Played struct {
	Deal    pokle.Deal
	Guesses []pokle.Board
	Hidden  pokle.Board
}

// Review is what is to be said of a game.
type Review struct {
	// Guesses are those of the game, each with a judgement.
	Guesses []Judged
	// Line is what the solver would have played: up to the guess that wins,
	// or as many as a game has.
	Line []Step
}

// Judged is a guess with what is to be said of it.
type Judged struct {
	Step
	// Before and After are how many boards were possible before the guess and after its
	// feedback. After a win they are those that the game takes for the hidden one.
	Before, After int
	// Expected is how many boards stay possible after the guess, on average over those
	// possible before it. All green counts like any other feedback.
	Expected float64
	// Best is a board that is as good as any, as far as is known: the one that was
	// guessed, if that is. BestExpected is what Expected is for it.
	Best         pokle.Board
	BestExpected float64
	// Skill and Luck are from 0 to 99.
	Skill, Luck float64
	// Cut is how much the feedback told, in bits: log₂(Before/After).
	Cut float64
	// Proven reports whether Skill is certain, apart from rounding.
	Proven bool
}

// ErrOver says that there is a guess after the one that won.
var ErrOver = errors.New("the game was won before")

// How much a review works for all guesses of a game together, in comparisons of two
// boards. A guess may use four fifths of what those before it left, as the first ones
// have the most boards to look at.
const (
	reviewAhead = 128 << 20 // where it looks ahead
	reviewWork  = 256 << 20 // where it does not
)

// share takes from the work that is left what the next guess may use.
func share(work int64) int64 { return work / 5 * 4 }

// Review judges each guess of a game by what was known when it was made.
//
// With up to 200 boards possible, n of them, V is the least total of guesses with
// which all can be found, guessing only possible ones, and T the least total when
// the guess in question comes first. A game that is lost goes on for this.
//
//	Skill = 99 · (n + V − T) / n, kept within 0 and 99
//
// So the best guess has 99, and one that tells nothing has 0. With more boards, H is
// how many bits the feedback of the guess tells on average, and B the most that one
// of the possible boards tells.
//
//	Skill = 99 · H / B, at most 99
//
// The outcomes of a guess are its feedbacks. All green is the best one; of two others
// that which leaves fewer boards.
//
//	Luck = 99 · (boards in worse outcomes + ½ · boards in equal ones) / n
//
// The boards of the outcome that came count among the equal ones.
//
// The work is counted, so the review is the same for the same game, whatever the
// machine. What the work is not enough for is judged by the best that was found, and is
// not Proven. The error is as of [Solver.List], or [ErrOtherHidden], [ErrOver], or
// says of a guess why the deal does not allow it, as [pokle.Deal.Allows] does. No
// error has the hidden board in its text.
func (s *Solver) Review(ctx context.Context, p Played) (Review, error) {
	l, err := s.List(ctx, p.Deal)
	if err != nil {
		return Review{}, err
	}
	release, err := s.searches().AcquireLong(ctx)
	if err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	defer release()
	var r Review
	if r.Line, err = play(ctx, p.Deal, l, p.Hidden, pokle.Attempts); err != nil {
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
		r.Guesses = append(r.Guesses, j.judge(l, step))
		l.Boards = After(p.Deal, l.Boards, []Step{step})
	}
	if err := ctx.Err(); err != nil {
		return Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// judge judges the guesses of one game, the first one first.
type reviewer struct {
	ctx         context.Context
	deal        pokle.Deal
	ahead, work int64 // that is left
}

// judge returns the judgement of a step when the boards of the list are possible.
func (j *reviewer) judge(l List, step Step) Judged {
	row := feedbacks(j.deal, step.Guess, l.Boards)
	all := classesOf(row)
	before, after := len(l.Boards), all[step.Feedback]
	judged := Judged{
		Step: step, Before: before, After: after, Expected: all.expected(),
		Luck: all.luck(step.Feedback), Cut: grade.Bits(before, after),
	}
	if before <= playFew {
		j.byGuesses(l, row, &judged)
	} else {
		j.byBits(l, all, &judged)
	}
	judged.BestExpected = classesOf(feedbacks(j.deal, judged.Best, l.Boards)).expected()
	return judged
}

// byGuesses finds the best guess and the skill by looking ahead.
func (j *reviewer) byGuesses(l List, row []uint8, judged *Judged) {
	n := len(l.Boards)
	work := share(j.ahead)
	s := newSearch(j.ctx, l, work)
	best := s.best(n)
	total, exact := best.total+n, best.proven
	if classesOf(row)[row[0]] < n || row[0] == uint8(pokle.AllGreen) { // it tells something
		total, exact = s.total(row)
	}
	if exact {
		j.ahead -= work - s.work
	} else {
		j.ahead -= work // it was not enough
	}
	judged.Best = l.Boards[best.guess]
	if judged.Best.Compare(judged.Guess) == 0 {
		total = min(total, best.total) // what is not proven can differ
	}
	if total <= best.total {
		judged.Best = judged.Guess
	}
	judged.Skill = grade.Skill(float64(n), float64(min(best.total, total)), float64(total))
	judged.Proven = best.proven && exact
}

// byBits finds the board that tells most, and the skill by it.
func (j *reviewer) byBits(l List, all classes, judged *Judged) {
	n := len(l.Boards)
	r := newRanking(l.Boards)
	r.accepting = !l.Loose
	guesses := min(n, max(int(share(j.work)/int64(n)), 1))
	best, seen := r.best(j.ctx, r.sample(guesses))
	j.work -= int64(guesses * n)
	judged.Best, judged.Proven = l.Boards[best.guess], seen == n
	bits := all.bits()
	if bits <= best.bits {
		judged.Best, best.bits = judged.Guess, bits
	}
	judged.Skill = skillByBits(entropy.Of(n, bits), entropy.Of(n, best.bits))
}

// skillByBits returns the information of a guess as a share of the best one's, from 0
// to 99.
func skillByBits(bits, best float64) float64 {
	if bits >= best {
		return grade.Max
	}
	return grade.Max * bits / best
}
