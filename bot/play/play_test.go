package play_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/face"
	"fivefold/bot/kinds/toy"
	"fivefold/bot/play"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

var place = game.Location{Guild: "g", Channel: "c"}

// newBot returns a bot with the commands of the toy's matches. The first match hides a, the second b.
func newBot(t *testing.T) *bottest.Asker {
	t.Helper()
	store := storage.New(&orderedtest.Memory{}, toy.Codecs(), storage.Options{})
	t.Cleanup(func() { store.Close() })
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	games := &matches.Manager{Store: store, Rules: []game.Rules{toy.Game{}}, Pick: func(int) int { return 0 }, Now: func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}}
	h := play.Handlers{
		Games: games, Finished: &finished.Matches{Games: games, Store: store},
		Faces: face.Faces{toy.Game{}.Face()}, Log: slog.New(slog.DiscardHandler),
		Settings: settings.Store{Records: store, Now: time.Now},
		EndRace: func(_ context.Context, _ face.Face, _ bot.Request, none error) (bot.Reply, error) {
			return bot.Reply{}, none
		},
	}
	mia := bot.Request{ID: "settings", Player: "mia", Location: place}
	if _, err := h.Settings.Change(t.Context(), mia, 0, func(_ settings.Settings, s *settings.Settings) error { s.Hints = "2"; return nil }); err != nil {
		t.Fatal(err)
	}
	table := bot.Table{Commands: h.Commands(h.Faces[0])}
	for _, name := range []string{bot.NameReview, bot.NameShare, bot.NameDaily, "toy rules"} { // replies name them
		table.Commands = append(table.Commands, bot.Command{
			Name: name, HiddenArgs: []string{face.ArgMatch}, Run: func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, nil },
		})
	}
	return &bottest.Asker{Bot: &bot.Bot{Table: table, Log: h.Log}}
}

// TestGame plays a game with every command. Refused guesses cost nothing.
func TestGame(t *testing.T) {
	b := newBot(t)
	for i, c := range []struct {
		player, command string
		want            string
	}{
		{"ana", "toy board", "No game here yet."},
		{"ana", "toy start", "Find the letter together"},
		{"ben", "toy start", "There's a game here already: join in!"},
		{"ben", "toy guess letter=n", `Guesses "n", 13 left.`},
		{"ana", "toy guess letter=n", "You've guessed n already (guess 1).\nn"},
		{"ana", "toy guess letter=ab", "Try another letter. No guess was used."},
		{"ana", "toy hint", "Try g."},
		{"ana", "toy board", "1 hint left"},
		{"ana", "toy stop", "Stop this game? ben played in it too."},
		{"cleo", "toy stop", "Only ana (who started this game) or someone who can manage messages here can stop it."},
		{"ben", "toy guess letter=a", "a in 2, with hints"},
		{"ana", "toy guess letter=n", "That was guess 1 of this game. It's over:\nn\na in 2"},
		{"ana", "toy guess letter=b", "This game is over."},
		{"ana", "toy hint", "This game is over."},
		{"ana", "toy stop", "This game is over."},
		{"ana", "toy start hints=off", "Toy · 6 guesses left"},
		{"ana", "toy hint", "Hints are off in this game."},
		{"ana", "toy stop", "Stopped by ana\nThe letter was b"},
	} {
		words, args := strings.Fields(c.command), []string{}
		command := strings.Join(words[:2], " ")
		for _, arg := range words[2:] {
			name, value, _ := strings.Cut(arg, "=")
			args = append(args, name, value)
		}
		if reply := b.Ask(place, c.player, command, args...); !strings.Contains(reply.String(), c.want) {
			t.Errorf("%d, %s %s: got\n%swant %q", i, c.player, c.command, reply, c.want)
		}
	}
}

// TestForm: the form for a guess shows the board.
func TestForm(t *testing.T) {
	b := newBot(t)
	b.Ask(place, "ana", "toy start")
	form := b.Press(place, "ana", bottest.MustFind(t, b.Ask(place, "ana", "toy guess", "letter", "n"), "Guess")).Form
	if got, want := fmt.Sprint(bot.Reply{Blocks: form.About}), "Guesses \"n\", 13 left.\n5 guesses left\n"; got != want || form.Args["version"] != "2" {
		t.Errorf("got version %s of %q, want version 2 of %q", form.Args["version"], got, want)
	}
}

// TestOldButton: a button of a finished game leads to the current game, or to the next one.
func TestOldButton(t *testing.T) {
	b := newBot(t)
	old := bottest.MustFind(t, b.Ask(place, "ana", "toy start"), "Hint")
	b.Ask(place, "ana", "toy stop")
	ended := b.Press(place, "ben", old)
	if ended.Board == nil || ended.Board.Otherwise == nil || ended.Board.Past || !strings.Contains(ended.String(), "Stopped by ana") {
		t.Errorf("after its game: %+v", ended)
	}
	b.Ask(place, "ana", "toy start")
	old.Args["match"] = "r0"
	if reply := b.Press(place, "ben", old); bottest.MustFind(t, reply, "Go there").Command != "toy board" {
		t.Errorf("during the next game:\n%s", reply)
	}
}

// TestWhichGame: a player of several games chooses one by a button.
func TestWhichGame(t *testing.T) {
	b := newBot(t)
	b.Ask(place, "ana", "toy start")
	b.Ask(place, "ana", "toy start", "mode", "solo")
	asked := b.Ask(place, "ana", "toy guess", "letter", "c")
	if got := fmt.Sprint(asked); !strings.HasPrefix(got, "Which game is C for?") {
		t.Fatalf("got\n%s", got)
	}
	if reply := b.Press(place, "ana", bottest.MustFind(t, asked, "Solo")); reply.Audience != bot.Asker || !strings.Contains(reply.String(), `Guesses "c"`) {
		t.Errorf("the guess in the solo game:\n%s", reply)
	}
	if reply := b.Ask(place, "ben", "toy board"); !strings.Contains(reply.String(), `Guesses ""`) {
		t.Errorf("the game of everybody:\n%s", reply)
	}
}

// TestActed: the reply to a move is marked as one; a look at the board is not.
func TestActed(t *testing.T) {
	b := newBot(t)
	b.Ask(place, "ana", "toy start")
	for command, acted := range map[string]bool{"toy guess": true, "toy board": false} {
		args := []string{"letter", "c"}
		if !acted {
			args = nil
		}
		if board := b.Ask(place, "ana", command, args...).Board; board.Acted != acted {
			t.Errorf("%s: acted %t", command, board.Acted)
		}
	}
}

// TestLater: a front sees only later versions of a match.
func TestLater(t *testing.T) {
	b := newBot(t)
	first := b.Ask(place, "ana", "toy start").Board
	b.Ask(place, "ben", "toy guess", "letter", "c")
	reply, later, err := first.Later(t.Context(), first.Version)
	if err != nil || !later || reply.Board.Version != first.Version+1 || !strings.Contains(reply.String(), `"c"`) {
		t.Errorf("later %t, %v:\n%s", later, err, reply)
	}
	if _, later, err := first.Later(t.Context(), first.Version+1); later || err != nil {
		t.Errorf("what is shown already: later %t, %v", later, err)
	}
}
