package wordle

import "fivefold/game/marks"

// Attempts is the number of guesses a game has.
const Attempts = 6

// Turn is a guess that was made, and the feedback it got.
type Turn = marks.Turn[Word]

// State is one game as a value: the hidden word, which guesses it allows, and the guesses so far. States are equal with ==
// when the games are. [NewState] makes one; the zero State is not a game. It prints without its hidden word.
type State struct {
	marks.Made[Word]
	hidden Word
	hard   marks.Hardness
}

// NewState returns a game without guesses.
func NewState(hidden Word, hard marks.Hardness) State {
	return State{Made: marks.NewMade[Word](Attempts), hidden: hidden, hard: hard}
}

// Guess returns the game after one more guess. It does not ask whether the word is in a list. The error is [marks.ErrEnded], a
// *[marks.RepeatedError] or a *[HardModeError]; the state returned with it is s.
func (s State) Guess(w Word) (State, error) {
	if err := s.CheckNew(func(g Word) bool { return g == w }); err != nil {
		return s, err
	}
	if err := CheckClues(s.hard, s.Turns(), w); err != nil {
		return s, err
	}
	s.Made = s.Add(w, Score(w, s.hidden))
	return s, nil
}

// Hidden returns the word to find. Show it only at the end of a game, or a part of it as a hint.
func (s State) Hidden() Word { return s.hidden }

// What follows implements [marks.State].

func (s State) Rewind(n int) marks.State {
	s.Made = s.Made.Rewind(n)
	return s
}
func (s State) Hard() marks.Hardness                  { return s.hard }
func (s State) Fresh(hard marks.Hardness) marks.State { return NewState(s.hidden, hard) }
func (s State) Answer() string                        { return s.hidden.String() }
