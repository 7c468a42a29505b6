package boardsgame

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
)

// play makes guesses in a game. All must count.
func play(t *testing.T, hidden, guesses string) boards.State {
	t.Helper()
	var words []wordle.Word
	for _, text := range strings.Fields(hidden) {
		words = append(words, wordle.MustParse(text))
	}
	s := boards.New(words...)
	for _, text := range strings.Fields(guesses) {
		var err error
		if s, err = s.Guess(wordle.MustParse(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s
}

// view returns a match of the game, whose guesses were made by the players in turn.
func view(s boards.State, players ...game.PlayerID) face.View {
	v := face.View{Match: game.Match{State: s}}
	for i := range s.Used() {
		v.Moves = append(v.Moves, game.Move{Player: players[i%len(players)]})
	}
	return v
}

func kindOf(s boards.State) *Game {
	for _, g := range All(nil, nil) {
		if g.boards == s.Boards() {
			return g
		}
	}
	panic("no such kind")
}

func text(blocks []bot.Block) string { return bot.Reply{Blocks: blocks}.String() }

// TestDraw: the picture's words describe each board. Players' names come with the guesses. Answers come at the end, unless they are
// concealed.
func TestDraw(t *testing.T) {
	one := "1: _ R A _ E · has C (not 4)\n2: ABACK in 2\nNot tried: D F G H I J M N O P Q U V W X Y Z\n"
	for _, c := range []struct {
		name, guesses string
		change        func(*face.View)
		want          string
	}{
		{"new", "", nil, "1: _ _ _ _ _\n2: _ _ _ _ _\n"},
		{"alone", "slate aback grade", nil, strings.Replace(one, "D F G", "F", 1) + "Guesses: SLATE, ABACK, GRADE\n"},
		{"several", "slate aback grade", func(v *face.View) { v.Moves[1].Player = "ben" }, strings.Replace(one, "D F G", "F", 1) + "Guesses: SLATE · ana, ABACK · ben, GRADE · ana\n"},
		{"won", "aback crane", nil, "1: CRANE in 2\n2: ABACK in 1\nGuesses: ABACK, CRANE\n"},
		{"stopped", "aback", func(v *face.View) { v.Stop = &game.Stop{} }, "1: _ _ A _ _ · has C (not 4)\n2: ABACK in 1\nGuesses: ABACK\nNot found: CRANE (1)\n"},
		{"concealed", "aback", func(v *face.View) { v.Stop, v.Concealed = &game.Stop{}, true }, "1: _ _ A _ _ · has C (not 4)\n2: ABACK in 1\nGuesses: ABACK\n"},
		{"lost", "slate brick mound fuzzy vivid polyp whelp", nil, "1: _ R A N E · has C (not 4)\n2: _ _ A C K · has B (not 1)\n" +
			"Guesses: SLATE, BRICK, MOUND, FUZZY, VIVID, POLYP, WHELP\nNot found: CRANE (1), ABACK (2)\n"},
	} {
		v := view(play(t, "crane aback", c.guesses), "ana")
		if c.change != nil {
			c.change(&v)
		}
		drawn := kindOf(v.State.(boards.State)).Draw(v)
		if got := text(drawn.Board); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
		shown := drawn.Board[0].(*bot.Picture)
		if strings.Contains(shown.Alt, "ana") || v.Used() > 0 && !strings.HasSuffix(shown.Alt, v.State.(boards.State).Turns()[v.Used()-1].Guess.String()+".") {
			t.Errorf("%s: the picture is %q", c.name, shown.Alt)
		}
		if len(shown.Draw(false)) == 0 {
			t.Errorf("%s: no picture", c.name)
		}
	}
}

// TestFitsDiscord: the words of eight boards in a whole game fit where a picture's do, and leave room in a message.
func TestFitsDiscord(t *testing.T) {
	// The guesses have each letter of the hidden words in the four wrong places, and no other letter.
	s := play(t, strings.Repeat("abcde ", boards.Most), "bcdea cdeab deabc eabcd badec baecd bcaed bcead bdaec bdeac bdeca beacd")
	if s.Status() != marks.Playing {
		t.Fatalf("the game is %v", s.Status())
	}
	v := view(s, "1700000000000000001", "1700000000000000002", "1700000000000000003")
	for _, stopped := range []*game.Stop{nil, {}} {
		v.Stop = stopped
		drawn := kindOf(s).Draw(v)
		alt := drawn.Board[0].(*bot.Picture).Alt
		if n := len(utf16.Encode([]rune(alt))); n > bot.MaxAlt {
			t.Errorf("%d characters for a picture: %s", n, alt)
		}
		if n := bottest.Size(bot.Reply{Blocks: drawn.Board}); n > 2500 {
			t.Errorf("%d characters in a message", n)
		}
		t.Logf("%d characters for the picture, %d in the message", len(alt), bottest.Size(bot.Reply{Blocks: drawn.Board}))
	}
}

// TestGuesses: a guess has the best mark of each letter on the boards that were open.
func TestGuesses(t *testing.T) {
	s := play(t, "crane slate", "crony slate trace")
	got := ""
	for _, guess := range kindOf(s).Guesses(s) {
		got += bot.Look{}.Squares(guess.Tiles) + " " + guess.Text + "\n"
	}
	if want := "🟩🟩🔳🟩🔳 CRONY\n🟩🟩🟩🟩🟩 SLATE\n🔳🟩🟩🟨🟩 TRACE\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestBoards: a screen has each board up to the guess that found it, and empty boards before a game.
func TestBoards(t *testing.T) {
	s := play(t, "crane slate", "slate acorn")
	got := ""
	for _, b := range append(kindOf(s).Boards(s), kindOf(s).Boards(nil)...) {
		got += fmt.Sprintf("%s, %d rows, %t\n", b.Head, len(b.Rows), b.Found)
	}
	if want := "1 __A_E +CNR, 2 rows, false\n2 ✓ in 1, 1 rows, true\n1 _____, 0 rows, false\n2 _____, 0 rows, false\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReason(t *testing.T) {
	for _, c := range []struct {
		s    multi.Suggestion
		want string
	}{
		{multi.Suggestion{Expected: 4.71, Left: []int{20, 30}}, "It's on no board, but it tells you more. It takes about 4.7 more guesses on average."},
		{multi.Suggestion{Expected: 2.25, Left: []int{2, 3}, Possible: []int{1}, Proven: true},
			"It could be the word on board 2. It takes 2.25 more guesses on average; no word takes fewer."},
		{multi.Suggestion{Expected: 11.64, Left: []int{2, 3, 0, 9}, Possible: []int{0, 3}}, "It could be the word on board 1 or 4. It takes about 11.6 more guesses on average."},
		{multi.Suggestion{Expected: 3, Left: []int{2, 1}, Possible: []int{0, 1}, Proven: true}, "It's the word on board 2. It takes 3 more guesses on average; no word takes fewer."},
		{multi.Suggestion{Expected: 1, Left: []int{0, 1}, Possible: []int{1}, Proven: true}, "It's the word on board 2."},
	} {
		if got := reason(c.s); got != c.want {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}
