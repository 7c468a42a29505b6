package terminal

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// boardsToDraw returns a match of each kind with a number of guesses.
func boardsToDraw(t *testing.T, guesses int) []game.Match {
	t.Helper()
	word := wordle.NewState(wordle.MustParse("crane"), true)
	cards := pokle.NewState(pokle.Deal{Holes: holes(t, "as ah", "ad ac", "qs qh"), Places: [3]pokle.Places{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}}}, mustBoard(t, "2c 3d 10h 4s ks"))
	for i := range guesses {
		var err error
		if word, err = word.Guess(wordle.MustParse([]string{"grace", "brace", "trace", "craze", "crate", "crane"}[i])); err != nil {
			t.Fatal(err)
		}
		if cards, err = cards.Guess(mustBoard(t, []string{"2c 3d 10h 4s", "3c 4d 10h 5s", "4c 5d 10h 6s", "5c 6d 10h 7s", "6c 7d 10h 8s", "7c 8d 10h 9s"}[i]+" kd")); err != nil {
			t.Fatal(err)
		}
	}
	return []game.Match{
		{Kind: wordgame.Kind, Mode: game.Solo, State: word},
		{Kind: pokergame.Kind, Puzzle: game.DailyPuzzle(326), Mode: game.Daily, State: cards},
	}
}

func mustBoard(t *testing.T, text string) pokle.Board {
	t.Helper()
	b, err := pokle.ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestViewFits: a screen of any size shows the typed line, and no more than fits. From 40 columns on, it cuts nothing
// off.
func TestViewFits(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	for _, match := range boardsToDraw(t, 3) {
		for _, width := range []int{10, 39, 40, 56, 80, 120} {
			for height := 1; height <= 45; height += 2 {
				m := &model{person: somebody(), input: newInput(), renderer: inColour, width: width, height: height}
				m.match = &match
				m.say(strings.Repeat("What was said, at some length. /a/long/path/without/any/space/in/it/at/all\n", 20))
				m.input.SetValue("slate")
				m.candidates = []string{"/wordle start", "/wordle stop"}
				rows, _ := m.screenful()
				content := strings.Join(rows, "\n")
				if most := max(height, 1+len(m.candidateRows())); len(rows) > most || !strings.Contains(content, "ana> ") {
					t.Fatalf("in %d×%d there are %d rows:\n%s", width, height, len(rows), content)
				}
				for _, row := range rows {
					if width >= 40 && tty.Width(row) > width {
						t.Fatalf("in %d×%d a row takes %d columns: %q", width, height, tty.Width(row), row)
					}
				}
			}
		}
	}
}

// playing returns a model of 80 columns with the match on the board.
func playing(match *game.Match) *model {
	p := somebody()
	p.Games = &matches.Manager{}
	p.match = match
	return &model{person: p, input: newInput(), renderer: inColour, screen: drawnScreen{out: io.Discard}, width: 80, height: 24}
}

// TestBoardFits: the board and the lines at its end fit on the screen, and each line can be reached.
func TestBoardFits(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	ended := []bot.Line{bot.Text("Streak 1, best streak 1. Hints taken: 0."), bot.Text("Skill 93, luck 38 on average over 12 games."), bot.Text("4.00 attempts on average:")}
	for i := range game.MaxAttempts {
		ended = append(ended, bot.Mono(fmt.Sprint(i+1, " | 0")))
	}
	for _, guesses := range []int{0, 3, 6} {
		for _, match := range append(boardsToDraw(t, guesses), game.Match{}) {
			for _, size := range [][2]int{{40, 20}, {56, 19}, {80, 24}, {120, 40}} {
				for _, own := range []bot.Look{{}, {Text: true}, {Shapes: bot.SquareShapes}} {
					m := playing(nil)
					m.width, m.height, m.renderer.look = size[0], size[1], own
					if match.State != nil {
						m.match = &match
					}
					m.say("Won!\n")
					want := "Enter guesses"
					if guesses == 6 && m.match != nil {
						m.ended = ended
						want = "Ctrl-Y copies"
					}
					rows, _ := m.screenful()
					content := ansi.Strip(strings.Join(rows, "\n"))
					if len(rows) != m.height || !strings.Contains(rows[len(rows)-1], want) {
						t.Fatalf("in %v there are %d rows:\n%s", size, len(rows), content)
					}
					for _, row := range rows {
						if tty.Width(row) > m.width {
							t.Errorf("in %v a row takes %d columns: %q", size, tty.Width(row), row)
						}
					}
					for range 4 * len(m.ended) / len(ended) {
						m.press(tea.KeyPressMsg{Code: tea.KeyPgDown})
						rows, _ = m.screenful()
						content += ansi.Strip(strings.Join(rows, "\n"))
					}
					if !strings.Contains(content, "6 | 0") && m.ended != nil {
						t.Errorf("in %v the statistics are missing:\n%s", size, content)
					}
				}
			}
		}
	}
}

// TestTyped: tiles take only the beginnings of words or cards.
func TestTyped(t *testing.T) {
	for i, keys := range [][2]string{{"ab1-cdefg", "abcde"}, {"1dc0hx2 tS♠9dqckd2", "10h2S9dqckd"}} {
		m := playing(&boardsToDraw(t, 0)[i])
		for _, key := range keys[0] {
			m.press(tea.KeyPressMsg{Code: key, Text: string(key)})
		}
		if got := m.input.Value(); got != keys[1] {
			t.Errorf("%q types %q, want %q", keys[0], got, keys[1])
		}
	}
}

// TestPanel: even a small screen shows the last guess, and marks differ without colours.
func TestPanel(t *testing.T) {
	faces := somebody().Faces
	for i, last := range []string{"[C][R][A] T [E]", " 10♥ "} {
		m := boardsToDraw(t, 5)[i]
		f := faces.Of(m.Kind)
		for rows := 3; rows < 20; rows++ {
			if got := panelText(f, m, 80, rows); strings.Count(got, "\n")+1 > rows || !strings.Contains(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(last, " ", "")) {
				t.Errorf("in %d rows the last guess is missing:\n%s", rows, got)
			}
		}
	}
	keyboard := panelText(faces[0], boardsToDraw(t, 1)[0], 80, 20)
	for _, want := range []string{"Word game, solo · 5 attempts left · hard", "(C)", " g ", "[E][R]", " Q  W "} {
		if !strings.Contains(keyboard, want) {
			t.Errorf("there is no %q in\n%s", want, keyboard)
		}
	}
	if got, want := panelText(faces[0], boardsToDraw(t, 1)[0], 40, 11), "\n             G [R][A](C)[E]"; !strings.Contains(got, want) {
		t.Errorf("the tiles are not in the middle of\n%s", got)
	}
}

func panelText(f face.Face, m game.Match, columns, rows int) string {
	panel, _ := inColour.panel(f, m, columns, rows, noDraft)
	return ansi.Strip(strings.Join(panel, "\n"))
}

// TestKeys: lines are completed and recalled.
func TestKeys(t *testing.T) {
	m := playing(nil)
	m.Games, m.ctx = nil, t.Context()
	for _, step := range []struct {
		msg  tea.Msg
		want string
	}{
		{tea.PasteMsg{Content: "po"}, "po"},
		{tea.KeyPressMsg{Code: tea.KeyTab}, "pokle "},
		{tea.PasteMsg{Content: "rules"}, "pokle rules"}, // after the completed text
		{tea.KeyPressMsg{Code: tea.KeyEnter}, ""},
		{tea.PasteMsg{Content: "he\r\nlp\n"}, "he lp"}, // enters nothing
		{tea.KeyPressMsg{Code: tea.KeyEsc}, ""},
		{tea.PasteMsg{Content: "help"}, "help"},
		{tea.KeyPressMsg{Code: tea.KeyEnter}, ""},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "help"},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "pokle rules"},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "pokle rules"},
		{tea.KeyPressMsg{Code: tea.KeyDown}, "help"},
		{tea.KeyPressMsg{Code: tea.KeyDown}, ""},
		{tea.KeyPressMsg{Code: tea.KeyDown}, ""},
	} {
		if m.Update(step.msg); m.input.Value() != step.want {
			t.Fatalf("after %v the line is %q, want %q", step.msg, m.input.Value(), step.want)
		}
	}
}

