package solve

import (
	"context"
	"errors"
	"testing"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// turns are guesses with their feedback.
func turns(t *testing.T, hidden string, guesses ...string) []wordle.Turn {
	t.Helper()
	var all []wordle.Turn
	for _, guess := range guesses {
		w := wordle.MustParse(guess)
		all = append(all, wordle.Turn{Guess: w, Feedback: wordle.Score(w, wordle.MustParse(hidden))})
	}
	return all
}

// TestSamePosition: what is typed is a daily puzzle's position if it has the only line of it, or a later one, or says
// the same.
func TestSamePosition(t *testing.T) {
	b := newBot(t)
	for _, c := range []struct {
		name         string
		daily, typed []wordle.Turn
		want         bool
	}{
		{"nothing", nil, nil, false},
		{"no guess in the daily", nil, turns(t, "crane", "slate"), false},
		{"nothing typed", turns(t, "crane", "slate"), nil, false},
		{"the only line", turns(t, "crane", "slate"), turns(t, "crane", "slate"), true},
		{"other feedback", turns(t, "crane", "slate"), turns(t, "major", "slate"), false},
		{"another line too", turns(t, "crane", "slate"), turns(t, "crane", "brick", "slate"), true},
		{"the second of two", turns(t, "crane", "slate", "brick"), turns(t, "crane", "brick"), true},
		{"the second of two, and another", turns(t, "crane", "slate", "brick"), turns(t, "crane", "vivid", "brick"), true},
		{"the second of two, with other feedback", turns(t, "crane", "slate", "brick"), turns(t, "major", "brick"), false},
		{"the second of three", turns(t, "crane", "slate", "brick", "grape"), turns(t, "crane", "brick"), true},
		{"the first of two", turns(t, "crane", "slate", "brick"), turns(t, "crane", "slate"), false},
		{"the first of two, and another", turns(t, "crane", "slate", "brick"), turns(t, "crane", "slate", "vivid"), false},
		{"both in another order", turns(t, "crane", "slate", "brick"), turns(t, "crane", "brick", "slate"), true},
		{"two of three", turns(t, "crane", "slate", "brick", "grape"), turns(t, "crane", "grape", "slate"), true},
		{"the same letters elsewhere, which say the same", turns(t, "crane", "slate"), turns(t, "crane", "ltase"), true},
		{"a letter less", turns(t, "crane", "slate"), turns(t, "crane", "zlaze"), false},
	} {
		if got := b.samePosition(c.daily, c.typed); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// TestSameDeal: the order of the players and of their cards makes no other deal, and any place does.
func TestSameDeal(t *testing.T) {
	read := func(text string) pokle.Deal {
		d, err := splitDeal(text).deal()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	daily := read("7d 10c 10h ad 9d js 231 123 231")
	for text, want := range map[string]bool{
		"7d 10c 10h ad 9d js 231 123 231": true,
		"10c 7d 10h ad js 9d 231 123 231": true,
		"9d js 10h ad 7d 10c 132 321 132": true,
		"9d js 7d 10c ad 10h 123 312 123": true,
		"9d js 7d 10c ad 10h 123 312 132": false,
		"7d 10c 10h ad 9d jh 231 123 231": false,
		"7d 10c 10h 9d ad js 231 123 231": false,
	} {
		if got := sameDeal(daily, read(text)); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
	if sameDeal(daily, pokle.Deal{}) {
		t.Error("no deal is the daily's")
	}
}

// TestGuardDailies: without an open daily puzzle all are helped, and nobody is if that is not known.
func TestGuardDailies(t *testing.T) {
	b := newBot(t)
	var open game.Match
	var failed error
	b.GuardDailies(func(_ context.Context, p game.PlayerID, k game.Kind) (game.Match, error) {
		if p != "ana" || open.Kind != k {
			return game.Match{}, failed
		}
		return open, failed
	})
	w := wordle.NewState(wordle.MustParse("crane"), false)
	w, err := w.Guess(wordle.MustParse("slate"))
	if err != nil {
		t.Fatal(err)
	}
	word := solve.WordPuzzle{Turns: w.Turns()}
	check := func(when string, player game.PlayerID, fed bool) {
		t.Helper()
		err := b.Words.Guard(t.Context(), player, word)
		if errors.As(err, new(*fedError)) != fed || !fed && !errors.Is(err, failed) {
			t.Errorf("%s %s is told %v", when, player, err)
		}
	}
	check("without a daily puzzle", "ana", false)
	open = game.Match{Kind: wordgame.Kind, State: w}
	check("with one", "ana", true)
	check("with another's", "ben", false)
	open.Hints = []game.Hint{{Kind: game.HintLetter, After: 1}, {Kind: game.HintSuggestion}}
	check("after other hints", "ana", true)
	open.Hints = append(open.Hints, game.Hint{Kind: game.HintSuggestion, After: 1})
	check("after a suggestion", "ana", false)
	word.Turns = append(word.Turns, turns(t, "crane", "brick")...)
	check("after a suggestion, with a line more", "ana", true)
	open.State, err = w.Guess(wordle.MustParse("brick"))
	if err != nil {
		t.Fatal(err)
	}
	check("after the next guess", "ana", true)
	open.Hints = append(open.Hints, game.Hint{Kind: game.HintSuggestion, After: 2})
	check("after a suggestion for that", "ana", false)
	failed = errors.New("the store is away")
	check("when it is not known", "ana", false)
	if err := b.Boards.Guard(t.Context(), "ana", solve.BoardPuzzle{}); !errors.Is(err, failed) {
		t.Errorf("a board: %v", err)
	}
}
