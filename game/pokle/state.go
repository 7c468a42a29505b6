package pokle

import "fivefold/game/marks"

// Attempts is the number of guesses a game has.
const Attempts = 6

// Step is one accepted guess, as it was written, and its feedback. The word game calls this a turn; here a [Turn] is a street.
type Step = marks.Turn[Board]

// State is one game as a value: the deal, the hidden board and the guesses so far. States are equal with == when the games are.
// [NewState] makes one; the zero State is not a game. It prints without its hidden board.
type State struct {
	marks.Made[Board]
	deal   Deal
	hidden Board
}

// NewState returns a game without guesses. The deal must be valid, and the hidden board must fit it.
func NewState(deal Deal, hidden Board) State {
	return State{Made: marks.NewMade[Board](Attempts), deal: deal, hidden: hidden.Canonical()}
}

// Guess returns the game after one more guess. A board that does not fit the deal counts like any other: it may be guessed for
// its feedback. The error is [marks.ErrEnded], a *[marks.RepeatedError], a *[TwiceError] or a *[HeldError]; the state returned
// with it is s.
func (s State) Guess(b Board) (State, error) {
	if err := s.CheckNew(func(g Board) bool { return g.Compare(b) == 0 }); err != nil {
		return s, err
	}
	if err := s.deal.Allows(b); err != nil {
		return s, err
	}
	s.Made = s.Add(b, s.deal.Score(b, s.hidden))
	return s, nil
}

// Deal returns what players know before they guess.
func (s State) Deal() Deal { return s.deal }

// Hidden returns the board to find, in canonical form. Show it only at the end of a game.
func (s State) Hidden() Board { return s.hidden }

// What follows implements [marks.State]. There is no hard mode.

func (s State) Hard() marks.Hardness { return marks.Off }
func (s State) Rewind(n int) marks.State {
	s.Made = s.Made.Rewind(n)
	return s
}
func (s State) Fresh(marks.Hardness) marks.State { return NewState(s.deal, s.hidden) }
func (s State) Answer() string                   { return s.hidden.String() }
