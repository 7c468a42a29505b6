package solve

import (
	"bytes"
	"context"
	"log/slog"
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
	"fivefold/storage"
	"fivefold/storage/ordered"
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
	store := storage.New(&ordered.Memory{}, nil, storage.Options{})
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

// damagedSessions is a store whose sessions cannot be read until they are replaced.
type damagedSessions struct {
	solve.Store
	replaced bool
}

func (s *damagedSessions) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	if !s.replaced {
		return solve.Session{}, solve.ErrUnreadable
	}
	return s.Store.Session(ctx, player)
}

func (s *damagedSessions) CommitSession(ctx context.Context, session solve.Session) error {
	err := s.Store.CommitSession(ctx, session)
	s.replaced = err == nil
	return err
}

// TestDamagedSession: a player whose puzzles cannot be read is told so once, whatever the
// command, and can start again.
func TestDamagedSession(t *testing.T) {
	const want = "I cannot read your puzzles and your record here any more: their data is damaged. I put it aside; " +
		"please start again with /solve next or /pokle solve.\n"
	for _, command := range []string{"solve next", "solve record", "pokle solve"} {
		b, log := newBot(t)
		store := &damagedSessions{Store: b.Words.Store}
		b.Words.Store, b.Boards.Store = store, store
		a := newAsker(b)
		if reply := a.Ask(server, "ana", command); reply.String() != want || reply.Audience != bot.Asker {
			t.Errorf("/%s: got\n%s", command, reply)
		}
		if reply := a.Ask(server, "ana", "solve next"); !strings.HasPrefix(reply.String(), "Guess 1 of 6: try ") {
			t.Errorf("after /%s, /solve next: got\n%s", command, reply)
		}
		if log.Len() > 0 {
			t.Errorf("/%s: the log has %s", command, log)
		}
	}
}
