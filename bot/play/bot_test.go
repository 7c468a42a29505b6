package play

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fivefold/bot"

	"fivefold/bot/solve"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/storage/bolt"
)

// quickDeal is the number of a deal of the poker game that is made and listed in some
// milliseconds; the deals here are made from it.
const quickDeal = 51

// newBot returns a bot on a new store, whose next hidden words are given, and
// its log.
func newBot(t testing.TB, hidden ...string) (*testBot, *bytes.Buffer) {
	t.Helper()
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	store, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	var log bytes.Buffer
	s := solver.New(lists)
	s.SuggestTime, s.ReviewTime = time.Minute, time.Minute // the same on a slow machine
	games := &game.Manager{Store: store, Lists: lists, Solver: s, Boards: &boards.Solver{Time: time.Minute}, FormTime: time.Minute}
	games.Pick = func(n int) int {
		switch {
		case n == math.MaxInt:
			return quickDeal
		case n != len(lists.Answers()) || len(hidden) == 0:
			return 0
		}
		w := wordle.MustParse(hidden[0])
		hidden = hidden[1:]
		for i, a := range lists.Answers() {
			if a == w {
				return i
			}
		}
		t.Fatalf("%v cannot be hidden", w)
		return 0
	}
	handlers := &Handlers{Games: games, Solve: new(solve.Handlers), Log: slog.New(slog.NewTextHandler(&log, nil))}
	return newTestBot(handlers), &log
}

// testBot is a bot with what its commands work with.
type testBot struct {
	*bot.Bot
	*Handlers
}

func newTestBot(h *Handlers) *testBot { return &testBot{&bot.Bot{Table: h.Table(), Log: h.Log}, h} }

// asker sends requests, each with an identifier of its own.
type asker struct {
	bot *testBot
	n   int
}

func (a *asker) ask(place game.Place, player, command string, args ...string) bot.Reply {
	a.n++
	r := bot.Request{ID: game.RequestID(fmt.Sprint("r", a.n)), Place: place, Player: game.PlayerID(player), Command: command, Args: map[string]string{}}
	for i := 0; i < len(args); i += 2 {
		r.Args[args[i]] = args[i+1]
	}
	return a.bot.Handle(context.Background(), r)
}

var (
	server = game.Place{Guild: "g", Channel: "c"}
	dm     = game.Place{Channel: "dm"}
)

func TestHandleRefusesWhatAFrontLetsThrough(t *testing.T) {
	b, log := newBot(t)
	a := asker{bot: b}
	for _, c := range []struct {
		command string
		args    []string
		want    string
	}{
		{"dance", nil, "I do not know that command."},
		{"guess", nil, "Please add the word"},
		{"wordle start", []string{"hard", "maybe"}, "true or false"},
		{"hint", []string{"kind", "everything"}, "suggestion, letter or position"},
	} {
		if reply := a.ask(server, "ana", c.command, c.args...); reply.Audience != bot.Asker || !strings.Contains(reply.String(), c.want) {
			t.Errorf("%s %v is answered by %q, want %q in it", c.command, c.args, reply, c.want)
		}
	}
	if log.Len() > 0 {
		t.Errorf("a player's mistake is logged: %s", log)
	}
}

func TestLeaderboardShowsTheOwnRow(t *testing.T) {
	b, _ := newBot(t)
	a := asker{bot: b}
	b.Games.Pick = func(int) int { return 0 }
	// Twelve players win, the first one in one game, the second in two, …
	words := 0
	for i := range 12 {
		for range i + 1 {
			player := fmt.Sprint("p", i)
			a.ask(server, player, "wordle start")
			m, err := b.Games.Board(t.Context(), game.ChannelTable(game.Wordle, server.Channel))
			if err != nil {
				t.Fatal(err)
			}
			a.ask(server, player, "guess", "word", m.Wordle.Hidden().String())
			words++
		}
	}
	board := a.ask(server, "p0", "stats").String()
	if !strings.Contains(board, "Leaderboard of 12 players") || !strings.Contains(board, "\n1. p11 — won 12 of 12 (100%)") ||
		!strings.Contains(board, "\n10. p2 ") || strings.Contains(board, "11. ") || !strings.Contains(board, "…\n12. p0 — won 1 of 1") {
		t.Errorf("the leaderboard for the last one is\n%s", board)
	}
	if board := a.ask(server, "p11", "stats").String(); strings.Count(board, "p11") != 1 || strings.Contains(board, "…") {
		t.Errorf("the leaderboard for the first one is\n%s", board)
	}
	if board := a.ask(server, "zoe", "stats").String(); !strings.Contains(board, "You have not finished a game here yet.") {
		t.Errorf("the leaderboard for a guest is\n%s", board)
	}
}