// TestAgain: the next match begins like the one that has ended.
func TestAgain(t *testing.T) {
	over := boardsToDraw(t, 6)
	words, cards := over[0], over[1]
	words.HintLimit = game.HintLimit{Limited: true, Most: 2}
	for _, test := range []struct {
		over game.Match
		want map[string]string
	}{
		{words, map[string]string{"mode": "solo", "hard": "true", "hints": "2"}},
		{cards, map[string]string{}},
	} {
		m := playing(&test.over)
		if c := m.next(m.face()); c.command != m.face().Commands.Start || !maps.Equal(c.args, test.want) {
			t.Errorf("the next match is started by %v, want %v", c, test.want)
		}
	}
}

// TestLeaving: lines after the one that leaves are ignored. From the start, the look is the player's.
func TestLeaving(t *testing.T) {
	m := playing(nil)
	m.Games, m.ctx = nil, t.Context()
	m.Bot.Look = func(context.Context, game.PlayerID) (bot.Look, error) { return bot.Look{Text: true}, nil }
	if m.Init(); !m.renderer.look.Text {
		t.Error("at the start the look is not the player's")
	}
	for _, line := range []string{"/quit", "/help"} {
		m.Update(tea.PasteMsg{Content: line})
		m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	}
	if !slices.Equal(m.lines, []string{"/quit"}) {
		t.Errorf("the lines %q are answered", m.lines)
	}
}

// TestSlowAnswers: the screen says that an answer takes long, but only until it is there.
func TestSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, out := playing(nil), new(strings.Builder)
		m.Games, m.ctx, m.screen.out = nil, t.Context(), out
		for took, slow := range map[time.Duration]bool{slowAfter / 5: false, slowAfter: true} {
			m.Bot.Look = func(context.Context, game.PlayerID) (bot.Look, error) {
				time.Sleep(took)
				return bot.Look{}, nil
			}
			out.Reset()
			m.Update(tea.PasteMsg{Content: "/wordle help"})
			m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
			if got := strings.Contains(out.String(), "working …"); got != slow {
				t.Errorf("after %v it is %t that the screen says so", took, got)
			}
			if row := m.screen.rows[23]; strings.TrimSpace(row) != "ana>" {
				t.Errorf("after %v the last row is %q", took, row)
			}
		}
	})
}
