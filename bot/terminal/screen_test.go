package terminal

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// atTerminal returns ana's screen of 80×24 with games in memory. The hidden word is always CRANE, and today's puzzle is
// number 332.
func atTerminal(t *testing.T) *model {
	t.Helper()
	store := storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	parts := commandstest.Dependencies(t, store, slog.New(slog.DiscardHandler), func() string { return "crane" })
	now, games := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC), parts.Games
	games.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	handlers := commands.New(parts)
	m := newModel(t.Context(), &Terminal{
		Bot: &bot.Bot{Table: handlers.Table(), Log: slog.New(slog.DiscardHandler)}, Player: "ana", Games: games, Faces: handlers.Play.Faces,
		Out: io.Discard, Screen: true, Colour: true,
	})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.send(m.Init())
	return m
}

// send runs the command of an answer, and shows the answer.
func (m *model) send(cmd tea.Cmd) {
	for m.busy {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			cmd = batch[0]
			continue
		}
		m.Update(msg)
	}
}

// press presses a key.
func (m *model) pressed(k tea.KeyPressMsg) {
	_, cmd := m.Update(k)
	m.send(cmd)
	m.hidden = 0 // all tiles have turned
}

// types presses a key for each character, Enter for \r, and Backspace for \b.
func (m *model) types(keys string) *model {
	for _, key := range keys {
		if key == '\r' {
			m.pressed(tea.KeyPressMsg{Code: tea.KeyEnter})
			continue
		}
		if key == '\b' {
			m.pressed(tea.KeyPressMsg{Code: tea.KeyBackspace})
			continue
		}
		m.pressed(tea.KeyPressMsg{Code: key, Text: string(key)})
	}
	return m
}

// frame returns the rows of the screen without colours.
func (m *model) frame() []string {
	rows, _ := m.screenful()
	return strings.Split(ansi.Strip(strings.Join(rows, "\n")), "\n")
}

// shown is the screen and everything that was said.
func (m *model) shown() string {
	return ansi.Strip(strings.Join(m.said, "\n")) + "\n" + strings.Join(m.frame(), "\n")
}

// shows checks the match on the board, and the texts that are new on the screen.
func (m *model) shows(t *testing.T, k game.Kind, mode game.Mode, used int, texts ...string) {
	t.Helper()
	if m.match == nil || m.match.Kind != k || m.match.Mode != mode || m.match.Used() != used {
		t.Errorf("the board shows %v, want one of %s %q with %d guesses, in\n%s", m.match, k, mode, used, m.shown())
	}
	for _, text := range texts {
		if !strings.Contains(m.shown(), text) {
			t.Errorf("the screen has no %q:\n%s", text, m.shown())
		}
	}
	m.said, m.latest, m.fresh = nil, 0, true
}

// TestNothingMoves: in every frame of a game, the tiles, the keyboard, the header and the footer are where they were in
// the first one, and no row is wider than the screen.
func TestNothingMoves(t *testing.T) {
	for _, size := range []struct{ width, height, x, y, across, down, keysX, keysY int }{
		{80, 24, 1, 2, 6, 3, 33, 2}, {120, 40, 10, 2, 6, 3, 42, 2}, {60, 20, 0, 1, 6, 3, 30, 1}, {40, 20, 10, 1, 4, 1, 5, 8},
	} {
		for _, colour := range []bool{true, false} {
			m := atTerminal(t)
			m.renderer.style = inBrackets
			if colour {
				m.renderer.style = inColours
			}
			m.Update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
			keyboard := ""
			look := func(guesses ...string) {
				t.Helper()
				rows := m.frame()
				text := strings.Join(rows, "\n")
				headed := strings.Contains(rows[0], "Word game") || strings.Contains(rows[0], "CRANE in 3")
				if len(rows) != size.height || !headed || !strings.HasPrefix(strings.TrimSpace(rows[len(rows)-1]), "Enter ") {
					t.Fatalf("%v: the frame is\n%s", size, text)
				}
				keys := ""
				for _, row := range rows[size.keysY : size.keysY+3] {
					keys += strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(strings.ToUpper(string([]rune(row)[size.keysX:])))
				}
				if keyboard == "" && strings.Contains(keys, "Q") {
					keyboard = keys
				}
				if strings.TrimSpace(keys) != strings.TrimSpace(keyboard) {
					t.Fatalf("%v: the keyboard is %q, was %q, in\n%s", size, keys, keyboard, text)
				}
				for n, guess := range guesses {
					for i, letter := range guess {
						if got := []rune(rows[size.y+n*size.down+size.down/2])[size.x+i*size.across+size.down/2+1]; !strings.EqualFold(string(got), string(letter)) {
							t.Fatalf("%v: tile %d of guess %d is %q, want %q, in\n%s", size, i+1, n+1, got, letter, text)
						}
					}
				}
				for _, row := range rows {
					if lipgloss.Width(row) > size.width {
						t.Fatalf("%v: a row takes %d columns: %q", size, lipgloss.Width(row), row)
					}
				}
			}
			look()
			var guesses []string
			for _, guess := range []string{"slate", "zzzzz", "react", "crane"} {
				for i := range guess {
					m.types(guess[i : i+1])
					look(append(slices.Clone(guesses), guess[:i+1])...)
				}
				m.types("\r")
				if guess == "zzzzz" { // refused: it can be mended
					look(append(slices.Clone(guesses), guess)...)
					m.pressed(tea.KeyPressMsg{Code: tea.KeyEscape})
				} else {
					guesses = append(guesses, guess)
				}
				look(guesses...)
			}
			m.types("?")
			look(guesses...)
			m.shows(t, wordgame.Kind, game.Together, 3, "copy the result")
		}
	}
}

