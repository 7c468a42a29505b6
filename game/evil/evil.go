// Package evil has the rules of the word that dodges. No word is hidden: each guess gets the feedback that keeps the most words
// possible, until a guess leaves no other word.
package evil

import (
	"errors"
	"slices"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Attempts is the number of guesses a game has.
const Attempts = marks.MostAttempts

// Answer returns the feedback of a guess and the words it keeps, in their order. At least one word must be left.
func Answer(left []wordle.Word, guess wordle.Word) (f wordle.Feedback, kept []wordle.Word) {
	var words [wordle.Feedbacks]int
	feedback := make([]wordle.Feedback, len(left))
	for i, w := range left {
		feedback[i] = wordle.Score(guess, w)
		words[feedback[i]]++
	}
	f = Choose(&words)
	for i, w := range left {
		if feedback[i] == f {
			kept = append(kept, w)
		}
	}
	return f, kept
}

// Choose returns the feedback of a guess, from the numbers of words that each feedback keeps: the one with the most. Of equal ones
// it is the one with the fewest green marks, then the fewest yellow ones, then the first in the order of marks: grey before yellow
// before green at the first place where they differ.
func Choose(words *[wordle.Feedbacks]int) (f wordle.Feedback) {
	for g, n := range words {
		if n > words[f] || n == words[f] && helps[g] < helps[f] {
			f = wordle.Feedback(g)
		}
	}
	return f
}

// helps orders feedbacks by how much they help: by greens, then yellows, then their marks.
var helps = func() (all [wordle.Feedbacks]int) {
	for f := range all {
		count, order := 0, 0
		for i := range wordle.Length {
			mark := wordle.Feedback(f).Mark(i)
			count += [...]int{wordle.Black: 0, wordle.Yellow: 1, wordle.Green: wordle.Length + 1}[mark]
			order = 3*order + int(mark)
		}
		all[f] = wordle.Feedbacks*count + order
	}
	return all
}()

// State is one game as a value: its start, if it has one, and the guesses so far. States are equal with == when the games are.
type State struct {
	marks.Made[wordle.Word]
	start wordle.Turn
	// could has a word that was left at the start and after each guess. So a game goes on with it if new lists have none.
	could [Attempts + 1]wordle.Word
}

// New returns a game without guesses. A start is a word with its feedback, which doesn't count as a guess; the zero Turn is no
// start. Could is a word that it leaves.
func New(start wordle.Turn, could wordle.Word) State {
	s := State{Made: marks.NewMade[wordle.Word](Attempts), start: start}
	s.could[0] = could
	return s
}

// ErrStart means that a guess is the word of the start.
var ErrStart = errors.New("the word of the start")

// Guess returns the game after one more guess, of which the answers of a list may be the word. The error is [ErrStart],
// [marks.ErrEnded] or a *[marks.RepeatedError]; the state returned with it is s.
func (s State) Guess(answers []wordle.Word, w wordle.Word) (State, error) {
	f, kept := Answer(s.Left(answers), w)
	return s.With(wordle.Turn{Guess: w, Feedback: f}, kept[0])
}

// With is [State.Guess] for a guess whose feedback, and a word that it leaves, are known.
func (s State) With(t wordle.Turn, could wordle.Word) (State, error) {
	if t.Guess == s.start.Guess {
		return s, ErrStart
	}
	if err := s.CheckNew(func(g wordle.Word) bool { return g == t.Guess }); err != nil {
		return s, err
	}
	s.Made = s.Add(t.Guess, t.Feedback)
	s.could[s.Used()] = could
	return s, nil
}

// Start returns the word the game started with and its feedback, or the zero Turn.
func (s State) Start() wordle.Turn { return s.start }

// Seen returns the start, if there is one, and the guesses.
func (s State) Seen() []wordle.Turn {
	return slices.DeleteFunc(append([]wordle.Turn{s.start}, s.Turns()...), func(t wordle.Turn) bool { return t.Guess == 0 })
}

// Left returns the answers that can still be the word, in their order. It is never empty.
func (s State) Left(answers []wordle.Word) []wordle.Word {
	seen := s.Seen()
	left := slices.DeleteFunc(slices.Clone(answers), func(w wordle.Word) bool {
		return slices.ContainsFunc(seen, func(t wordle.Turn) bool { return wordle.Score(t.Guess, w) != t.Feedback })
	})
	if len(left) == 0 {
		left = append(left, s.Could())
	}
	return left
}

// Could returns a word that can still be the answer, or was it.
func (s State) Could() wordle.Word { return s.could[s.Used()] }

// What follows implements [marks.State].

func (s State) Rewind(n int) marks.State {
	clear(s.could[n+1:])
	s.Made = s.Made.Rewind(n)
	return s
}
func (s State) Hard() marks.Hardness             { return marks.Off }
func (s State) Fresh(marks.Hardness) marks.State { return New(s.start, s.could[0]) }
func (s State) Answer() string                   { return s.Could().String() }
