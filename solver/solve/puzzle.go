package solve

import (
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
)

// Puzzle is a puzzle that a player plays elsewhere: the guesses made there with the
// feedback they got, and what to guess next. It is a value: its methods return the
// changed puzzle and leave the one they are called on as it is.
//
// G is a guess, P a proposal for the next one, and S what the rules depend on besides
// the guesses. [WordPuzzle] and [BoardPuzzle] are the two kinds there are.
type Puzzle[G guess[G], P any, S setup[G, P]] struct {
	Setup S               `json:",omitzero"`
	Turns []marks.Turn[G] `json:",omitzero"` // no more than there are attempts; only the last can be all green
	// Proposed are guesses to make next, best first. It is empty until some have been
	// worked out, while nothing known fits the turns, and at the end.
	Proposed []P `json:",omitzero"`
	// Chosen is the next guess if the player has picked one, otherwise the zero value.
	Chosen G `json:",omitzero"`
}

type guess[G any] interface {
	comparable
	Compare(G) int // 0 for the same guess
}

// setup is how the kinds of puzzles differ. Types that implement it are comparable.
type setup[G, P any] interface {
	comparable
	// ready returns why no guess can be entered yet, or nil.
	ready() error
	// allows returns why a guess cannot follow the turns, or nil.
	allows(turns []marks.Turn[G], guess G) error
	// misfits returns the turns that contradict the last one, which is all green.
	misfits(turns []marks.Turn[G]) []Misfit
	// guess is the guess that a proposal is for.
	guess(proposal P) G
}

// Misfit is a turn that contradicts a last turn that is all green: with its guess as the
// hidden one, the feedback would have been another.
type Misfit struct {
	Turn     int            // from 1
	Feedback marks.Feedback // what it would have had
}

// Why a puzzle cannot be changed as asked. The errors of the rules come from packages
// wordle and pokle; an Attempt in them counts turns from 1.
var (
	// ErrOver: the puzzle is solved, or its guesses are used up.
	ErrOver = errors.New("the puzzle is over")
	// ErrNoGuess: there is feedback, but no guess was entered or proposed that it could
	// be for.
	ErrNoGuess = errors.New("feedback without a guess")
	// ErrNoTurn: the puzzle has no such turn.
	ErrNoTurn = errors.New("no such turn")
	// ErrGreenTurn: only the last turn can be all green.
	ErrGreenTurn = errors.New("only the last turn can be all green")
	// ErrDoubtfulWin: the last turn is all green but contradicts earlier ones, one of which
	// has to be corrected first.
	ErrDoubtfulWin = errors.New("the last turn is all green but contradicts earlier ones")
	// ErrOutdated: the player was looking at an earlier version.
	ErrOutdated = errors.New("the player saw an earlier version")
)

// Status is [game.Playing], [game.Won] or [game.Lost]. A puzzle with [Puzzle.Misfits]
// continues, even after its last attempt: either they are mistyped or the last turn is.
func (p Puzzle[G, P, S]) Status() game.Status {
	switch {
	case p.allGreen() && len(p.Misfits()) == 0:
		return game.Won
	case !p.allGreen() && len(p.Turns) == marks.Attempts:
		return game.Lost
	}
	return game.Playing
}

// Misfits returns the turns, in order, that contradict the last one if that is all green.
func (p Puzzle[G, P, S]) Misfits() []Misfit {
	if !p.allGreen() {
		return nil
	}
	return p.Setup.misfits(p.Turns)
}

// allGreen reports whether the last turn is.
func (p Puzzle[G, P, S]) allGreen() bool {
	n := len(p.Turns)
	return n > 0 && p.Turns[n-1].Feedback == marks.AllGreen
}

// Next returns the guess that feedback without a guess belongs to: the player's own,
// or else the best one proposed. It is the zero value if there is neither.
func (p Puzzle[G, P, S]) Next() G {
	var none G
	if p.Chosen == none && len(p.Proposed) > 0 {
		return p.Setup.guess(p.Proposed[0])
	}
	return p.Chosen
}

