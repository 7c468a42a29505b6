package multi

import (
	"context"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
)

// Review judges each guess of a game by what was known when it was made. One guess serves all boards, so one that
// changes nothing costs one guess, and its skill is 0 whatever the number of boards. Luck is the mean over the boards
// that were open. Before, After and Expected are sums over the boards that are open then; Cut is the sum of the bits.
//
// The error is [ErrNothingFits], [parallel.ErrBusy] or ctx's.
func (s *Solver) Review(ctx context.Context, state boards.State) (grade.Review[wordle.Word], error) {
	var r grade.Review[wordle.Word]
	permit, err := s.Permits.Acquire(ctx, parallel.Review)
	if err != nil {
		return r, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	remaining := s.Remaining(state)
	for i, turn := range state.Turns() {
		q, candidates, proven, err := s.choose(ctx, positionOf(state.Rewind(i).(boards.State)), 1, turn.Guess)
		if err != nil {
			return r, err
		}
		made := candidates[slices.IndexFunc(candidates, func(c candidate) bool { return c.guess == q.made })]
		best := candidates[0]
		if best.expected >= made.expected {
			best = made
		}
		j := grade.Judged[wordle.Word]{
			Turn: turn, Before: remaining[i].Total(), After: remaining[i+1].Total(), Best: q.Guesses[best.guess],
			Skill: grade.Skill(1, best.expected, made.expected), Cut: remaining[i].Bits() - remaining[i+1].Bits(), Proven: proven,
		}
		for b, left := range q.left {
			classes := partition.Classes(turn.Guess, left)
			answers := game.Each(classes[:], func(words []wordle.Word) int { return len(words) })
			came := wordle.Score(turn.Guess, state.Hidden(q.open[b]))
			j.Luck += grade.Luck(answers, came, answers[came]) / float64(len(q.left))
			j.Expected += leaves(turn.Guess, left)
			j.BestExpected += leaves(j.Best, left)
		}
		r.Guesses = append(r.Guesses, j)
	}
	line := state.Fresh(marks.Off).(boards.State)
	for line.Status() == marks.Playing {
		q, best, _, err := s.choose(ctx, positionOf(line), 1, 0)
		if err != nil {
			return r, err
		}
		if line, err = line.Guess(q.Guesses[best[0].guess]); err != nil {
			return r, err
		}
	}
	r.Line = line.Turns()
	return r, nil
}

// leaves returns how many words stay possible on average, none if the guess is the word.
func leaves(guess wordle.Word, left []wordle.Word) float64 {
	sum := partition.SplitBy(guess, left).Squares
	if slices.Contains(left, guess) {
		sum--
	}
	return float64(sum) / float64(len(left))
}

// positionOf returns what the player of a game knows.
func positionOf(state boards.State) Position {
	return Position{Boards: state.All(), Limit: state.AttemptsLeft() + state.Used()}
}
