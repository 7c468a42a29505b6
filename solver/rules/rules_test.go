package rules_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/rules"
)

// TestAll: every kind can be played in every mode, and lacks nothing.
func TestAll(t *testing.T) {
	lists := wordletest.Lists(t, "crane", "crane")
	all := rules.All(lists, solver.New(lists), &boards.Solver{})
	var kinds []game.Kind
	for _, r := range all {
		kinds = append(kinds, r.Kind)
		if want := []game.Mode{game.Together, game.Solo, game.Daily}; !slices.Equal(r.Modes, want) {
			t.Errorf("%s has the modes %q, want %q", r.Kind, r.Modes, want)
		}
		if r.New == nil || r.Hint == nil || r.Review == nil || r.Remaining == nil {
			t.Errorf("%s lacks a function", r.Kind)
		}
	}
	if want := []game.Kind{game.Wordle, game.Pokle}; !slices.Equal(kinds, want) {
		t.Errorf("the kinds are %q, want %q", kinds, want)
	}
}

// TestOtherKind: the rules of a kind refuse a match of the other one.
func TestOtherKind(t *testing.T) {
	words, lists := newWordle(t, "crane", "slate")
	cards, cardMatch := newPokle(t)
	wordMatch := wordMatch(t, lists, "crane", false)
	for _, c := range []struct {
		name  string
		rules game.Rules
		match game.Match
		guess func(game.State) (game.State, error)
	}{
		{"words", words, cardMatch, rules.GuessWord(lists, wordle.MustParse("slate"))},
		{"cards", cards, wordMatch, rules.GuessBoard(missed(cardMatch))},
	} {
		if got, err := c.rules.Hint(t.Context(), c.match, game.HintSuggestion, first); !errors.Is(err, game.ErrKind) || got != nil {
			t.Errorf("%s: a hint: %v, %v", c.name, got, err)
		}
		if got, err := c.rules.Review(t.Context(), c.match); !errors.Is(err, game.ErrKind) || got != nil {
			t.Errorf("%s: a review: %v, %v", c.name, got, err)
		}
		if _, err := c.rules.Remaining(t.Context(), c.match.State, 0); !errors.Is(err, game.ErrKind) {
			t.Errorf("%s: what remains: %v", c.name, err)
		}
		if next, err := c.guess(c.match.State); !errors.Is(err, game.ErrKind) || !reflect.DeepEqual(next, c.match.State) {
			t.Errorf("%s: a guess: %v, %v", c.name, next, err)
		}
	}
	if _, err := cards.Difficulty(t.Context(), wordMatch.State); !errors.Is(err, game.ErrKind) {
		t.Errorf("a word is rated: %v", err)
	}
}

// TestHintKinds: hints that a kind does not give are refused, since no codec could
// read them again.
func TestHintKinds(t *testing.T) {
	words, lists := newWordle(t, "crane", "slate")
	cards, cardMatch := newPokle(t)
	for _, c := range []struct {
		name  string
		rules game.Rules
		match game.Match
		kind  game.HintKind
		want  error
	}{
		{"a suggestion of a word", words, wordMatch(t, lists, "crane", false), game.HintSuggestion, nil},
		{"a letter of a word", words, wordMatch(t, lists, "crane", false), game.HintLetter, nil},
		{"a position of a word", words, wordMatch(t, lists, "crane", false), game.HintPosition, nil},
		{"nothing known", words, wordMatch(t, lists, "crane", false), "rhyme", game.ErrHint},
		{"a suggestion of a board", cards, cardMatch, game.HintSuggestion, nil},
		{"a letter of a board", cards, cardMatch, game.HintLetter, game.ErrHint},
		{"a position of a board", cards, cardMatch, game.HintPosition, game.ErrHint},
	} {
		got, err := c.rules.Hint(t.Context(), c.match, c.kind, first)
		if !errors.Is(err, c.want) || (got == nil) != (c.want != nil) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}
