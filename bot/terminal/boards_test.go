package terminal

import (
	"fmt"
	"testing"
)

// TestArrange: boards are whole and as large as possible; in little room their latest rows are shown, with at least one guess
// above the typed one.
func TestArrange(t *testing.T) {
	m := atTerminal(t)
	for size, want := range map[[2]int][5]string{ // by columns and rows between header and footer
		{100, 38}: {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 large beside", "2 across, 9 small beside", "4 across, 13 tight beside"},
		{78, 22}:  {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 small beside", "2 across, 9 small beside", "4 across, 8 tight"},
		{60, 18}:  {"1 across, 6 large beside", "1 across, 13 small beside", "2 across, 7 small", "2 across, 6 small", "3 across, 4 tight"},
		{40, 18}:  {"1 across, 6 small", "1 across, 12 small", "2 across, 7 small", "2 across, 6 small", "2 across, 2 tight"},
	} {
		for i, game := range [5][2]int{{1, 6}, {1, 13}, {2, 7}, {4, 9}, {8, 13}} {
			g := m.arrange(game[0], game[1], 3, size[0], size[1])
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
