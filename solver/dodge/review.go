package dodge

import (
	"context"
	"fmt"

	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Review grades the guesses of a game. A guess loses guesses if, with it, more are needed than without. Its skill is 99 if it loses
// none; for each guess lost it is less by the share of the guesses that were needed. So a lost guess weighs more the nearer the end
// is, and with a single word left, every other word gets 0. There is no luck: it is [grade.Mean] for each guess. The line has the
// fewest guesses from the start.
//
// Only words that may be proposed count for what is needed. A guess of another word never gets more than 99. The error is that of
// [Solver.Suggest].
func (s *Solver) Review(ctx context.Context, game evil.State) (grade.Review[wordle.Word], error) {
	var r grade.Review[wordle.Word]
	permit, err := s.Permits.Acquire(ctx, parallel.Review)
	if err != nil {
		return r, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	leftAfter := func(n int) []wordle.Word { return game.Rewind(n).(evil.State).Left(s.lists.Answers()) }
	start := leftAfter(0)
	before, err := s.suggest(ctx, start, nil)
	if err != nil {
		return r, err
	}
	for left, next := start, before; ; {
		f, kept := evil.Answer(left, next.Word)
		r.Line = append(r.Line, wordle.Turn{Guess: next.Word, Feedback: f})
		if f == wordle.AllGreen {
			break
		}
		if next, err = s.suggest(ctx, kept, nil); err != nil {
			return r, err
		}
		left = kept
	}
	left := start
	for i, turn := range game.Turns() {
		kept := leftAfter(i + 1)
		after, needed := before, 1
		if turn.Feedback != wordle.AllGreen {
			if after, err = s.suggest(ctx, kept, nil); err != nil {
				return r, err
			}
			needed += after.Fewest
		}
		best, least := turn.Guess, len(kept)
		if needed > before.Fewest {
			_, ideal := evil.Answer(left, before.Word)
			best, least = before.Word, len(ideal)
		}
		r.Guesses = append(r.Guesses, grade.Judged[wordle.Word]{
			Turn: turn, Before: len(left), After: len(kept), Expected: float64(len(kept)), Best: best, BestExpected: float64(least),
			Skill: grade.Skill(float64(before.Fewest), float64(before.Fewest), float64(needed)), Luck: grade.Mean,
			Cut: grade.Bits(len(left), len(kept)), Proven: true,
		})
		before, left = after, kept
	}
	return r, nil
}
