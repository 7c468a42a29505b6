package solve

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage/bolt"
	"fivefold/storage/record"
)

var (
	server = game.Location{Guild: "g", Channel: "c"}
	dm     = game.Location{Channel: "dm"}
)

// testBot is a bot with the commands of this package, and what they work with.
type testBot struct {
	*bot.Bot
	*Handlers
}

// smallLists returns the built-in lists. Under the race detector, which makes a search of
// them take minutes, it returns every tenth of their words, and those that tests name.
func smallLists(tb testing.TB) *wordle.Lists {
	tb.Helper()
	lists := wordletest.Embedded(tb)
	if !racetest.Enabled {
		return lists
	}
	named := strings.Fields("crane crank slaim dying evade slain slate slice slush")
	var answers, guesses []string
	for i, w := range lists.Guesses() {
		text := strings.ToLower(w.String())
		if i%10 > 0 && !slices.Contains(named, text) {
			continue
		}
		guesses = append(guesses, text)
		if lists.CanHide(w) {
			answers = append(answers, text)
		}
	}
	return wordletest.Lists(tb, strings.Join(answers, " "), strings.Join(guesses, " "))
}

// newBot returns a bot on a new store, and its log.
func newBot(tb testing.TB) (*testBot, *bytes.Buffer) {
	tb.Helper()
	lists := smallLists(tb)
	store, err := bolt.Open(filepath.Join(tb.TempDir(), "test.db"), record.All())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	words := weighted.New(lists)
	words.SuggestTime = 0 // the same suggestions on a slow machine
	var buffer bytes.Buffer
	log := slog.New(slog.NewTextHandler(&buffer, nil))
	h := &Handlers{
		Words:  &solve.Words{Store: store, Solver: words},
		Boards: &solve.Boards{Store: store, Solver: &boards.Solver{Time: time.Minute}},
		Lists:  lists,
		Log:    log,
	}
	return &testBot{&bot.Bot{Table: bot.Table{Commands: append(h.WordCommands(), h.BoardCommand())}, Log: log}, h}, &buffer
}

// asker asks a bot.
type asker struct{ bottest.Asker }

func newAsker(b *testBot) *asker { return &asker{bottest.Asker{Bot: b.Bot}} }