// Allows returns nil if the guess can come next. Otherwise the error is [ErrOver],
// [ErrDoubtfulWin], [ErrNoGuess] for the zero value, a *[marks.RepeatedError], or why the rules
// forbid the guess: for words a *[wordle.HardModeError], for boards [ErrNoDeal], a
// *[pokle.TwiceError] or a *[pokle.HeldError].
func (p Puzzle[G, P, S]) Allows(guess G) error {
	var none G
	switch err := p.Setup.ready(); {
	case err != nil:
		return err
	case p.Status() != game.Playing:
		return ErrOver
	case p.allGreen():
		return ErrDoubtfulWin
	case guess == none:
		return ErrNoGuess
	}
	if i := slices.IndexFunc(p.Turns, func(t marks.Turn[G]) bool { return t.Guess.Compare(guess) == 0 }); i >= 0 {
		return &marks.RepeatedError{Attempt: i + 1}
	}
	return p.Setup.allows(p.Turns, guess)
}

// Add returns the puzzle with one more turn. The error is that of [Puzzle.Allows].
// Whether anything fits the turns is not checked.
func (p Puzzle[G, P, S]) Add(t marks.Turn[G]) (Puzzle[G, P, S], error) {
	if err := p.Allows(t.Guess); err != nil {
		return p, err
	}
	p.Turns = append(slices.Clip(p.Turns), t)
	return p.unproposed(), nil
}

// Enter returns the puzzle with one more turn. Without feedback, the guess becomes the player's
// own next one. The error is that of [Puzzle.Allows].
func (p Puzzle[G, P, S]) Enter(guess G, feedback *marks.Feedback) (Puzzle[G, P, S], error) {
	if feedback != nil {
		return p.Add(marks.Turn[G]{Guess: guess, Feedback: *feedback})
	}
	if err := p.Allows(guess); err != nil {
		return p, err
	}
	p.Chosen = guess
	return p, nil
}

// Undo returns the puzzle without its last turn. The guess of that turn comes next
// again, since usually only its feedback was wrong. The error is [ErrNoDeal] or
// [ErrNoTurn].
func (p Puzzle[G, P, S]) Undo() (Puzzle[G, P, S], error) {
	n := len(p.Turns)
	if err := p.Setup.ready(); err != nil {
		return p, err
	}
	if n == 0 {
		return p, ErrNoTurn
	}
	last := p.Turns[n-1].Guess
	p.Turns = append([]marks.Turn[G](nil), p.Turns[:n-1]...) // nil if none is left, as in a new puzzle
	p = p.unproposed()
	p.Chosen = last
	return p, nil
}

// Change returns the puzzle with other feedback for a turn, counted from 1. The error
// is [ErrNoTurn] or [ErrGreenTurn].
func (p Puzzle[G, P, S]) Change(turn int, f marks.Feedback) (Puzzle[G, P, S], error) {
	switch {
	case turn < 1 || turn > len(p.Turns):
		return p, ErrNoTurn
	case f == marks.AllGreen && turn < len(p.Turns):
		return p, ErrGreenTurn
	case p.Turns[turn-1].Feedback == f:
		return p, nil
	}
	p.Turns = slices.Clone(p.Turns)
	p.Turns[turn-1].Feedback = f
	return p.unproposed(), nil
}

// With returns the puzzle with another setup. Its turns stay, even those that the new
// setup would not have allowed.
func (p Puzzle[G, P, S]) With(s S) Puzzle[G, P, S] {
	if p.Setup == s {
		return p
	}
	p.Setup = s
	return p.unproposed()
}

// unproposed returns the puzzle without the guesses proposed and chosen before a change.
func (p Puzzle[G, P, S]) unproposed() Puzzle[G, P, S] {
	var none G
	p.Proposed, p.Chosen = nil, none
	return p
}

// propose returns the puzzle with guesses proposed for the next turn. A guess that the
// player chose is the player's own only while it is not the best of them.
func (p Puzzle[G, P, S]) propose(best []P) Puzzle[G, P, S] {
	p.Proposed = best
	if p.Chosen == p.Setup.guess(best[0]) {
		var none G
		p.Chosen = none
	}
	return p
}
