// Package toy is a third kind of game, for tests. It shows that a kind can be added, and how much code a kind takes. A
// letter is hidden; each guess tells whether the letter comes before or after it in the alphabet.
package toy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
	"fivefold/storage/record"
)

// Kind is the kind of the toy.
const Kind game.Kind = "toy"

// attempts is how many guesses a game has.
const attempts = 6

// letters are the possible answers and guesses.
const letters = "abcdefghijklmnopqrstuvwxyz"

// State is one game. Equal games compare equal by ==.
type State struct {
	marks.Made[string]
	hidden string
}

// New returns a game with a hidden letter and no guess.
func New(hidden string) State { return State{marks.NewMade[string](attempts), hidden} }

var errLetter = errors.New("not a letter from a to z")

// Guess returns the game after one more guess. The error is errLetter, [marks.ErrEnded] or a *[marks.RepeatedError];
// the game is then unchanged.
func (s State) Guess(letter string) (_ State, err error) {
	if len(letter) != 1 || !strings.Contains(letters, letter) {
		return s, errLetter
	}
	if err = s.CheckNew(func(g string) bool { return g == letter }); err != nil {
		return s, err
	}
	var f marks.Feedback
	if letter == s.hidden {
		f = marks.AllGreen
	}
	s.Made = s.Add(letter, f)
	return s, nil
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

// The other methods of [game.State].

func (s State) Rewind(used int) game.State {
	s.Made = s.Made.Rewind(used)
	return s
}
func (s State) Fresh(marks.Hardness) game.State { return New(s.hidden) }
func (s State) Hard() marks.Hardness            { return marks.Off } // the toy has no hard mode
func (s State) Answer() string                  { return s.hidden }

// Hint is the content of a hint. All hints are suggestions.
type Hint struct{ Letter string }

// Game is the kind: its rules, display and codec. The best guess is the middle one of the possible letters.
type Game struct{ face.Plain }

// All returns the kind with all its parts.
func (g Game) All() kinds.Kind { return kinds.Kind{Rules: g, Codec: g, Face: g.Face()} }

func (Game) Kind() game.Kind                                        { return Kind }
func (Game) Races() bool                                            { return false }
func (Game) Attempts() int                                          { return attempts }
func (Game) NoRepeat() int                                          { return len(letters) / 2 }
func (Game) Given(string) (game.State, error)                       { return nil, game.ErrKind }
func (Game) Difficulty(context.Context, game.State) (string, error) { return "", nil }
func (Game) Guess(s game.State, typed string) (game.State, error)   { return s.(State).Guess(typed) }

func (Game) New(_ context.Context, n game.NewGame) (game.State, error) {
	fresh := slices.DeleteFunc(strings.Split(letters, ""), func(letter string) bool { return slices.Contains(n.Avoid, letter) })
	return New(fresh[n.Pick(len(fresh))]), nil
}

func (Game) Remaining(_ context.Context, s game.State) (left []game.Possible, err error) {
	for used := range s.Used() + 1 {
		left = append(left, game.Possible{len(s.(State).remaining(used))})
	}
	return left, nil
}

func (Game) Hint(_ context.Context, m game.Match, kind game.HintKind, _ game.Pick, _ []string) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	left := m.State.(State).remaining(m.State.Used())
	return Hint{left[len(left)/2:][:1]}, nil
}

func (Game) Review(_ context.Context, m game.Match) (game.Review, error) {
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

// Codecs returns the codecs of every kind of game and of the toy.
func Codecs() record.Codecs { return append(kinds.Codecs(), Game{}) }

// form is a game as it is stored.
type form struct {
	Hidden  string `json:"hidden"`
	Guesses []string
}

func (Game) Byte() byte { return 't' }

func (Game) Form(s game.State) record.Form {
	if s == nil {
		return new(form)
	}
	return &form{s.Answer(), bot.Each(s.(State).Turns(), func(t marks.Turn[string]) string { return t.Guess })}
}

func (f *form) State() (game.State, error) {
	if len(f.Hidden) != 1 || !strings.Contains(letters, f.Hidden) {
		return nil, game.ErrDamaged
	}
	return record.Replay(New(f.Hidden), f.Guesses, State.Guess)
}

func (Game) ReadHint(_ game.HintKind, data json.RawMessage) (game.HintContent, error) {
	var h Hint
	err := record.Unmarshal(data, &h)
	return h, err
}
func (Game) ReadReview(data []byte) (game.Review, error) { return record.ReadReview[string](data) }
