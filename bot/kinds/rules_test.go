package kinds_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
)

// TestAll: every kind can be played in every mode, and lacks nothing.
func TestAll(t *testing.T) {
	lists := wordletest.Lists(t, "crane", "crane")
	all := kinds.All(kinds.Parts{Lists: lists, Words: solver.New(lists), Cards: &boards.Solver{}}).Rules()
	var kinds []game.Kind
	for _, r := range all {
		kinds = append(kinds, r.Kind)
		if want := []game.Mode{game.Together, game.Solo, game.Daily}; !slices.Equal(r.Modes, want) {
			t.Errorf("%s has the modes %q, want %q", r.Kind, r.Modes, want)
		}
		if r.New == nil || r.Hint == nil || r.Review == nil || r.Remaining == nil || r.Narrowing == nil {
			t.Errorf("%s lacks a function", r.Kind)
		}
	}
	if want := []game.Kind{wordgame.Kind, pokergame.Kind}; !slices.Equal(kinds, want) {
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
	}{
		{"words", words, cardMatch},
		{"cards", cards, wordMatch},
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
		if got, err := c.rules.Narrowing(t.Context(), c.match.State); !errors.Is(err, game.ErrKind) || got != nil {
			t.Errorf("%s: the narrowing: %v, %v", c.name, got, err)
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

// TestNarrowing: it is what remains after each number of guesses, for a hidden word too that
// has left the list. It holds a permit while it counts, and gives it back.
func TestNarrowing(t *testing.T) {
	permits := parallel.NewPermits(1)
	lists := wordletest.Lists(t, hintWords, hintWords+" brick fuzzy brace")
	words := solver.New(lists)
	words.Permits = permits
	cards := &boards.Solver{Permits: permits}
	random := rand.New(rand.NewPCG(21, 22))
	check := func(r game.Rules, s game.State) {
		t.Helper()
		got, err := r.Narrowing(t.Context(), s)
		if err != nil || len(got) != s.Used()+1 {
			t.Fatalf("%v after %d guesses: %v, %v", s, s.Used(), got, err)
		}
		for used, n := range got {
			if want, err := r.Remaining(t.Context(), s, used); err != nil || n != want {
				t.Errorf("%v after %d guesses: %d, want %d, %v", s, used, n, want, err)
			}
		}
	}
	wordRules := wordgame.Rules(lists, words)
	for _, hidden := range append(lists.Answers(), wordle.MustParse("brace")) {
		s := game.State(wordgame.State{State: wordle.NewState(hidden, false)})
		for s.Status() == game.Playing {
			if next, err := wordgame.Move(lists, lists.Guesses()[random.IntN(len(lists.Guesses()))])(s); err == nil {
				s = next
				check(wordRules, s)
			}
		}
	}
	cardRules := pokergame.Rules(cards)
	_, match := newPokle(t)
	s := match.State
	deal := s.(pokergame.State).Deal()
	list, err := cards.List(t.Context(), deal)
	if err != nil {
		t.Fatal(err)
	}
	for s.Status() == game.Playing {
		if next, err := pokergame.Move(list.Boards[random.IntN(len(list.Boards))])(s); err == nil {
			s = next
			check(cardRules, s)
		}
	}
	// With a permit for brief work taken, and one for a search, it waits for its turn.
	synctest.Test(t, func(t *testing.T) {
		permits := parallel.NewPermits(1)
		words.Permits, cards.Permits = permits, permits
		var held []*parallel.Permit
		for _, c := range []parallel.Cost{parallel.Search, parallel.Brief} {
			p, err := permits.Acquire(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, p)
		}
		for _, c := range []struct {
			rules game.Rules
			state game.State
		}{{wordRules, wordgame.State{State: wordle.NewState(lists.Answers()[0], false)}}, {cardRules, s}} {
			if got, err := c.rules.Narrowing(t.Context(), c.state); !errors.Is(err, game.ErrBusy) || got != nil {
				t.Errorf("%s without a permit: %v, %v", c.rules.Kind, got, err)
			}
		}
		for _, p := range held {
			p.Release()
		}
		for _, stats := range permits.Stats() {
			if stats.InUse != 0 {
				t.Errorf("%d permits are still held", stats.InUse)
			}
		}
	})
}
