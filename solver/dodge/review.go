package dodge

import (
	"context"

	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
)

// Review grades the guesses of a game. A guess loses guesses if, with it, more are needed in all than without. Its skill is 99 less the
// share of the guesses needed that it loses. So a lost guess weighs more the nearer the end is, and with a single word left, every
// other word gets 0. There is [game.NoLuck]. The line is a shortest way from the start.
//
// What is needed is for words that may be proposed. The error is that of [Solver.Suggest].
func (s *Solver) Review(ctx context.Context, played evil.State) (grade.Review[wordle.Word], error) {
	var r grade.Review[wordle.Word]
	leftAfter := func(n int) []wordle.Word { return played.Rewind(n).(evil.State).Left(s.lists.Answers()) }
	left := leftAfter(0)
	best, err := s.suggest(ctx, parallel.Review, left, nil)
	for next, set := best, left; err == nil; next, err = s.suggest(ctx, parallel.Review, set, nil) {
		turn := wordle.Turn{Guess: next.Word}
		turn.Feedback, set = evil.Answer(set, next.Word)
		if r.Line = append(r.Line, turn); turn.Feedback == wordle.AllGreen {
			break
		}
	}
	for i, turn := range played.Turns() {
		kept, after := leftAfter(i+1), Suggestion{}
		if turn.Feedback != wordle.AllGreen && err == nil {
			after, err = s.suggest(ctx, parallel.Review, kept, nil)
		}
		if err != nil {
			return r, err
		}
		needed, total := float64(best.Fewest), float64(1+after.Fewest)
		if total <= needed {
			best.Word = turn.Guess
		}
		_, least := evil.Answer(left, best.Word)
		r.Guesses = append(r.Guesses, grade.Judged[wordle.Word]{
			Turn: turn, Before: len(left), After: len(kept), Expected: float64(len(kept)), Best: best.Word, BestExpected: float64(len(least)),
			Skill: grade.Skill(needed, needed, total), Luck: game.NoLuck, Cut: grade.Bits(len(left), len(kept)), Proven: true,
		})
		best, left = after, kept
	}
	return r, err
}
