package terminal

import (
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
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

// atTerminal returns ana's screen with games in memory. The hidden word is always CRANE, and today's puzzle is number
// 332.
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
	terminal := &Terminal{
		Bot: &bot.Bot{Table: handlers.Table(), Log: slog.New(slog.DiscardHandler)}, Player: "ana", Games: games, Faces: handlers.Play.Faces,
	}
	m := &model{
		person: &person{Terminal: terminal, player: "ana"}, ctx: t.Context(), input: newInput(), renderer: inColour,
		screen: drawnScreen{out: io.Discard}, width: 80, height: 40,
	}
	m.Out = io.Discard
	return m
}

// types presses a key for each character, and Enter for \r.
func (m *model) types(keys string) *model {
	for _, key := range keys {
		if key == '\r' {
			m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
			continue
		}
		m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
	}
	m.hidden = 0 // all tiles have turned
	return m
}

// shown is the screen and the whole log.
func (m *model) shown() string {
	rows, _ := m.screenful()
	return ansi.Strip(strings.Join(append(slices.Clone(m.log), rows...), "\n"))
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
	m.log, m.latest = nil, 0
}

// TestNextByTyping: after a game, any word begins the next one like it, as its first guess.
func TestNextByTyping(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle start solo hard\rcrane\r").shows(t, wordgame.Kind, game.Solo, 1, "won in 1 of 6", "Ctrl-Y copies")
	m.types("c").shows(t, wordgame.Kind, game.Solo, 1, "C     _ ", "Enter guesses")
	m.types("zzzz\r").shows(t, wordgame.Kind, game.Solo, 0, "CZZZZ is not in my word list", "6 attempts left · hard")
	if got := m.input.Value(); got != "czzzz" {
		t.Errorf("%q is left to be mended", got)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyEsc})
	m.types("crane\rcaper\r").shows(t, wordgame.Kind, game.Solo, 1, "5 attempts left · hard")
	m.types("/wordle stop sure\r")
	m.Update(tea.KeyPressMsg{Code: 'y', Mod: tea.ModCtrl})
	m.shows(t, wordgame.Kind, game.Solo, 1, "Copied")
	m.types("\r").shows(t, wordgame.Kind, game.Solo, 0, "A new game.", "Type a word")

	// A game that was open before is shown before a guess is made in it.
	m.types("/wordle start\rslate\r/wordle start daily\rcrane\r").shows(t, wordgame.Kind, game.Daily, 1)
	m.types("caper\r").shows(t, wordgame.Kind, game.Together, 1, "This game is still open.", "C     A     P     E   ‹ R ›")
	m.types("\r").shows(t, wordgame.Kind, game.Together, 2)

	// So is one of another kind.
	m = atTerminal(t)
	m.types("slate\r/pokle start\r/guess caper\r").shows(t, pokergame.Kind, game.Together, 0, "“caper”")
	m.types(":caper\r").shows(t, wordgame.Kind, game.Together, 1, "This game is still open.")

	// Cards can't be guessed before the hands are seen.
	m = atTerminal(t)
	m.types("/pokle start\r/pokle stop sure\r2c3d4h5s6c\r").shows(t, pokergame.Kind, game.Together, 0, "A new game of Pokle", "2♣")
}

// TestBoardOfWhatWasStarted: the board shows the latest game, however it was started, and lines without a mode go
// there.
func TestBoardOfWhatWasStarted(t *testing.T) {
	m := atTerminal(t)
	m.types("slate\r/daily 330\r").shows(t, wordgame.Kind, game.Practice, 0, "Daily puzzle 330, for practice. Type a word")
	m.types("slate\r:guess caper\r").shows(t, wordgame.Kind, game.Practice, 2)
	m.types("/daily 330 pokle\r").shows(t, pokergame.Kind, game.Practice, 0, "Pokle, daily puzzle 330, for practice, medium. Type five cards")
	m.types("/hint\r").shows(t, pokergame.Kind, game.Practice, 0, "Try ")
	m.types("/solve\r").shows(t, pokergame.Kind, game.Practice, 0, "Help with a poker puzzle")
	m.types("/pokle start\r/hint\r").shows(t, pokergame.Kind, game.Together, 0, "Try ")
	m.types("/wordle board practice\r/hint\r").shows(t, wordgame.Kind, game.Practice, 2, "Try CRANE")
	m.types("/wordle stop sure\r/wordle stop together sure\r/wordle challenge zonky what nobody says\r").shows(t, wordgame.Kind, game.Together, 0, "ana has chosen the word. Clue: what nobody says")
	m.types(":as ben\rslate\r").shows(t, wordgame.Kind, game.Together, 1)
}

