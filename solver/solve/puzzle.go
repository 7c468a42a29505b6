package solve

import (
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/game/marks"
)

// Puzzle is a puzzle that a player plays elsewhere: the guesses with their feedback, and what to guess next. It is a
// value: its methods return a changed puzzle.
//
// G is the type of a guess, P that of a proposal for the next guess, and S that of the settings. The two kinds are
// [WordPuzzle] and [CardPuzzle].
type Puzzle[G guess[G], P any, S setup[G, P]] struct {
	Setup S               `json:",omitzero"`
	Turns []marks.Turn[G] `json:",omitzero"` // only the last can be all green
	// Proposed are guesses to make next, best first. It is empty before they are worked out,
	// while nothing known fits the turns, and at the end.
	Proposed []P `json:",omitzero"`
	Chosen   G   `json:",omitzero"` // the player's own next guess; zero for none
}

type guess[G any] interface {
	comparable
	Compare(G) int // 0 for the same guess
}

// setup is the part of a puzzle that differs by kind: the deal, or hard mode and strategy.
type setup[G, P any] interface {
	comparable
	// Limit returns how many guesses the puzzle has.
	Limit() int
	// allows returns why a guess cannot follow the turns, or nil.
	allows(turns []marks.Turn[G], guess G) error
	// guess returns the guess that the proposal proposes.
	guess(proposal P) G
}

// Why a puzzle cannot be changed as asked. Packages wordle and pokle have the errors of the rules; their field
// Attempt is then the number of a turn, from 1.
var (
	// ErrOver: the puzzle is solved, or its guesses are used up.
	ErrOver = errors.New("the puzzle is over")
	// ErrNoGuess: no guess was entered or proposed for the feedback.
	ErrNoGuess = errors.New("feedback without a guess")
	// ErrNoTurn: the puzzle has no such turn.
	ErrNoTurn = errors.New("no such turn")
	// ErrGreenTurn: only the last turn can be all green.
	ErrGreenTurn = errors.New("only the last turn can be all green")
	// ErrOutdated: the player saw an earlier version.
	ErrOutdated = errors.New("the player saw an earlier version")
)

// Status is [game.Playing], [game.Won] or [game.Lost].
func (p Puzzle[G, P, S]) Status() game.Status {
	switch n := len(p.Turns); {
	case n > 0 && p.Turns[n-1].Feedback == marks.AllGreen:
		return game.Won
	case n == p.Setup.Limit():
		return game.Lost
	}
	return game.Playing
}

// Next returns the player's own next guess, or else the best proposal. Without either it returns the zero G.
func (p Puzzle[G, P, S]) Next() G {
	var zero G
	if p.Chosen == zero && len(p.Proposed) > 0 {
		return p.Setup.guess(p.Proposed[0])
	}
	return p.Chosen
}

// Allows returns nil if the guess can come next. Otherwise the error is [ErrOver], [ErrNoGuess] for the zero G, a
// *[marks.RepeatedError], or an error of the rules: for words a *[wordle.HardModeError], for cards [ErrNoDeal], a
// *[pokle.TwiceError] or a *[pokle.HeldError].
func (p Puzzle[G, P, S]) Allows(guess G) error {
	var zero G
	switch {
	case p.Status() != game.Playing:
		return ErrOver
	case guess == zero:
		return ErrNoGuess
	}
	if i := slices.IndexFunc(p.Turns, func(t marks.Turn[G]) bool { return t.Guess.Compare(guess) == 0 }); i >= 0 {
		return &marks.RepeatedError{Attempt: i + 1}
	}
	return p.Setup.allows(p.Turns, guess)
}

// Enter returns the puzzle with one more turn, which may contradict others. If feedback is nil, the guess becomes the player's own
// next one instead. The error is that of [Puzzle.Allows].
func (p Puzzle[G, P, S]) Enter(guess G, feedback *marks.Feedback) (Puzzle[G, P, S], error) {
	if err := p.Allows(guess); err != nil {
		return p, err
	}
	if feedback == nil {
		p.Chosen = guess
		return p, nil
	}
	p.Turns = append(slices.Clip(p.Turns), marks.Turn[G]{Guess: guess, Feedback: *feedback})
	return p.unproposed(), nil
}

// Undo returns the puzzle without its last turn, or [ErrNoTurn]. The guess of that turn comes next
// again: usually only its feedback was wrong.
func (p Puzzle[G, P, S]) Undo() (Puzzle[G, P, S], error) {
	n := len(p.Turns)
	if n == 0 {
		return p, ErrNoTurn
	}
	last := p.Turns[n-1].Guess
	p.Turns = append([]marks.Turn[G](nil), p.Turns[:n-1]...) // nil without turns, as in a new puzzle
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

// With returns the puzzle with another setup. All turns stay, also those that the new setup would
// forbid.
func (p Puzzle[G, P, S]) With(s S) Puzzle[G, P, S] {
	if p.Setup == s {
		return p
	}
	p.Setup = s
	return p.unproposed()
}

// unproposed returns the puzzle without a guess proposed or chosen.
func (p Puzzle[G, P, S]) unproposed() Puzzle[G, P, S] {
	p.Proposed, p.Chosen = nil, *new(G)
	return p
}

// propose returns the puzzle with guesses proposed. If the player chose the best of them, Chosen becomes zero.
func (p Puzzle[G, P, S]) propose(best ...P) Puzzle[G, P, S] {
	p.Proposed = best
	if p.Chosen == p.Setup.guess(best[0]) {
		p.Chosen = *new(G)
	}
	return p
}
