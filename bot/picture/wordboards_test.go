package picture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fivefold/game/wordle"
)

// guessed are words in the order of guessing. They find eight but for MUMMY.
const guessed = "SLATE CRONY BUMPH DIGIT FJORD VEXED WALTZ PAPER LOWLY SWORE CHAFF MAMMA QUEUE"

var eight = []string{"PAPER", "CRONY", "LOWLY", "MUMMY", "SWORE", "DIGIT", "VEXED", "CHAFF"}

func mustWord(tb testing.TB, text string) wordle.Word {
	tb.Helper()
	w, err := wordle.ParseWord(text)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// wordBoards returns boards with these hidden words after the first guesses.
func wordBoards(tb testing.TB, attempts, used int, hidden ...string) WordBoards {
	w := WordBoards{Attempts: attempts}
	for _, answer := range hidden {
		var b WordBoard
		for n, word := range strings.Fields(guessed)[:used] {
			b.Rows = append(b.Rows, WordRow{word, wordle.Score(mustWord(tb, word), mustWord(tb, answer))})
			if word == answer {
				b.Found = n + 1
				break
			}
		}
		w.Boards = append(w.Boards, b)
	}
	return w
}

// TestWordBoards compares boards with reviewed pictures: open ones have the outline of the next word, found ones a tick,
// and lost ones a cross.
func TestWordBoards(t *testing.T) {
	golden(t, "testdata/words-2.png", wordBoards(t, 7, 1, eight[:2]...).Draw(false))
	golden(t, "testdata/words-4-contrast.png", wordBoards(t, 9, 8, eight[:4]...).Draw(true))
	golden(t, "testdata/words-8.png", wordBoards(t, 13, 13, eight...).Draw(false))
}

// TestWordBoardsSize: pictures of games in which nothing is found are small files, and not much higher than wide.
func TestWordBoardsSize(t *testing.T) {
	hidden := []string{"TEPID", "HORDE", "ALLOY", "CURVE", "PIXEL", "OCEAN", "WRATH", "FUDGE"}
	for n, attempts := range map[int]int{2: 7, 4: 9, 8: 13} {
		w := wordBoards(t, attempts, attempts, hidden[:n]...)
		b := w.Draw(true)
		if p := mustDecode(t, b); p.Rect.Dx() != wordsWidth || p.Rect.Dy() > 900 || len(b) > 60_000 || len(p.Palette) > 250 {
			t.Errorf("%d boards are %v large, with %d bytes and %d colours", n, p.Rect.Size(), len(b), len(p.Palette))
		}
		if !bytes.Equal(b, w.Draw(true)) {
			t.Errorf("%d boards have other bytes when drawn again", n)
		}
		t.Logf("%d boards: %d bytes", n, len(b))
	}
}

func BenchmarkWordBoards(b *testing.B) {
	for n, attempts := range map[int]int{2: 7, 4: 9, 8: 13} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := wordBoards(b, attempts, attempts, eight[:n]...)
			b.ReportAllocs()
			for b.Loop() {
				w.Draw(false)
			}
		})
	}
}