// TestEverySize: a screen of any size has no more rows than fit, and shows what is typed.
func TestEverySize(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	for kind, typed := range []string{"bra", "2c3d", "bra", "bra"} {
		m := atTerminal(t)
		m.types([]string{"slate\r", "/pokle start\r", "/octo start\rslate\rcrony\rbumph\r", "/evil start daily\rslate\rcrony\r"}[kind] + typed)
		for _, width := range []int{10, 39, 40, 59, 60, 80, 120} {
			for height := 1; height <= 45; height++ {
				m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				rows, cursor := m.screenful()
				text := ansi.Strip(strings.Join(rows, "\n"))
				if len(rows) > height {
					t.Fatalf("in %d×%d there are %d rows:\n%s", width, height, len(rows), text)
				}
				if height < 3 || width < 40 {
					continue
				}
				row := strings.Split(text, "\n")[cursor.Y]
				if !strings.Contains(row, []string{"A", "3♦", "A", "A"}[kind]) {
					t.Fatalf("in %d×%d the cursor is in %q of\n%s", width, height, row, text)
				}
			}
		}
	}
}

// TestTyped: tiles take only the beginnings of words or cards.
func TestTyped(t *testing.T) {
	for start, keys := range map[string][2]string{"": {"ab1-cdefg", "abcde"}, "/pokle start\r": {"1dc0hx2 tS♠9dqckd2", "10h2S9dqckd"}} {
		if got := atTerminal(t).types(start + keys[0]).input.Value(); got != keys[1] {
			t.Errorf("%q types %q, want %q", keys[0], got, keys[1])
		}
	}
}

// TestRefused: after a refused guess a letter begins the next one, and Backspace mends the old one.
func TestRefused(t *testing.T) {
	for keys, want := range map[string]string{
		"zzzzz\r": "zzzzz", "zzzzz\rca": "ca", "zzzzz\r1": "zzzzz", "zzzzz\r\b": "zzzz", "zzzzz\r\bac": "zzzza", "zzz\rz": "zzzz",
		"slate\rslate\rc": "c", "zzzzzc": "zzzzz", "/pokle start\r2c2c2c2c2c\rkd": "kd",
	} {
		if got := atTerminal(t).types(keys).input.Value(); got != want {
			t.Errorf("%q leaves %q, want %q", keys, got, want)
		}
	}
}

// TestHintKeepsHeading: after a hint the header still says how many guesses are left.
func TestHintKeepsHeading(t *testing.T) {
	for _, start := range []string{"slate\r", "/pokle start\r"} {
		m := atTerminal(t).types(start)
		before := m.frame()[0]
		if m.pressed(tea.KeyPressMsg{Code: tea.KeyTab}); m.frame()[0] != before || !strings.Contains(before, "left") || !strings.Contains(m.shown(), "Try ") {
			t.Errorf("after a hint the header is %q, was %q, in\n%s", m.frame()[0], before, m.shown())
		}
	}
}

