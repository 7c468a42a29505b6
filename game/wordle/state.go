package wordle

import "fivefold/game/marks"

// Attempts is the number of guesses a game has.
const Attempts = marks.Attempts

// Turn is a guess that was made, and the feedback it got.
type Turn = marks.Turn[Word]

// RepeatedError says that the word was guessed before.
type RepeatedError = marks.RepeatedError

// State is one game as a value: the hidden word, whether it is in hard mode,
// and the guesses so far. States are equal with == when the games are. [NewState]
// makes one; the zero State is not a game. It prints without its hidden word.
type State struct {
	marks.Made[Word]
	hidden Word
	hard   bool
}

// NewState returns a game without guesses.
func NewState(hidden Word, hard bool) State {
	return State{hidden: hidden, hard: hard}
}

// Guess returns the game after one more guess. It does not ask whether the word
// is in a list. The error is [marks.ErrEnded], a *[RepeatedError] or a
// *[HardModeError]; the state returned with it is s.
func (s State) Guess(w Word) (State, error) {
	made, err := s.Add(w, s.Status(), func(g Word) bool { return g == w })
	if err == nil && s.hard {
		err = CheckHard(s.Turns(), w)
	}
	if err == nil {
		s.Made = made
	}
	return s, err
}

// Turns returns the guesses so far with their feedback, oldest first. The
// caller owns the slice.
func (s State) Turns() []Turn {
	return s.Made.Turns(func(g Word) Feedback { return Score(g, s.hidden) })
}

// Hard reports whether the game is in hard mode.
func (s State) Hard() bool { return s.hard }

// Hidden returns the word to find. Show it only at the end of a game, or a part of it as
// a hint.
func (s State) Hidden() Word { return s.hidden }

// Status returns whether the game is still being played or how it ended.
func (s State) Status() marks.Status {
	return s.Made.Status(func(g Word) bool { return g == s.hidden })
}

// What follows implements [marks.State].

func (s State) Rewind(n int) marks.State {
	s.Made = s.Made.Rewind(n)
	return s
}
func (s State) Fresh(hard bool) marks.State { return NewState(s.hidden, hard) }
func (s State) Answer() string              { return s.hidden.String() }
