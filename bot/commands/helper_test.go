package commands_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/pokle"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

var (
	server = game.Location{Guild: "g", Channel: "c"}
	dm     = game.Location{Channel: "dm"}
)

// testBot asks a bot with its own store, which can hold the toy too.
type testBot struct {
	bottest.Asker
	games *matches.Manager
	parts commands.Dependencies
	now   time.Time
	log   bytes.Buffer // empty at the end of each test
}

// newBot returns a bot with the program's kinds of games, and more. It hides these words one after another, and then
// the first allowed one.
func newBot(tb testing.TB, hidden []string, more ...kinds.Kind) *testBot {
	tb.Helper()
	b := &testBot{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	store := storage.New(&orderedtest.Memory{}, toy.Codecs(), storage.Options{})
	tb.Cleanup(func() {
		if err := store.Close(); err != nil || b.log.Len() > 0 {
			tb.Errorf("closing the store: %v; the log has %s", err, &b.log)
		}
	})
	log := slog.New(slog.NewTextHandler(&b.log, nil))
	b.parts = commandstest.Dependencies(tb, store, log, func() (word string) {
		if len(hidden) > 0 {
			word, hidden = hidden[0], hidden[1:]
		}
		return word
	}, more...)
	b.games = b.parts.Games
	b.games.Now = func() time.Time {
		b.now = b.now.Add(time.Millisecond) // matches end one after another
		return b.now
	}
	b.Bot = &bot.Bot{Table: commands.New(b.parts).Table(), Log: log, Look: b.parts.Preferences.PlayerLook}
	return b
}

// match returns the latest match of a kind and mode.
func (b *testBot) match(tb testing.TB, l game.Location, player string, k game.Kind, mode game.Mode) game.Match {
	tb.Helper()
	m, err := b.games.Latest(tb.Context(), game.Origin{Request: "look", Location: l, Player: game.PlayerID(player)}, matches.Target{Kind: k, Mode: mode})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// answer returns the answer of the latest match of a kind, as players type it.
func (b *testBot) answer(tb testing.TB, l game.Location, player string, k game.Kind, mode game.Mode) string {
	tb.Helper()
	return b.match(tb, l, player, k, mode).State.Answer()
}

// guessesOf returns the guesses that find an answer: one for each board.
func guessesOf(f face.Face, answer string) []string {
	if f.IsGuess(answer) {
		return []string{answer}
	}
	return strings.Fields(answer)
}

// mustWin wins n word games with one guess each.
func (b *testBot) mustWin(tb testing.TB, l game.Location, player string, n int) {
	tb.Helper()
	for range n {
		b.Ask(l, player, wordgame.Commands.Start)
		b.Ask(l, player, wordgame.Commands.Guess, "word", b.answer(tb, l, player, wordgame.Kind, game.Together))
	}
}

// mustDaily solves today's puzzle after some misses.
func (b *testBot) mustDaily(tb testing.TB, l game.Location, player string, misses int) {
	tb.Helper()
	b.Ask(l, player, wordgame.Commands.Start, "mode", "daily")
	answer := b.answer(tb, l, player, wordgame.Kind, game.Daily)
	for _, word := range append(missing(answer, misses), answer) {
		b.Ask(l, player, wordgame.Commands.Guess, "word", word, "mode", "daily")
	}
}

// latest returns the id of the server's latest finished match.
func (b *testBot) latest(tb testing.TB) string {
	tb.Helper()
	page, err := b.parts.Finished.History(tb.Context(), game.Viewer{Player: "ana", Location: server}, finished.Filter{Limit: 1}, 0)
	if err != nil || len(page.Entries) == 0 {
		tb.Fatalf("the history is %v, %v", page, err)
	}
	return string(page.Entries[0].Result.Match)
}

// wrongGuess returns a wrong but valid first guess.
func wrongGuess(f face.Face, m game.Match) string {
	if _, ok := m.State.(pokle.State); ok {
		return pokle.Board(free(m)[:pokle.BoardCards]).Plain()
	}
	return f.Example(nil)
}
