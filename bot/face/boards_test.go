package face_test

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
)

// TestBoards: boards in words, and the players whose names a picture can't write.
func TestBoards(t *testing.T) {
	rows := []marks.Feedback{marks.Feedback(0).With(0, marks.Green).With(1, marks.Yellow)}
	names := game.Names{"1": "ana", "2": "小明"}
	for _, c := range []struct {
		name        string
		board       face.PlayerBoard
		words, more string
	}{
		{"first", face.PlayerBoard{Player: "1", Board: picture.Board{Rows: rows, Result: "1 guess · 0:01", Place: 1}}, "🥇 1, 1st: 1 guess, 0:01 (1 green, 1 yellow).\n", ""},
		{"fourth", face.PlayerBoard{Player: "1", Board: picture.Board{Result: "5/6", Place: 4}}, "1: 5/6.\n", ""},
		{"crown", face.PlayerBoard{Player: "1", Board: picture.Board{Result: "2/6", Place: picture.Best}}, "👑 1, best: 2/6.\n", ""},
		{"cleared", face.PlayerBoard{Board: picture.Board{Result: "2/6"}}, "somebody: 2/6.\n", ""},
		{"another script", face.PlayerBoard{Player: "2", Board: picture.Board{Result: "2/6"}}, "2: 2/6.\n", "Player 1 is 小明.\n"},
		{"unknown", face.PlayerBoard{Player: "3", Board: picture.Board{Result: "2/6"}}, "3: 2/6.\n", "Player 1 is 3.\n"},
	} {
		blocks := face.Boards(names, []face.PlayerBoard{c.board})
		more := bot.Reply{Blocks: blocks[1:]}
		for i, block := range more.Blocks {
			more.Blocks[i] = block.(bot.Line).Named(names)
		}
		if words := (bot.Reply{Blocks: blocks[:1]}).String(); words != c.words || more.String() != c.more {
			t.Errorf("%s: got %q, %q", c.name, words, more)
		}
	}
	if got := face.Boards(names, nil); got != nil {
		t.Errorf("of nobody: %v", got)
	}
	drawn := face.Boards(names, []face.PlayerBoard{{Player: "1", Board: picture.Board{Rows: rows, Attempts: 6}}})[0].(*bot.Picture).Draw(false)
	if want := (picture.Boards{{Name: "ana", Rows: rows, Attempts: 6}}).Draw(false); string(drawn) != string(want) {
		t.Errorf("another picture")
	}
}

// TestBoardsAlt: the alt text has every player. It leaves out the marks if there is no room, and changes with each guess.
func TestBoardsAlt(t *testing.T) {
	alt := func(players int, rows ...marks.Feedback) string {
		var all []face.PlayerBoard
		names := game.Names{}
		for i := range players {
			id := game.PlayerID(fmt.Sprint(i))
			names[id] = fmt.Sprintf("player-%d", i)
			all = append(all, face.PlayerBoard{Player: id, Used: len(rows), Board: picture.Board{Rows: rows, Result: "3 guesses · 12:34"}})
		}
		return face.Boards(names, all)[0].(*bot.Picture).Alt
	}
	if got, want := alt(2, 0), "player-0: 3 guesses, 12:34 (all grey). player-1: 3 guesses, 12:34 (all grey). Guesses in all: 2."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for players, end := range map[int]string{25: " player-24: 3 guesses, 12:34. Guesses in all: 75.", 31: " player-23: 3 guesses, 12:34. And 7 more. Guesses in all: 93."} {
		if got := alt(players, 0, 0, 0); len(got) > bot.MaxAlt || !strings.HasSuffix(got, end) || got == alt(players, 0, 0) {
			t.Errorf("%d players, %d bytes: %s", players, len(got), got)
		}
	}
}

// TestShared: a shared match has its marks and no letter, and a button to play one like it.
func TestShared(t *testing.T) {
	m := with(match(game.Practice, "a", "m"), hint("ana"))
	m.Puzzle, m.Names = game.DailyPuzzle(1000), game.Names{"ana": "Ana"}
	reply := toyFace.Shared(m, "ana")
	if got, want := reply.String(), "ana solved Toy 1000 in 2, for practice\nana: 2/6, 1 hint (all grey; all grey).\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if b := reply.Buttons(); len(b) != 1 || b[0].Label != "Play" || b[0].Command != bot.NameDaily {
		t.Errorf("got %+v", b)
	}
}

// TestSharedLoss: a lost match is shared like a won one.
func TestSharedLoss(t *testing.T) {
	m := match(game.Solo, "a", "b", "c", "d", "e", "f")
	if reply := toyFace.Shared(m, "ana"); reply.Tone != bot.Sad || !strings.HasPrefix(reply.String(), "ana didn't get a game of Toy\nana: X/6 (") {
		t.Errorf("got %s", reply)
	}
}