// TestKeyHelp: a question mark shows the keys while a guess is typed too. In a line it is text.
func TestKeyHelp(t *testing.T) {
	m := atTerminal(t)
	if m.types("sl?"); m.input.Value() != "sl" || !strings.Contains(m.shown(), "copy the result") {
		t.Errorf("with %q in the tiles the screen is\n%s", m.input.Value(), m.shown())
	}
	if m = atTerminal(t).types("/a?"); m.input.Value() != "/a?" {
		t.Errorf("the line is %q", m.input.Value())
	}
}

// TestNarrowFooter: with few columns, the footer still says how to leave and where the keys are.
func TestNarrowFooter(t *testing.T) {
	m := atTerminal(t)
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 20})
	for _, step := range [][2]string{
		{"slate\r", "Enter guess · ? keys · Ctrl-C quit"}, {"/", "Enter send · Tab complete · Esc back"}, {"wordle stop sure\r", "Enter play again · ? keys · Ctrl-C quit"},
	} {
		if m.types(step[0]); strings.TrimSpace(m.frame()[19]) != step[1] {
			t.Errorf("after %q the footer is %q, want %q", step[0], m.frame()[19], step[1])
		}
	}
}

// TestRefusedOnce: the same refusal again replaces the one that was said last.
func TestRefusedOnce(t *testing.T) {
	m := atTerminal(t).types("zzzzz\r")
	once := slices.Clone(m.said)
	if m.types("\r\r"); !slices.Equal(m.said, once) || !strings.Contains(m.shown(), "ZZZZZ") {
		t.Errorf("the replies are %q, were %q", m.said, once)
	}
	if m.types("?\r"); m.said[len(m.said)-1] != once[len(once)-1] {
		t.Errorf("after the keys the refusal isn't said:\n%s", m.shown())
	}
}

// TestAnswerIsNamed: after a game the panel begins with how it ended, and then says what the answer means.
func TestAnswerIsNamed(t *testing.T) {
	m := atTerminal(t).types("slate\rcrane\r")
	if ends := m.said[len(m.said)-4:]; !strings.Contains(ends[0], "CRANE in 2") || !strings.Contains(ends[1], "bird") {
		t.Errorf("the panel has %q", m.said)
	}
}

// TestWelcomeGoes: the welcome is gone once a game has begun.
func TestWelcomeGoes(t *testing.T) {
	m := atTerminal(t)
	if !strings.Contains(m.shown(), "Welcome, ana!") {
		t.Errorf("no welcome in\n%s", m.shown())
	}
	if m.types("/pokle start\r"); strings.Contains(m.shown(), "Welcome") {
		t.Errorf("the welcome stays in\n%s", m.shown())
	}
}

// TestKeys: lines are completed and recalled, and pasted text enters nothing.
func TestKeys(t *testing.T) {
	m := atTerminal(t)
	for _, step := range []struct {
		msg  tea.Msg
		want string
	}{
		{tea.PasteMsg{Content: "/po"}, "/po"},
		{tea.KeyPressMsg{Code: tea.KeyTab}, "/pokle start"},
		{tea.KeyPressMsg{Code: tea.KeyEscape}, ""},
		{tea.PasteMsg{Content: ":pokle rules"}, "pokle rules"},
		{tea.KeyPressMsg{Code: tea.KeyEnter}, ""},
		{tea.PasteMsg{Content: "/he\r\nlp\n"}, "/he lp"},
		{tea.KeyPressMsg{Code: tea.KeyEscape}, ""},
		{tea.PasteMsg{Content: "/help"}, "/help"},
		{tea.KeyPressMsg{Code: tea.KeyEnter}, ""},
		{tea.PasteMsg{Content: "/"}, "/"},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "/help"},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "pokle rules"},
		{tea.KeyPressMsg{Code: tea.KeyUp}, "pokle rules"},
		{tea.KeyPressMsg{Code: tea.KeyDown}, "/help"},
		{tea.KeyPressMsg{Code: tea.KeyDown}, ""},
		{tea.KeyPressMsg{Code: tea.KeyDown}, ""},
		{tea.KeyPressMsg{Code: tea.KeyEscape}, ""},
		{tea.PasteMsg{Content: "slate\r\ncrane\n"}, "slate"},
	} {
		_, cmd := m.Update(step.msg)
		if m.send(cmd); m.input.Value() != step.want {
			t.Fatalf("after %v the line is %q, want %q", step.msg, m.input.Value(), step.want)
		}
	}
	if m.match != nil {
		t.Errorf("a pasted word began %v", m.match)
	}
	m.pressed(tea.KeyPressMsg{Code: tea.KeyEscape})
	stop, _ := m.Bot.Table.Find("wordle stop")
	if m.types("/wordle st"); !strings.Contains(m.shown(), "/wordle stop "+stop.Help[:15]) {
		t.Errorf("the commands are not explained:\n%s", m.shown())
	}
}

