// Package toy is a third kind of game, for tests only: what works for it works for any
// kind that is added. A letter is hidden, and each guess shows whether the hidden letter
// comes before it in the alphabet or after it.
package toy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Kind is the kind of the game.
const Kind game.Kind = "toy"

// letters are those that can be hidden.
const letters = "abcdefghijklmnopqrstuvwxyz"

// State is one game. States are equal with == when the games are.
type State struct {
	hidden  byte
	guesses string // a letter each
}

// New returns a game without a guess, with a letter from a to z hidden.
func New(hidden byte) State { return State{hidden: hidden} }

// Why a guess is refused.
var (
	errEnded    = errors.New("the game has ended")
	errLetter   = errors.New("not a letter from a to z")
	errRepeated = errors.New("the letter was guessed before")
)

// Guess returns the game after one more guess. The error is errEnded, errLetter or
// errRepeated; the state returned with it is s.
func (s State) Guess(letter byte) (State, error) {
	switch {
	case s.Status() != game.Playing:
		return s, errEnded
	case strings.IndexByte(letters, letter) < 0:
		return s, errLetter
	case strings.IndexByte(s.guesses, letter) >= 0:
		return s, errRepeated
	}
	s.guesses += string(letter)
	return s, nil
}

// Move makes a guess: see [game.Manager.Move].
func Move(letter byte) func(game.State) (game.State, error) {
	return func(s game.State) (game.State, error) { return s.(State).Guess(letter) }
}

// Guesses returns the letters guessed, in their order.
func (s State) Guesses() string { return s.guesses }

// remaining returns the letters that were possible after the first guesses.
func (s State) remaining(used int) string {
	left := letters
	for _, letter := range []byte(s.guesses[:used]) {
		at := strings.IndexByte(left, letter)
		switch {
		case s.hidden == letter:
			left = string(letter)
		case at >= 0 && s.hidden < letter:
			left = left[:at]
		case at >= 0:
			left = left[at+1:]
		}
	}
	return left
}

// Status implements [game.State].
func (s State) Status() game.Status {
	switch {
	case strings.HasSuffix(s.guesses, s.Answer()):
		return game.Won
	case s.Left() == 0:
		return game.Lost
	}
	return game.Playing
}

// Used implements [game.State].
func (s State) Used() int { return len(s.guesses) }

// Left implements [game.State].
func (s State) Left() int { return game.MaxAttempts - len(s.guesses) }

// Hard implements [game.State]: there is no hard mode.
func (s State) Hard() bool { return false }

// Rewind implements [game.State].
func (s State) Rewind(used int) game.State {
	return State{s.hidden, s.guesses[:min(used, len(s.guesses))]}
}

// Fresh implements [game.State].
func (s State) Fresh(bool) game.State { return New(s.hidden) }

// Answer implements [game.State].
func (s State) Answer() string { return string(rune(s.hidden)) }

// String implements [game.State].
func (s State) String() string { return fmt.Sprintf("toy game after %d guesses", s.Used()) }

// GoString is String.
func (s State) GoString() string { return "toy.State(" + s.String() + ")" }

// Hint is the content of a hint, which is always a suggestion.
type Hint struct{ Letter byte }

// Rules returns the rules for a [game.Manager]. The best guess is the letter in the
// middle of those that are possible. A letter does not come again until half of them
// were hidden.
func Rules() game.Rules {
	return game.Rules{
		Kind: Kind, Modes: []game.Mode{game.Together, game.Solo, game.Daily}, NoRepeat: len(letters) / 2,
		New: newGame, Hint: hint, Review: review, Remaining: remaining,
	}
}

func newGame(_ context.Context, g game.NewGame) (game.State, error) {
	var fresh []byte
	for _, letter := range []byte(letters) {
		if !slices.Contains(g.Avoid, string(rune(letter))) {
			fresh = append(fresh, letter)
		}
	}
	return New(fresh[g.Pick(len(fresh))]), nil
}

func hint(_ context.Context, m game.Match, kind game.HintKind, _ game.Pick) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	s := m.State.(State)
	left := s.remaining(s.Used())
	return Hint{left[len(left)/2]}, nil
}

func review(_ context.Context, m game.Match) (game.Review, error) {
	s := m.State.(State)
	var r grade.Review[string]
	for i, letter := range []byte(s.guesses) {
		before, after := s.remaining(i), s.remaining(i+1)
		at := strings.IndexByte(before, letter)
		skill := 0.0 // of a letter that had been ruled out
		if at >= 0 {
			skill = 99 * (1 - math.Abs(float64(len(before)-1-2*at))/float64(len(before)))
		}
		r.Guesses = append(r.Guesses, grade.Judged[string]{
			Turn: marks.Turn[string]{Guess: string(rune(letter))}, Before: len(before), After: len(after), Best: before[len(before)/2:][:1],
			Skill: skill, Luck: 50, Cut: math.Log2(float64(len(before)) / float64(len(after))), Proven: true,
		})
	}
	return r, nil
}

func remaining(_ context.Context, s game.State, used int) (int, error) {
	return len(s.(State).remaining(used)), nil
}
