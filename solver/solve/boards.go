package solve

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/weighted"
)

// Boards is a puzzle of several boards: a puzzle for each, up to the guess that found its word. Its methods return a changed puzzle.
// The first open board has what is proposed. Without boards, the puzzle has not begun.
type Boards []WordPuzzle

// ErrCount: there are not as many feedbacks as open boards.
var ErrCount = errors.New("not one feedback for each open board")

// Used returns the number of guesses so far.
func (b Boards) Used() (n int) {
	for _, p := range b {
		n = max(n, len(p.Turns))
	}
	return n
}

// Open returns the numbers, from 1, of the boards that are still to be found.
func (b Boards) Open() (open []int) {
	for i, p := range b {
		if p.Status() == game.Playing {
			open = append(open, i+1)
		}
	}
	return open
}

// First returns the first open board, or a zero puzzle if there is none.
func (b Boards) First() WordPuzzle {
	if open := b.Open(); open != nil {
		return b[open[0]-1]
	}
	return WordPuzzle{}
}

// Enter is [Puzzle.Enter] with the feedback of each open board, in their order. The error may also be [ErrCount].
func (b Boards) Enter(guess wordle.Word, given []marks.Feedback) (_ Boards, err error) {
	open, next := b.Open(), slices.Clone(b)
	switch {
	case open == nil:
		return b, ErrOver
	case given != nil && len(given) != len(open):
		return b, ErrCount
	}
	for i, number := range open {
		var f *marks.Feedback
		if given != nil {
			f = &given[i]
		}
		if next[number-1], err = next[number-1].Enter(guess, f); err != nil {
			return b, err
		}
	}
	return next, nil
}

// Undo is [Puzzle.Undo] for the boards that had the last guess.
func (b Boards) Undo() (_ Boards, err error) {
	next := slices.Clone(b)
	for i, p := range b {
		if len(p.Turns) == b.Used() {
			if next[i], err = p.Undo(); err != nil {
				return b, err
			}
		}
	}
	return next, nil
}

// Change is [Puzzle.Change] for a board, by its number from 1.
func (b Boards) Change(number, turn int, f marks.Feedback) (_ Boards, err error) {
	next := slices.Clone(b)
	switch {
	case number < 1 || number > len(b):
		return b, ErrNoTurn
	case turn == len(b[number-1].Turns) && turn < b.Used() && f != marks.AllGreen: // it was found there
		return b, ErrGreenTurn
	}
	if next[number-1], err = b[number-1].Change(turn, f); err != nil {
		return b, err
	}
	for i, p := range next {
		next[i] = p.unproposed()
	}
	return next, nil
}

// UpdateBoards is [Words.Update] for several boards. Left has all of them, each as a word puzzle. Those that no word fits don't count
// for what is proposed.
func (w *Words) UpdateBoards(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (View[WordView], error) {
	return update(ctx, w.Store, o, seen, rule, w.viewBoards)
}

func (w *Words) viewBoards(ctx context.Context, s Session) (View[WordView], error) {
	v, position := View[WordView]{Session: s}, multi.Position{Limit: boards.Attempts(len(s.Boards))}
	for _, p := range s.Boards {
		is, _ := w.View(ctx, Session{Words: p}) // proposes nothing
		if is.Contradiction != nil {
			p.Turns = append(slices.Clip(p.Turns), wordle.Turn{Feedback: marks.AllGreen}) // as if it was found
		}
		v.Left, position.Boards = append(v.Left, is), append(position.Boards, p.Turns)
	}
	open := s.Boards.Open()
	if open == nil || len(s.Boards.First().Proposed) > 0 {
		return v, nil
	}
	all, err := w.Boards.Suggest(ctx, position, 1)
	if errors.Is(err, multi.ErrAllFound) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	best := weighted.Suggestion{Word: all[0].Word, Remaining: slices.Max(all[0].Left)}
	for _, i := range all[0].Possible { // the figures are of the board on which it is likeliest
		best.Remaining = min(best.Remaining, all[0].Left[i])
		best.Chance = 1 / float64(best.Remaining)
	}
	first := s.Boards.First().propose(best)
	v.Boards = slices.Clone(s.Boards)
	v.Boards[open[0]-1], v.Left[open[0]-1].Words = first, first
	return v, nil
}
