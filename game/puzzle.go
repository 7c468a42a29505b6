package game

import (
	"errors"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

// Puzzle is a word puzzle that a player solves elsewhere, with help: what was
// guessed there, and what it was told. It is a value: its methods return the
// puzzle after a change, and what was handed out never changes.
//
// The hidden word is known to nobody here. It may be in no list, and so may the
// guesses: other puzzles have other lists. The turns may contradict each other,
// since people mistype tiles; they stay as they are until the player corrects one.
type Puzzle struct {
	Turns []wordle.Turn // at most wordle.Attempts; only the last can be all green
	Hard  bool          // guesses must keep every clue
	// Strategy is how words are proposed, one of solver.StrategyNames; empty for
	// solver.Optimal.
	Strategy string
	// Advice are the words proposed for the next turn, best first. It is empty where
	// none was asked for yet, where no known word fits, and at the end.
	Advice []weighted.Advice
	// Chosen is the player's own word for the next turn, or 0.
	Chosen wordle.Word
}

// Why a puzzle cannot be changed so. See also wordle.RepeatedError and
// wordle.HardModeError, whose attempt is a line.
var (
	// ErrPuzzleOver: the word was found, or the guesses are used up.
	ErrPuzzleOver = errors.New("the puzzle is over")
	// ErrNoNext: there are tiles, but no word was proposed that they could be for.
	ErrNoNext = errors.New("tiles without a word")
	// ErrNoLine: the puzzle has no such line.
	ErrNoLine = errors.New("no such line")
	// ErrGreenLine: a line that others follow cannot be all green.
	ErrGreenLine = errors.New("an all-green line is the last one")
	// ErrOutdated: the player was shown another state than there is.
	ErrOutdated = errors.New("not what the player was shown")
)

// Status tells whether the puzzle is [Playing], [Won] or [Lost].
func (p Puzzle) Status() Status {
	n := len(p.Turns)
	switch {
	case n > 0 && p.Turns[n-1].Feedback == wordle.AllGreen:
		return Won
	case n == wordle.Attempts:
		return Lost
	}
	return Playing
}

// Next returns the word that tiles without a word are for: the player's own, or
// the one proposed. It is 0 where there is none.
func (p Puzzle) Next() wordle.Word {
	switch {
	case p.Chosen != 0:
		return p.Chosen
	case len(p.Advice) > 0:
		return p.Advice[0].Word
	}
	return 0
}

// Add returns the puzzle after one more turn. The error is [ErrPuzzleOver],
// [ErrNoNext] for a turn without a word, a *[wordle.RepeatedError] or a
// *[wordle.HardModeError].
func (p Puzzle) Add(t wordle.Turn) (Puzzle, error) {
	if err := p.allow(t.Guess); err != nil {
		return p, err
	}
	p.Turns = append(slices.Clip(p.Turns), t)
	return p.asked(), nil
}

// Choose returns the puzzle with a word of the player's own for the next turn. The
// error is as for [Puzzle.Add].
func (p Puzzle) Choose(w wordle.Word) (Puzzle, error) {
	if err := p.allow(w); err != nil {
		return p, err
	}
	p.Chosen = w
	return p, nil
}

// allow returns why a word cannot come next.
func (p Puzzle) allow(w wordle.Word) error {
	switch {
	case p.Status() != Playing:
		return ErrPuzzleOver
	case w == 0:
		return ErrNoNext
	}
	if i := slices.IndexFunc(p.Turns, func(t wordle.Turn) bool { return t.Guess == w }); i >= 0 {
		return &wordle.RepeatedError{Attempt: i + 1}
	}
	if p.Hard {
		return wordle.CheckHard(p.Turns, w)
	}
	return nil
}

// Undo returns the puzzle without its last turn, whose word comes next again:
// mostly the tiles were wrong. The error is [ErrNoLine].
func (p Puzzle) Undo() (Puzzle, error) {
	n := len(p.Turns)
	if n == 0 {
		return p, ErrNoLine
	}
	last := p.Turns[n-1].Guess
	p.Turns = append([]wordle.Turn(nil), p.Turns[:n-1]...) // nil where none is left, as in a new puzzle
	p = p.asked()
	p.Chosen = last
	return p, nil
}

// Change returns the puzzle with other tiles in a line, from 1. The error is
// [ErrNoLine] or [ErrGreenLine].
func (p Puzzle) Change(line int, f wordle.Feedback) (Puzzle, error) {
	switch {
	case line < 1 || line > len(p.Turns):
		return p, ErrNoLine
	case f == wordle.AllGreen && line < len(p.Turns):
		return p, ErrGreenLine
	case p.Turns[line-1].Feedback == f:
		return p, nil
	}
	p.Turns = slices.Clone(p.Turns)
	p.Turns[line-1].Feedback = f
	return p.asked(), nil
}

// WithHard returns the puzzle in hard mode from here on, or out of it.
func (p Puzzle) WithHard(hard bool) Puzzle {
	if p.Hard == hard {
		return p
	}
	p.Hard = hard
	return p.asked()
}

// WithStrategy returns the puzzle with another way to propose words.
func (p Puzzle) WithStrategy(name string) Puzzle {
	if p.Strategy == name {
		return p
	}
	p.Strategy = name
	return p.asked()
}

// asked returns the puzzle without what was proposed and chosen for its old state.
func (p Puzzle) asked() Puzzle {
	p.Advice = nil
	p.Chosen = 0
	return p
}