// TestLongReply: a reply that is longer than the screen begins at its top, and can be scrolled.
func TestLongReply(t *testing.T) {
	m := atTerminal(t)
	m.types("/help\r")
	if text := strings.Join(m.frame(), "\n"); !strings.Contains(text, "ana> /help") || !strings.Contains(text, "more: PgDn") {
		t.Errorf("the help does not begin at its top:\n%s", text)
	}
	for range 20 {
		m.pressed(tea.KeyPressMsg{Code: tea.KeyPgDown})
	}
	if text := strings.Join(m.frame(), "\n"); strings.Contains(text, "ana> /help") || strings.Contains(text, "more: PgDn") {
		t.Errorf("the help does not scroll to its end:\n%s", text)
	}
}

// TestNextByTyping: after a game, any word begins the next one like it, as its first guess.
func TestNextByTyping(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle start solo hard\rcrane\r").shows(t, wordgame.Kind, game.Solo, 1, "Ctrl-Y copy")
	m.types("c").shows(t, wordgame.Kind, game.Solo, 1, "│ C │ │   │", "Word game · 6 guesses left", "Enter guess")
	m.types("zzzz\r").shows(t, wordgame.Kind, game.Solo, 0, "CZZZZ", "Solo · hard · 6 guesses left")
	if got := m.input.Value(); got != "czzzz" {
		t.Errorf("%q is left to be mended", got)
	}
	m.pressed(tea.KeyPressMsg{Code: tea.KeyEscape})
	m.types("crane\rcaper\r").shows(t, wordgame.Kind, game.Solo, 1, "Solo · hard · 5 guesses left")
	m.types("/wordle stop sure\r")
	m.pressed(tea.KeyPressMsg{Code: 'y', Mod: tea.ModCtrl})
	m.shows(t, wordgame.Kind, game.Solo, 1, "Copied")
	m.types("\r").shows(t, wordgame.Kind, game.Solo, 0, "Find the five-letter word")

	// A game that was open before is shown before a guess is made in it.
	m.types("/wordle start\rslate\r/wordle start daily\rcrane\r").shows(t, wordgame.Kind, game.Daily, 1)
	m.types("caper\r").shows(t, wordgame.Kind, game.Together, 1, "This game is still open.", "│ C │ │ A │ │ P │ │ E │ │ R │")
	m.types("\r").shows(t, wordgame.Kind, game.Together, 2)

	// So is one of another kind.
	m = atTerminal(t)
	m.types("slate\r/pokle start\r/guess caper\r").shows(t, pokergame.Kind, game.Together, 0, "“caper”")
	m.types(":caper\r").shows(t, wordgame.Kind, game.Together, 1, "This game is still open.")

	// Cards can't be guessed before the hands are seen.
	m = atTerminal(t)
	m.types("/pokle start\r/pokle stop sure\r2c3d4h5s6c\r").shows(t, pokergame.Kind, game.Together, 0, "Find the five cards", "2♣", "possible boards")
}

// TestAgain: the next match begins like the one that has ended.
func TestAgain(t *testing.T) {
	m := atTerminal(t)
	for _, test := range [][2]string{
		{"slate\r/wordle stop sure\r", "/wordle start"},
		{"/wordle start solo hard hints:2\r/wordle stop sure\r", "/wordle start solo hard hints:2"},
		{"/pokle start daily\r/pokle stop sure\r", "/pokle start"},
	} {
		if m.types(test[0]); m.next(m.face()) != test[1] {
			t.Errorf("after %q the next match is started by %q, want %q", test[0], m.next(m.face()), test[1])
		}
	}
}

