package picture

import (
	"bytes"
	"image"
	"image/png"
	"sync"
	"testing"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

func mustBoard(tb testing.TB, text string) pokle.Board {
	tb.Helper()
	b, err := pokle.ParseBoard(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return b
}

// sample is a game in progress, with each suit, mark and medal.
func sample(tb testing.TB) PokerTable {
	tb.Helper()
	var deal [pokle.Players]pokle.Hole
	cards, err := pokle.ParseCards("QD QC 10H 2H 9H KH")
	if err != nil {
		tb.Fatal(err)
	}
	for i := range deal {
		deal[i] = pokle.Hole(cards[i*pokle.HoleCards:])
	}
	board := mustBoard(tb, "2C 9C 10C KC 2D")
	game := pokle.NewState(pokle.NewDeal(deal, board), board)
	for _, text := range []string{"9C 10D KD 2D 2S", "10C 9S AH KC 8D", "2S 9C 10S KC 2C"} {
		if game, err = game.Guess(mustBoard(tb, text)); err != nil {
			tb.Fatal(err)
		}
	}
	return PokerTable{Deal: game.Deal(), Guesses: game.Turns(), State: "14 possible boards"}
}

// alike is a game won by another board than the hidden one. The font has all of the first player's name, nothing of the
// second's and some of the third's.
func alike(tb testing.TB) PokerTable {
	table, board := sample(tb), mustBoard(tb, "2C 9C 10C KC 2D")
	table.Guesses[2].Guess, table.Guesses[2].Feedback = mustBoard(tb, "2C 9C 10C KC 2S"), marks.AllGreen
	table.Hidden, table.State, table.Players = &board, "Won in 3 of 6", []string{"ana", "小明", "Zoë 🎲"}
	return table
}

func mustDecode(tb testing.TB, b []byte) *image.Paletted {
	tb.Helper()
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		tb.Fatal(err)
	}
	return decoded.(*image.Paletted)
}

// TestTables compares tables with reviewed pictures. Their palettes have room for the colours at the edges of shapes,
// and Discord shows them at about half their size.
func TestTables(t *testing.T) {
	plain := sample(t)
	plain.State = ""
	for name, table := range map[string]PokerTable{"playing": sample(t), "plain": plain, "alike": alike(t)} {
		b := table.Draw(name == "alike")
		golden(t, "testdata/table-"+name+".png", b)
		p := mustDecode(t, b)
		if p.Rect.Dx() != Width || p.Rect.Dy() > Width*350/550*11/10 || len(b) > 60_000 || len(p.Palette) > 250 {
			t.Errorf("%s is %v large, with %d bytes and %d colours", name, p.Rect.Size(), len(b), len(p.Palette))
		}
	}
	if width := canvas.New(1, 1, cloth).TextWidth(Alike, 22); width > Width-margin-guessesLeft {
		t.Errorf("the reason is %d wide", width)
	}
}

// TestWonAlike: only another board than the hidden one wins alike, and only in the end.
func TestWonAlike(t *testing.T) {
	same, lost := alike(t), sample(t)
	lost.Hidden = same.Hidden
	same.Guesses[2].Guess = mustBoard(t, "10C 9C 2C KC 2D") // the hidden board in another order
	if !alike(t).WonAlike() || same.WonAlike() || lost.WonAlike() || sample(t).WonAlike() {
		t.Errorf("another board %t, the same %t, lost %t, in play %t", alike(t).WonAlike(), same.WonAlike(), lost.WonAlike(), sample(t).WonAlike())
	}
}

func TestConcurrentUse(t *testing.T) {
	table := sample(t)
	want := table.Draw(false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := table.Draw(false); !bytes.Equal(got, want) {
				t.Error("drawn at the same time as others: another picture")
			}
		})
	}
	all.Wait()
}

func BenchmarkDraw(b *testing.B) {
	table := sample(b)
	b.ReportAllocs()
	for b.Loop() {
		table.Draw(false)
	}
}
