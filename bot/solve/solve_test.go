package solve

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
	"fivefold/game/wordle"
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

// newBot returns a bot on a new store, and its log.
func newBot(tb testing.TB) (*testBot, *bytes.Buffer) {
	tb.Helper()
	lists, err := wordle.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	store, err := bolt.Open(filepath.Join(tb.TempDir(), "test.db"), record.All(), bolt.Options{})
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