// TestRaceAtOneTerminal: players of one terminal learn how to start and join a race or a challenge, and see the clue.
func TestRaceAtOneTerminal(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle race\r").shows(t, wordgame.Kind, game.Racing, 0)
	m.types("/wordle race\rslate\r").shows(t, wordgame.Kind, game.Racing, 1)
	m.types("/wordle challenge solo zonky what nobody says\r").shows(t, wordgame.Kind, game.Racing, 1)
	m.types(":as ben\r/challenge\r").shows(t, wordgame.Kind, game.Challenged, 0, "ana has chosen the word. Clue: what nobody says")
	m.types("zonky\ryes\r") // in no list
	m.shows(t, wordgame.Kind, game.Challenged, 1, "won in 1 of 6")
	m.types("slate\r").shows(t, wordgame.Kind, game.Together, 1)
	if m.match.HintLimit.Limited {
		t.Error("the game after a challenge allows no hints")
	}
}

// TestHintCostIsSaid: a hint in a daily puzzle needs a yes after its cost is shown. It then has the requested kind.
func TestHintCostIsSaid(t *testing.T) {
	m := atTerminal(t)
	m.types("/wordle start daily\r/hint position\r").shows(t, wordgame.Kind, game.Daily, 0, "one guess more in your average. Type yes.")
	m.types("no\r/hint\r")
	if len(m.match.Hints) > 0 {
		t.Error("the hint is taken at once")
	}
	m.types("no\r/hint position\ryes\r").shows(t, wordgame.Kind, game.Daily, 0, "Position 1 is C.")
	if len(m.match.Hints) != 1 || m.match.Hints[0].Kind != game.HintPosition {
		t.Errorf("the hints are %v", m.match.Hints)
	}
	m.types("/pokle start daily\r/hint\ryes\r").shows(t, pokergame.Kind, game.Daily, 0, "one guess more in your average. Type yes.", "Try ")
	m.types("/wordle start solo\r/hint\r").shows(t, wordgame.Kind, game.Solo, 0, "Try ")
}

// TestPasted: a pasted line waits for Enter.
func TestPasted(t *testing.T) {
	m := atTerminal(t)
	m.Update(tea.PasteMsg{Content: "slate\r\ncrane\n"})
	if got := m.input.Value(); got != "slate" || m.match != nil {
		t.Errorf("%q is in the tiles, the board shows %v", got, m.match)
	}
}

// TestOwnCard: /stats alone is about the player who types.
func TestOwnCard(t *testing.T) {
	m := atTerminal(t)
	m.types("crane\r/stats\r").shows(t, wordgame.Kind, game.Together, 1, "Statistics of ana")
	m.types("/stats month\r").shows(t, wordgame.Kind, game.Together, 1, "Daily puzzles, November 2026")
}

// TestStartOver: a start over an open game offers to stop that game.
func TestStartOver(t *testing.T) {
	m := atTerminal(t)
	m.types("slate\r/wordle start hard\r").shows(t, wordgame.Kind, game.Together, 1, "Still open: Word game, together. Go on with it, or type yes to stop it and start another.")
	m.types("caper\r") // the open game goes on
	m.shows(t, wordgame.Kind, game.Together, 2)
	m.types("/wordle start hard\ryes\r").shows(t, wordgame.Kind, game.Together, 0, "Stopped by ana.", "The word was CRANE.", "A new game.", "6 attempts left · hard")
	m.types("/daily 330\r/daily 331\ryes\r").shows(t, wordgame.Kind, game.Practice, 0, "Daily puzzle 331, for practice.")
	for _, alone := range []string{"/daily 331\r", "/wordle start daily\r/wordle start daily\r", "/as ben /wordle start\r"} {
		if m.types(alone); m.yes != nil || strings.Contains(m.shown(), "type yes") {
			t.Errorf("after %q something can be stopped:\n%s", alone, m.shown())
		}
	}
}

// TestChallengeIsSecret: the word of a challenge is neither on the screen nor among the typed lines.
func TestChallengeIsSecret(t *testing.T) {
	m := atTerminal(t)
	for _, line := range []string{"/wordle challenge solo zonky what nobody says\r", "/as eve challenge zonky what nobody says\r", "/wordle chalenge zonky what nobody says\ryes\r"} {
		m.types(line)
		if text := strings.ToLower(m.shown() + strings.Join(m.lines, "\n")); !strings.Contains(text, "clue: what nobody says") && !strings.Contains(text, "there is a game here already") || m.input.Value() == "" && strings.Contains(text, "zonky") {
			t.Errorf("after %q the screen has\n%s", line, text)
		}
	}
}

// TestWhoTypes: once there are two players, the board names the one who types.
func TestWhoTypes(t *testing.T) {
	m := atTerminal(t)
	m.types("slate\r")
	if strings.Contains(m.shown(), "ana") {
		t.Errorf("the screen of one player names her:\n%s", m.shown())
	}
	m.types(":as ben\r").shows(t, wordgame.Kind, game.Together, 1, "ben · Enter guesses")
	m.types(":as ana\r").shows(t, wordgame.Kind, game.Together, 1, "ana · Enter guesses")
}
