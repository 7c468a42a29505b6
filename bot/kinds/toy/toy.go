// Package toy is a third kind of game, for tests only: what works for it works for any
// kind that is added. A letter is hidden, and each guess shows whether the hidden letter
// comes before it in the alphabet or after it.
package toy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
	"fivefold/storage/record"
)

// Kind is the kind of the game.
const Kind game.Kind = "toy"

// letters are those that can be hidden.
const letters = "abcdefghijklmnopqrstuvwxyz"

// State is one game. States are equal with == when the games are.
type State struct {
	marks.Made[string]
	hidden string
}

// New returns a game without a guess, with a letter hidden.
func New(hidden string) State { return State{hidden: hidden} }

var errLetter = errors.New("not a letter from a to z")

// Guess returns the game after one more guess. The error is errLetter, [marks.ErrEnded] or a
// *[marks.RepeatedError]; the state returned with it is s.
func (s State) Guess(letter string) (_ State, err error) {
	if len(letter) != 1 || !strings.Contains(letters, letter) {
		return s, errLetter
	}
	s.Made, err = s.Add(letter, s.Status(), func(g string) bool { return g == letter })
	return s, err
}

// Guess guesses a letter, as it is typed: see [game.Rules].
func Guess(s game.State, typed string) (game.State, error) {
	return s.(State).Guess(typed)
}

// Turns returns the guesses so far. They have no feedback.
func (s State) Turns() []marks.Turn[string] {
	return s.Made.Turns(func(string) marks.Feedback { return 0 })
}

// remaining returns the letters that were possible after the first guesses.
func (s State) remaining(used int) string {
	left := letters
	for _, t := range s.Turns()[:used] {
		before, after, found := strings.Cut(left, t.Guess)
		switch {
		case t.Guess == s.hidden:
			left = s.hidden
		case found && s.hidden < t.Guess:
			left = before
		case found:
			left = after
		}
	}
	return left
}

// Status returns whether the game is still being played or how it ended.
func (s State) Status() game.Status {
	return s.Made.Status(func(g string) bool { return g == s.hidden })
}

// What follows implements [game.State].

func (s State) Rewind(used int) game.State {
	s.Made = s.Made.Rewind(used)
	return s
}
func (s State) Fresh(bool) game.State { return New(s.hidden) }
func (s State) Hard() bool            { return false } // there is no hard mode
func (s State) Answer() string        { return s.hidden }

// Hint is the content of a hint, which is always a suggestion.
type Hint struct{ Letter string }

// Rules returns the rules for a [matches.Manager]. The best guess is the letter in the
// middle of those that are possible. A letter does not come again until half of them
// were hidden.
func Rules() game.Rules {
	return game.Rules{
		Kind: Kind, NoRepeat: len(letters) / 2,
		New: newGame, Guess: Guess, Hint: hint, Review: review,
		Left: func(_ context.Context, s game.State) (left []int, err error) {
			for used := range s.Used() + 1 {
				left = append(left, len(s.(State).remaining(used)))
			}
			return left, nil
		},
	}
}

func newGame(_ context.Context, g game.NewGame) (game.State, error) {
	fresh := slices.DeleteFunc(strings.Split(letters, ""), func(letter string) bool { return slices.Contains(g.Avoid, letter) })
	return New(fresh[g.Pick(len(fresh))]), nil
}

func hint(_ context.Context, m game.Match, kind game.HintKind, _ game.Pick) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	left := m.State.(State).remaining(m.State.Used())
	return Hint{left[len(left)/2:][:1]}, nil
}

func review(_ context.Context, m game.Match) (game.Review, error) {
	s := m.State.(State)
	var r grade.Review[string]
	for i, turn := range s.Turns() {
		before, after := len(s.remaining(i)), len(s.remaining(i+1))
		r.Guesses = append(r.Guesses, grade.Judged[string]{
			Turn: turn, Before: before, After: after, Best: turn.Guess, Skill: 90, Luck: 50, Cut: math.Log2(float64(before) / float64(after)), Proven: true,
		})
	}
	return r, nil
}

// Codecs returns the codecs of every kind of game, and that of the toy.
func Codecs() record.Codecs { return append(kinds.Codecs(), Codec) }

// Codec is how games are stored: by the hidden letter.
var Codec = record.Typed[State, string, string]{
	Kind: Kind, Byte: 't',
	Start: State.Answer,
	New: func(letter string) (State, error) {
		if len(letter) != 1 || !strings.Contains(letters, letter) {
			return State{}, game.ErrDamaged
		}
		return New(letter), nil
	},
	Turns: State.Turns,
	Move:  State.Guess,
	Hint:  func(h game.HintContent) (any, error) { return record.AsType[Hint](h) },
	ReadHint: func(_ game.HintKind, data json.RawMessage) (game.HintContent, error) {
		var h Hint
		err := record.Unmarshal(data, &h)
		return h, err
	},
}.Codec()