// TestBoardOfWhatWasStarted: the board shows the latest game, however it was started, and lines without a mode go
// there.
func TestBoardOfWhatWasStarted(t *testing.T) {
	m := atTerminal(t)
	m.types("slate\r/daily 330\r").shows(t, wordgame.Kind, game.Practice, 0, "330")
	m.types("slate\r:guess caper\r").shows(t, wordgame.Kind, game.Practice, 2)
	m.types("/daily 330 pokle\r").shows(t, pokergame.Kind, game.Practice, 0, "330", "flop")
	m.types("/hint\r").shows(t, pokergame.Kind, game.Practice, 0, "Try ")
	m.types("/solve\r").shows(t, pokergame.Kind, game.Practice, 0, "Help with a poker puzzle")
	m.types("/pokle start\r")
	m.pressed(tea.KeyPressMsg{Code: tea.KeyTab})
	m.shows(t, pokergame.Kind, game.Together, 0, "Try ")
	m.types("/wordle board practice\r/hint\r").shows(t, wordgame.Kind, game.Practice, 2, "Try CRANE")
	m.types("/wordle stop sure\r/wordle stop together sure\r/wordle challenge zonky what nobody says\r").shows(t, wordgame.Kind, game.Together, 0, "what nobody says")
	m.types(":as ben\rslate\r").shows(t, wordgame.Kind, game.Together, 1)
}

// TestHintCostIsSaid: a hint in a daily puzzle needs a yes after its cost is shown. It then has the requested kind.
func TestHintCostIsSaid(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle start daily\r/hint position\r").shows(t, wordgame.Kind, game.Daily, 0, "Type yes for “Take a hint”.")
	m.types("no\r/hint\r")
	if len(m.match.Hints) > 0 {
		t.Error("the hint is taken at once")
	}
	m.types("no\r/hint position\ryes\r").shows(t, wordgame.Kind, game.Daily, 0, "Letter 1 is C")
	if len(m.match.Hints) != 1 || m.match.Hints[0].Kind != game.HintPosition {
		t.Errorf("the hints are %v", m.match.Hints)
	}
	m.types("/wordle start solo\r/hint\r").shows(t, wordgame.Kind, game.Solo, 0, "Try ")
}

// TestRaceAtOneTerminal: players of one terminal race and challenge each other. The panel shows how the race goes, and its
// clock.
func TestRaceAtOneTerminal(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle race\r").shows(t, wordgame.Kind, game.Racing, 0, "Race · waiting for players", "ana: 0 guesses")
	m.types("/wordle race\rslate\r").shows(t, wordgame.Kind, game.Racing, 1, "Race · 10 minutes left", "ana: 1 guess")
	m.types("/as ben\r/wordle race\rtrace\r/as ana\r")
	if text := m.shown(); strings.Contains(text, "TRACE") || strings.Count(text, "10 minutes left") != 1 {
		t.Errorf("the race shows a guess of another player, or repeats itself:\n%s", text)
	}
	m.types("/as ben\rcrane\r").shows(t, wordgame.Kind, game.Racing, 2, "1. ben in 2, 0:0", "ana: 1 guess")
	m.types("/as ana\r/wordle challenge solo zonky what nobody says\r")
	m.types(":as ben\r/challenge\r").shows(t, wordgame.Kind, game.Challenged, 0, "what nobody says")
	m.types("zonky\ryes\r") // in no list
	m.shows(t, wordgame.Kind, game.Challenged, 1)
	m.types("slate\r").shows(t, wordgame.Kind, game.Together, 1)
	if m.match.HintLimit.Limited {
		t.Error("the game after a challenge allows no hints")
	}
}

