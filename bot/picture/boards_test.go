package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
)

func mustRows(tb testing.TB, text string) (rows []marks.Feedback) {
	tb.Helper()
	for _, row := range strings.Fields(text) {
		f, err := marks.Parse(row)
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, f)
	}
	return rows
}

// race returns boards in all states. The font lacks some letters of the names, and all of 小明 and 山田太郎.
func race(tb testing.TB, players int) Boards {
	names := []string{"ben", "cleo", "ana", "Zoë", "christopher_the_2nd", "Nguyễn Văn", "小明", "𝓛𝓾𝓷𝓪 ✨", "Дмитрий", "xX_Dark_Xx", "Ελένη", "山田太郎"}
	states := []Board{
		{Rows: mustRows(tb, "BYYBB BGBGG GGGGG"), Result: "3 guesses · 1:24"},
		{Rows: mustRows(tb, "BBYBB BBYBG"), Result: "playing"},
		{Result: "playing"},
		{Rows: mustRows(tb, "BBBBB YGBBY GGBGG GGGGG"), Result: "4 guesses · 12:05"},
		{Rows: mustRows(tb, "YBBBB BYBYB GGBBB GGBGB GGYBG GBBGG"), Result: "not this time"},
	}
	var boards Boards
	for i := range players {
		board := states[i%len(states)]
		board.Attempts = 6
		board.Name = names[i%len(names)]
		board.Place = map[int]int{0: 1, 1: 4, 3: 2, 8: 3}[i]
		boards = append(boards, board)
	}
	return boards
}

// several returns a race on several boards, of which some are found, and long one on a single board with up to 13 guesses.
func several(tb testing.TB, players, boards int) Boards {
	all := race(tb, players)
	for i := range all {
		all[i].Rows, all[i].Attempts = nil, boards+5
		for k := range boards {
			all[i].Found = append(all[i].Found, max(0, (k*7+i*5)%(boards+5)-i%3))
		}
	}
	return all
}

func long(tb testing.TB, players int) Boards {
	all := race(tb, players)
	for i := range all {
		all[i].Attempts = 13
	}
	all[1].Rows = mustRows(tb, "BBBBB BBYBB BBYBB BBYBG BBYBG BBYBG BBYBG BBGBG BBGBG BBGBG BBGBG BBGGG BBGGG")
	return all
}

// TestBoards compares boards with reviewed pictures.
func TestBoards(t *testing.T) {
	golden(t, "testdata/boards-3.png", race(t, 3).Draw(false))
	golden(t, "testdata/boards-16-contrast.png", race(t, 16).Draw(true))
	golden(t, "testdata/boards-31.png", race(t, 31).Draw(false))
	golden(t, "testdata/boards-two.png", several(t, 3, 2).Draw(false))
	golden(t, "testdata/boards-eight.png", several(t, 10, 8).Draw(true))
	golden(t, "testdata/boards-long.png", long(t, 4).Draw(false))
	golden(t, "testdata/boards-mixed.png", append(several(t, 3, 4), race(t, 4)...).Draw(false))
}

// TestBoardsSize: any number of boards has a small picture in which names have room, with the same bytes each time.
func TestBoardsSize(t *testing.T) {
	most := 0
	for n := 1; n <= 2*MostBoards; n++ {
		boards := race(t, n)
		for i := range boards {
			boards[i].Name = fmt.Sprintf("%c%dmWqkgXyZ_äöü", 'A'+i%26, i)
			boards[i].Rows = append(boards[i].Rows[:0:0], mustRows(t, "YBBGB BYBYB GGYBB GBYGB YBYBG GGGGG")...)
			boards[i].Result, boards[i].Place = fmt.Sprintf("%d guesses · %d:%02d", 1+i%6, i, i*7%60), min(i+1, 3)
		}
		b := boards.Draw(false)
		if p := mustDecode(t, b); p.Rect.Dx() != smallWidth || p.Rect.Dy() > 1320 || len(b) > 60_000 || len(p.Palette) > 250 {
			t.Errorf("%d boards are %v large, with %d bytes and %d colours", n, p.Rect.Size(), len(b), len(p.Palette))
		}
		if !bytes.Equal(b, boards.Draw(false)) {
			t.Errorf("%d boards have other bytes when drawn again", n)
		}
		most = max(most, len(b))
	}
	t.Logf("at most %d bytes", most)
	for name, boards := range map[string]Boards{"long": long(t, MostBoards), "several": several(t, MostBoards, 8), "mixed": append(several(t, 5, 8), long(t, 20)...)} {
		if b := boards.Draw(false); mustDecode(t, b).Rect.Dy() > 1800 || len(b) > 60_000 {
			t.Errorf("%s: %v large, with %d bytes", name, mustDecode(t, b).Rect.Size(), len(b))
		}
	}
}

func TestLayout(t *testing.T) {
	const want = "3x1 3x1 3x1 4x1 3x2 3x2 4x2 4x2 3x3 4x3 4x3 4x3 5x3 5x3 5x3 4x4 5x4 5x4 5x4 5x4 5x5 5x5 5x5 5x5 5x5"
	var got []string
	for n := 1; n <= MostBoards; n++ {
		columns, rows := layout(n)
		got = append(got, fmt.Sprintf("%dx%d", columns, rows))
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestWords: a board in words has its place, its result, and its marks if there are any.
func TestWords(t *testing.T) {
	for want, board := range map[string]Board{
		", 2nd: 6 guesses (board 1 in 4, 2 in 6)":                       {Found: []int{4, 6, 0}, Result: "6 guesses", Place: 2},
		", 1st: 3 guesses, 1:24 (2 yellow; 2 green, 1 yellow; 5 green)": {Rows: mustRows(t, "BYYBB BGBGY GGGGG"), Result: "3 guesses · 1:24", Place: 1},
		" (all grey)": {Rows: mustRows(t, "BBBBB")}, ": playing": {Result: "playing", Place: 4}, ", best: 2/6": {Result: "2/6", Place: Best},
	} {
		if got := board.Words(true); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (Board{Rows: mustRows(t, "BBBBB"), Result: "playing"}).Words(false); got != ": playing" {
		t.Errorf("without guesses: %q", got)
	}
}

// TestCrown: a gold crown without a number is in place of a medal.
func TestCrown(t *testing.T) {
	for _, c := range []struct {
		board Board
		gold  bool
	}{{Board{Result: "2/6", Place: Best}, true}, {Board{Result: "2/6"}, false}} {
		p, n := mustDecode(t, Boards{c.board}.Draw(false)), 0
		for _, ink := range p.Pix {
			switch color.NRGBAModel.Convert(p.Palette[ink]) {
			case gold:
				n++
			case dark:
				t.Fatalf("%+v has a number", c.board)
			}
		}
		if n > 50 != c.gold {
			t.Errorf("%+v: %d gold pixels", c.board, n)
		}
	}
}

// TestUnwritten: the names that the picture can't write are known, in any script.
func TestUnwritten(t *testing.T) {
	if got := race(t, 12).Unwritten(); !slices.Equal(got, []int{6, 11}) {
		t.Errorf("got %v", got)
	}
	if got := race(t, 3).Unwritten(); got != nil {
		t.Errorf("got %v", got)
	}
}

func BenchmarkBoards(b *testing.B) {
	for _, n := range []int{1, 3, 16, 25} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			boards := race(b, n)
			b.ReportAllocs()
			for b.Loop() {
				boards.Draw(false)
			}
		})
	}
}
