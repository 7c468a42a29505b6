package game_test

import (
	"math"
	"testing"

	"fivefold/game"
)

// creditsOf returns the credits of a match by player, in thousandths.
func creditsOf(t *testing.T, m machine, match game.Match) map[game.PlayerID]int {
	t.Helper()
	left, err := m.Remaining(t.Context(), match)
	if err != nil {
		t.Fatal(err)
	}
	credits := map[game.PlayerID]int{}
	for _, c := range match.Credit(left) {
		credits[c.Player] = int(math.Round(1000 * c.Cut))
	}
	return credits
}

// TestCredit: the players who narrowed the answer down get the credit, not the one who types the last word that is left.
func TestCredit(t *testing.T) {
	answers, guesses := "crane crate grape grace trace slate mound fuzzy", "brick"
	for _, c := range []struct {
		name, script string
		ana, ben     int
	}{
		// 8 words, of which SLATE leaves CRANE, GRAPE and GRACE, and BRICK of these CRANE.
		{"a late guess", "ana start; ana guess slate; ana guess brick; ben guess crane", 1000, 0},
		{"both moved it", "ana start; ana guess slate; ben guess brick; ben guess crane", 472, 528},
		{"at once", "ana start; ana guess crane", 0, 0},
		{"alone", "ana start; ana guess slate; ana guess brick; ana guess crane", 0, 0},
		{"given up", "ana start; ana guess slate; ben guess brick; ben guess mound; ana stop", 0, 0},
		{"being played", "ana start; ana guess slate; ben guess brick", 0, 0},
	} {
		m := newManager(newMemory(), mustLists(t, answers, guesses))
		match := mustPlay(t, m, place, c.script)
		if got := creditsOf(t, m, match); got["ana"] != c.ana || got["ben"] != c.ben {
			t.Errorf("%s: the credits are %v, want %d and %d", c.name, got, c.ana, c.ben)
		}
	}
}

// TestCreditNotKnown: where nothing is known of what was left, or no guess cut anything, there is no credit.
func TestCreditNotKnown(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate brick"))
	match := mustPlay(t, m, place, "ana start; ana guess slate; ben guess brick; ana guess crane")
	for _, left := range [][]int{nil, {2, 1, 0, 0}, {1, 2, 3, 4}, {7, 7, 7, 7}} {
		if got := match.Credit(game.OnOneBoard(left)); len(got) > 0 {
			t.Errorf("of %v left, the credits are %v", left, got)
		}
	}
}

// TestCreditOnBoards: of several boards, credit goes by the bits cut on all of them: halving one of two is as much as halving the other,
// however many words it has.
func TestCreditOnBoards(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate brick"))
	match := mustPlay(t, m, place, "ana start; ana guess slate; ben guess brick; ana guess crane")
	got := match.Credit([]game.Possible{{512, 4}, {256, 4}, {256, 1}, {256, 1}})
	if len(got) != 2 || got[0].Player != "ben" || math.Round(100*got[0].Cut) != 67 || math.Round(100*got[1].Cut) != 33 {
		t.Errorf("got %+v", got)
	}
	if got := match.Credit([]game.Possible{{512, 4}, {256, 4}, {0, 1}, {0, 1}}); got != nil {
		t.Errorf("with nothing possible on a board: %+v", got)
	}
}
