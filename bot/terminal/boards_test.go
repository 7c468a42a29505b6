package terminal

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/wordle"
)

// TestArrange: boards are whole and as large as possible; in little room their latest rows are shown, with at least one guess
// above the typed one.
func TestArrange(t *testing.T) {
	for size, want := range map[[2]int][5]string{
		{120, 40}: {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 large beside", "2 across, 9 small beside", "4 across, 13 tight beside"},
		{80, 24}:  {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 small beside", "2 across, 9 small beside", "4 across, 8 tight"},
		{60, 20}:  {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 small", "2 across, 6 small", "3 across, 4 tight"},
		{40, 20}:  {"1 across, 6 small", "1 across, 12 small", "2 across, 7 small", "2 across, 6 small", "2 across, 2 tight"},
	} {
		m := atTerminal(t)
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for i, game := range [5][2]int{{1, 6}, {1, 13}, {2, 7}, {4, 9}, {8, 13}} {
			g := m.arrange(game[0], game[1], 3)
			got := fmt.Sprintf("%d across, %d %s", g.across, g.rows, [...]string{"tight", "small", "large"}[g.gap+g.high/3])
			if g.beside {
				got += " beside"
			}
			if got != want[i] {
				t.Errorf("%d boards with %d rows in %v: %s, want %s", game[0], game[1], size, got, want[i])
			}
		}
	}
}

// TestKnown: a letter in place is named there, and others as often as the word has them elsewhere.
func TestKnown(t *testing.T) {
	for want, guesses := range map[string][]string{
		"_____": nil, "_____ +AE": {"SLATE"}, "P_PE_ +AR": {"SLATE", "CRONY", "PIPED"}, "__P__ +AP": {"APPLY"}, "P_P__ +A": {"APPLY", "PLUMP"}, "PAPER": {"PAPER"},
	} {
		var rows []bot.Line
		hidden, _ := wordle.ParseWord("paper")
		for _, guess := range guesses {
			w, _ := wordle.ParseWord(guess)
			rows = append(rows, wordgame.LetterTiles(wordle.Turn{Guess: w, Feedback: wordle.Score(w, hidden)}))
		}
		if got := known(rows); got != want {
			t.Errorf("after %v: %q, want %q", guesses, got, want)
		}
	}
}
