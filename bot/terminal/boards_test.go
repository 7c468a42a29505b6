package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
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

// TestSeveralBoards: what is typed is on all open boards, with the cursor on the first. A board that is found is only its
// last row. What a guess tells is said after its tiles have turned. A word without a command goes to the game on the board.
func TestSeveralBoards(t *testing.T) {
	typed, slate := regexp.MustCompile(`B\W+R\W+`), regexp.MustCompile(`S\W+L\W+A\W+T\W+E\W`)
	for name, boards := range map[string]int{"duo": 2, "quad": 4, "octo": 8} {
		for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 20}} {
			m, found := atTerminal(t).types("/"+name+" start\r"), 1
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if m.types("slate\r:crane\r"); boards > 2 {
				m.types("aback\r")
				found = 2
			}
			m.types("br")
			rows, cursor := m.screenful()
			text := ansi.Strip(strings.Join(rows, "\n"))
			rows = strings.Split(text, "\n")
			before := strings.Join(rows[:cursor.Y], "\n") + "\n" + string([]rune(rows[cursor.Y])[:cursor.X])
			if n, first := len(typed.FindAllString(text, -1)), len(typed.FindAllString(before, -1)); n != boards-found || first != 1 {
				t.Errorf("%s in %v: %d boards have what is typed, %d before the cursor:\n%s", name, size, n, first, text)
			}
			if n := len(slate.FindAllString(text, -1)); n > boards-found {
				t.Errorf("%s in %v: %d boards have the first guess:\n%s", name, size, n, text)
			}
			for _, row := range rows {
				if len(rows) > size[1] || lipgloss.Width(row) > size[0] {
					t.Errorf("%s in %v: there are %d rows, one of %d columns", name, size, len(rows), lipgloss.Width(row))
				}
			}
			told := fmt.Sprintf("%d ✓ in %d", found, found+1)
			if m.match.Used() != found+1 || !strings.Contains(text, told) {
				t.Errorf("%s in %v: no %q after %d guesses in\n%s", name, size, told, m.match.Used(), text)
			}
			m.hidden = 1
			if text := strings.Join(m.frame(), "\n"); strings.Contains(text, told) {
				t.Errorf("%s in %v: before the last tile turns, the screen is\n%s", name, size, text)
			}
		}
	}
}

// TestStart: the row with which a game began is above the guesses, with what is said of it, on screens that also have a
// keyboard. It is no guess.
func TestStart(t *testing.T) {
	m := atTerminal(t).types("/evil start daily\rslate\r")
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 20}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		rows := m.frame()
		text := strings.Join(rows, "\n")
		if !strings.Contains(rows[1], "start") || !regexp.MustCompile(`S\W+L\W+A\W+T\W+E\W`).MatchString(rows[2]) || !strings.Contains(rows[0], "12 guesses left") {
			t.Errorf("in %v the screen is\n%s", size, text)
		}
		if !regexp.MustCompile(`Q[^\w\n]+W[^\w\n]+E[^\w\n]+R[^\w\n]+T[^\w\n]+Y[^\w\n]+U[^\w\n]+I[^\w\n]+O[^\w\n]+P`).MatchString(strings.ToUpper(text)) {
			t.Errorf("in %v there is no keyboard in\n%s", size, text)
		}
	}
}