// TestRaceEnds: the end of a race shows by itself, after an answer that is being made.
func TestRaceEnds(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle race\r/wordle race\rslate\r")
	m.Games.Now = func() time.Time { return time.Date(2026, 11, 28, 13, 0, 0, 0, time.UTC) }
	if err := m.Games.MeetDeadlines(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m.busy = true; m.watch() != nil {
		t.Error("a second answer is made at once")
	}
	m.busy = false
	if m.send(m.watch()); !m.over() || m.watch() != nil || !strings.Contains(m.shown(), "CRANE") {
		t.Errorf("the race goes on in\n%s", m.shown())
	}
}

func TestClock(t *testing.T) {
	begins := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	r := game.Race{Begins: begins, Ends: begins.Add(10 * time.Minute)}
	for after, want := range map[time.Duration]string{
		-10 * time.Second: "starts in 11 seconds", 0: "10 minutes left", 149 * time.Second: "8 minutes left", 9 * time.Minute: "61 seconds left",
		599500 * time.Millisecond: "1 second left", 10 * time.Minute: "over",
	} {
		if got := clock(r, begins.Add(after)); got != want {
			t.Errorf("after %v: %q, want %q", after, got, want)
		}
	}
}

// TestChallengeIsSecret: the word of a challenge is neither on the screen nor among the typed lines.
func TestChallengeIsSecret(t *testing.T) {
	m := atTerminal(t)
	for _, line := range []string{"/wordle challenge solo zonky what nobody says\r", "/as eve challenge zonky what nobody says\r"} {
		m.types(line)
		if text := strings.ToLower(m.shown() + strings.Join(m.lines, "\n")); strings.Contains(text, "zonky") {
			t.Errorf("after %q the screen has\n%s", line, text)
		}
	}
}

// TestWhoTypes: once there are two players, the header names the one who types. Names and clues can't control the
// terminal, and take the columns that they have.
func TestWhoTypes(t *testing.T) {
	m := atTerminal(t)
	m.types("slate\r")
	if strings.Contains(m.frame()[0], "ana") {
		t.Errorf("the header of one player names her: %s", m.frame()[0])
	}
	for _, name := range []string{"ben", "漢字漢字"} {
		m.types("/as " + name + "\r")
		if row := m.frame()[0]; !strings.HasPrefix(row, " Fivefold · "+name+" ") || lipgloss.Width(row) != 78 {
			t.Errorf("the header is %q", row)
		}
	}
	m.types("/as ana\r/wordle stop sure\r/wordle challenge zonky a\x1b[2Jb\r")
	if text := m.View().Content; strings.Contains(text, "\x1b[2J") || !strings.Contains(text, "a[2Jb") {
		t.Errorf("a clue reaches the terminal in\n%q", text)
	}
}

// TestLeaving: the last screen is what was seen, without the footer and the line. The look is the player's.
func TestLeaving(t *testing.T) {
	m := atTerminal(t)
	m.Bot.Look = func(context.Context, game.PlayerID) (bot.Look, error) {
		return bot.Look{Colours: bot.ContrastColours}, nil
	}
	m.types("slate\r")
	m.send(m.Init())
	if m.renderer.look.Colours != bot.ContrastColours {
		t.Error("the look is not the player's")
	}
	m.types("/help")
	if text := ansi.Strip(m.last()); !strings.Contains(text, "5 guesses left") || strings.Contains(text, "Ctrl-C") || strings.Contains(text, "/help") {
		t.Errorf("the last screen is\n%s", text)
	}
	m.types("/quit\r/help\r")
	if !m.leaving || !slices.Equal(m.lines, []string{"/quit"}) {
		t.Errorf("the lines %q are answered", m.lines)
	}
}

// TestSlowAnswers: the screen says that an answer takes long, and keys pressed meanwhile come after it.
func TestSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := atTerminal(t)
		m.Bot.Look = func(context.Context, game.PlayerID) (bot.Look, error) {
			time.Sleep(time.Minute)
			return bot.Look{}, nil
		}
		m.types("slate")
		_, cmd := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
		both := cmd().(tea.BatchMsg)
		footer := func() string { return m.frame()[23] }
		if strings.Contains(footer(), "Thinking") {
			t.Error("it says so at once")
		}
		m.Update(both[1]())
		if !strings.Contains(footer(), "Thinking") {
			t.Errorf("the footer is %q", footer())
		}
		m.Update(tea.KeyPressMsg{Code: 'c', Text: "c"})
		if m.input.Value() != "slate" {
			t.Errorf("meanwhile %q is typed", m.input.Value())
		}
		m.Update(both[0]())
		if strings.Contains(footer(), "Thinking") || m.input.Value() != "c" || m.match.Used() != 1 {
			t.Errorf("afterwards %q is typed in\n%s", m.input.Value(), m.shown())
		}
	})
}
