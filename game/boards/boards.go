// Package boards has the rules of several boards at once: each hides a word, and one guess goes on all boards that are open. It
// scores as package wordle does.
package boards

import (
	"slices"
	"strings"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Most is the most boards of a game.
const Most = 8

// Attempts returns the number of guesses for so many boards: 7 for two, 9 for four and 13 for eight.
func Attempts(boards int) int { return boards + 5 }

// State is one game as a value: the hidden words and the guesses so far. States are equal with == when the games are. [New] makes
// one; the zero State is not a game. It prints without its hidden words. Boards are numbered from 0.
//
// The feedback in its turns is [marks.AllGreen] for the guess with which all boards are found, else 0: see [State.Board].
type State struct {
	marks.Made[wordle.Word]
	hidden [Most]wordle.Word
	boards uint8
}

// New returns a game without guesses. It hides 1 to [Most] words, all different, one on each board.
func New(hidden ...wordle.Word) State {
	s := State{Made: marks.NewMade[wordle.Word](Attempts(len(hidden))), boards: uint8(len(hidden))}
	copy(s.hidden[:], hidden)
	return s
}

// Guess returns the game after one more guess. It does not ask whether the word is in a list. The error is [marks.ErrEnded] or a
// *[marks.RepeatedError], also for a word that has been found; the state returned with it is s.
func (s State) Guess(w wordle.Word) (State, error) {
	if err := s.CheckNew(func(g wordle.Word) bool { return g == w }); err != nil {
		return s, err
	}
	f := marks.AllGreen
	for b := range s.Boards() {
		if s.Hidden(b) != w && s.Found(b) == 0 {
			f = 0
		}
	}
	s.Made = s.Add(w, f)
	return s, nil
}

// Boards returns the number of boards.
func (s State) Boards() int { return int(s.boards) }

// Hidden returns the word of a board. Show it only when the board is found or the game has ended.
func (s State) Hidden(board int) wordle.Word { return s.hidden[board] }

// Words returns the words of all boards: see [State.Hidden]. The caller owns the slice.
func (s State) Words() []wordle.Word { return slices.Clone(s.hidden[:s.boards]) }

// Found returns the number of the guess that found a board, from 1, or 0 for an open board.
func (s State) Found(board int) int {
	for i, t := range s.Turns() {
		if t.Guess == s.hidden[board] {
			return i + 1
		}
	}
	return 0
}

// Board returns the guesses on a board with its feedback, oldest first, up to the one that found it. The caller owns the slice.
func (s State) Board(board int) []wordle.Turn {
	turns := s.Turns()
	if n := s.Found(board); n > 0 {
		turns = turns[:n]
	}
	for i := range turns {
		turns[i].Feedback = wordle.Score(turns[i].Guess, s.hidden[board])
	}
	return turns
}

// All returns [State.Board] for each board.
func (s State) All() (all [][]wordle.Turn) {
	for b := range s.Boards() {
		all = append(all, s.Board(b))
	}
	return all
}

// What follows implements [marks.State].

func (s State) Rewind(n int) marks.State {
	s.Made = s.Made.Rewind(n)
	return s
}
func (s State) Hard() marks.Hardness             { return marks.Off } // the game has no hard mode
func (s State) Fresh(marks.Hardness) marks.State { return New(s.Words()...) }

// Answer returns the words of all boards in their order, with spaces between them.
func (s State) Answer() string {
	var words []string
	for _, w := range s.Words() {
		words = append(words, w.String())
	}
	return strings.Join(words, " ")
}
