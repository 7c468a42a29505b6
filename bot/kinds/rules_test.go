package kinds_test

import (
	"math/rand/v2"
	"testing"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
	"fivefold/solver/poker"
)

// TestLeft compares the counts with the solvers' lists after each guess, also for a hidden word that has left the list.
func TestLeft(t *testing.T) {
	lists := wordletest.Lists(t, hintWords, hintWords+" brick fuzzy brace")
	cards := &poker.Solver{}
	random := rand.New(rand.NewPCG(21, 22))
	check := func(r game.Rules, s game.State, listed func(used int) int) {
		t.Helper()
		got, err := r.Remaining(t.Context(), s)
		if err != nil || len(got) != s.Used()+1 {
			t.Fatalf("%v after %d guesses: %v, %v", s, s.Used(), got, err)
		}
		for used, n := range got {
			if want := listed(used); n.Total() != want || len(n) != 1 {
				t.Errorf("%v after %d guesses: %v, want %d", s, used, n, want)
			}
		}
	}
	words := optimal.New(lists)
	wordRules := wordgame.New(lists, words)
	for _, hidden := range append(lists.Answers(), wordle.MustParse("brace")) {
		s := game.State(wordle.NewState(hidden, marks.Off))
		for s.Status() == game.Playing {
			if next, err := wordRules.Guess(s, lists.Guesses()[random.IntN(len(lists.Guesses()))].String()); err == nil {
				s = next
				check(wordRules, s, func(used int) int { return len(words.Remaining(s.(wordle.State).Turns()[:used])) })
			}
		}
	}
	cardRules := pokergame.New(cards)
	_, match := newPokle(t)
	s := match.State
	deal := s.(pokle.State).Deal()
	list, err := cards.List(t.Context(), deal)
	if err != nil {
		t.Fatal(err)
	}
	for s.Status() == game.Playing {
		if next, err := cardRules.Guess(s, list[random.IntN(len(list))].Plain()); err == nil {
			s = next
			check(cardRules, s, func(used int) int {
				left, _ := cards.Remaining(t.Context(), poker.Position{Deal: deal, Steps: s.(pokle.State).Turns()[:used]})
				return len(left)
			})
		}
	}
}