func TestStatsInDirectMessages(t *testing.T) {
	b, _ := newBot(t, "crane", "slate")
	a := asker{bot: b}
	a.ask(server, "ana", "wordle start")
	a.ask(server, "ana", "guess", "word", "crane")
	a.ask(dm, "ana", "wordle start")
	a.ask(dm, "ana", "guess", "word", "slate")
	if card := a.ask(dm, "ana", "stats").String(); !strings.Contains(card, "Played 2, won 2 (100%).") {
		t.Errorf("the card in direct messages is\n%s", card)
	}
	if card := a.ask(server, "ben", "stats", "player", "ana").String(); !strings.Contains(card, "Played 1, won 1 (100%).") {
		t.Errorf("the card in the server is\n%s", card)
	}
	if reply := a.ask(dm, "ben", "stats", "player", "ana"); reply.Audience != bot.Asker || strings.Contains(reply.String(), "Played") {
		t.Errorf("somebody else's card in direct messages is\n%s", reply)
	}
}

// TestHiddenWordStaysHidden plays on until the end and looks for the word in
// every reply and in the log before it.
func TestHiddenWordStaysHidden(t *testing.T) {
	b, log := newBot(t, "crane")
	a := asker{bot: b}
	for _, c := range [][]string{
		{"wordle start"}, {"guess", "word", "slate"}, {"guess", "word", "slate"}, {"guess", "word", "qqqqq"}, {"guess", "word", "toolong"},
		{"wordle board"}, {"stats"}, {"wordle start"}, {"wordle help"}, {"hint", "kind", "letter"},
		{"review game"}, {"review game", "number", "1"}, {"review list"}, {"review list", "word", "slate"}, {"review replay", "number", "1"},
	} {
		// The help has a word of its own, which happens to be another one.
		reply := a.ask(server, "ana", c[0], c[1:]...).String()
		if c[0] != "wordle help" && strings.Contains(strings.ToUpper(reply), "CRANE") {
			t.Errorf("%v shows the hidden word:\n%s", c, reply)
		}
	}
	if strings.Contains(strings.ToUpper(log.String()), "CRANE") {
		t.Errorf("the log has the hidden word:\n%s", log)
	}
}

func TestCompleteWord(t *testing.T) {
	b, _ := newBot(t)
	for _, c := range []struct {
		typed, first string
		count        int
	}{
		{"", "", 0},
		{"crane", "CRANE — in the list", 1},
		{" CRANE ", "CRANE — in the list", 1},
		{"qzxqz", "QZXQZ — not in the list", 1},
		{"qz", "QZ — no word in the list begins so", 1},
		{"cr4", "CR4 — only letters A–Z", 1},
		{"cranes", "CRANES — 6 letters, a guess has five", 1},
		{"s", "SABAL — in the list", bot.MaxChoices},
		{strings.Repeat("é", 200), strings.Repeat("É", 50) + " — only letters A–Z", 1},
	} {
		choices := b.Complete(t.Context(), bot.Request{Player: "ana", Command: "guess"}, "word", c.typed)
		first := ""
		if len(choices) > 0 {
			first = choices[0].Name
		}
		if len(choices) != c.count || first != c.first {
			t.Errorf("completing %.20q gives %d choices, first %q; want %d, %q", c.typed, len(choices), first, c.count, c.first)
		}
	}
	if got := b.Complete(t.Context(), bot.Request{Player: "ana", Command: "dance"}, "word", "crane"); got != nil {
		t.Errorf("an unknown command is completed by %v", got)
	}
}

func FuzzCompleteWord(f *testing.F) {
	lists, err := wordle.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	b := newTestBot(&Handlers{Games: &game.Manager{Lists: lists}})
	for _, typed := range []string{"c", "crane", "cr4ne", "\xff\xfe", "ßßßßß", strings.Repeat("x", 6000)} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		choices := b.Complete(t.Context(), bot.Request{Player: "ana", Command: "guess"}, "word", typed)
		if len(choices) > bot.MaxChoices {
			t.Fatalf("%d choices", len(choices))
		}
		for _, c := range choices {
			// Discord's limits for both.
			if n := len([]rune(c.Name)); n < 1 || n > 100 {
				t.Errorf("%q: a name of %d characters", typed, n)
			}
			if n := len([]rune(c.Value)); n < 1 || n > 100 {
				t.Errorf("%q: a value of %d characters", typed, n)
			}
		}
	})
}
