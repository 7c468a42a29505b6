package multi

import (
	"context"
	"fmt"
	"math"

	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Remaining returns how many words were possible on each board before the first guess and after each, on the boards that are open.
func (s *Solver) Remaining(g boards.State) (all []game.Possible) {
	for used := range g.Used() + 1 {
		var p game.Possible
		for _, turns := range g.Rewind(used).(boards.State).All() {
			if n := len(turns); n == 0 || turns[n-1].Feedback != wordle.AllGreen {
				p = append(p, len(s.remaining(turns)))
			}
		}
		all = append(all, p)
	}
	return all
}

// Review judges each guess of a game by what was known when it was made. Skill compares what a guess tells on all boards, and the
// boards it finds, with the best guess; it is not proven. Luck is the mean over the boards that were open.
//
// The error is [ErrNothingFits], [parallel.ErrBusy] or ctx's.
func (s *Solver) Review(ctx context.Context, g boards.State) (r grade.Review[wordle.Word], err error) {
	permit, err := s.Permits.Acquire(ctx, parallel.Review)
	if err != nil {
		return r, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	left := s.Remaining(g)
	for i, turn := range g.Turns() {
		q, err := s.newProblem(Position{Boards: g.Rewind(i).(boards.State).All()})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return r, fmt.Errorf("guess %d: %w", i+1, err)
		}
		j := grade.Judged[wordle.Word]{Turn: turn, Before: left[i].Total(), After: left[i+1].Total(), Cut: left[i].Bits() - left[i+1].Bits()}
		own, best := q.effect(turn.Guess, g), q.effect(q.Guesses[q.rank()[0].guess], g)
		if own.worth >= best.worth {
			best = own
		}
		j.Expected, j.Best, j.BestExpected = own.left, best.guess, best.left
		j.Skill, j.Luck = grade.Max*own.worth/best.worth, own.luck
		r.Guesses = append(r.Guesses, j)
	}
	return r, nil
}

// effect is what a guess does on all open boards.
type effect struct {
	guess wordle.Word
	worth float64 // the bits it tells and the boards it finds, on average
	left  float64 // the words it leaves, on average
	luck  float64 // of the feedback in a game
}

func (q *problem) effect(guess wordle.Word, g boards.State) effect {
	e := effect{guess: guess}
	for i, left := range q.left {
		var classes [wordle.Feedbacks]int
		for _, w := range left {
			classes[wordle.Score(guess, w)]++
		}
		n := float64(len(left))
		for _, size := range classes {
			if size > 0 {
				e.worth += float64(size) / n * math.Log2(n/float64(size))
				e.left += float64(size*size) / n
			}
		}
		e.worth += float64(classes[wordle.AllGreen]) / n
		e.left -= float64(classes[wordle.AllGreen]) / n // the board is found
		f := wordle.Score(guess, g.Hidden(q.open[i]))
		e.luck += grade.Luck(classes[:], f, classes[f]) / float64(len(q.open))
	}
	return e
}
