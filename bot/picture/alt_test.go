package picture

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"fivefold/game/marks"
	"fivefold/game/pokle"
)

func TestAlt(t *testing.T) {
	playing := sample(t)
	over := sample(t)
	board := mustBoard(t, "2C 9C 10C KC 2D")
	over.Hidden = &board
	alike := sample(t)
	alike.Guesses[2].Guess, alike.Guesses[2].Feedback = mustBoard(t, "2C 9C 10C KC 2S"), marks.AllGreen
	alike.Hidden, alike.Outcome, alike.Players = &board, "Won in 3 of 6", []string{"ana", "", "Zoë\n🎲"}
	last, none := sample(t), sample(t)
	last.Left, last.Attempts = 1, 4
	none.Left, none.Attempts = 0, 3
	start := sample(t)
	start.Title, start.Guesses, start.Left = "", nil, -1
	const players = "Player 1 Q♦ Q♣: flop 2nd, turn 1st, river 2nd. Player 2 10♥ 2♥: flop 1st, turn 3rd, river 1st. " +
		"Player 3 9♥ K♥: flop 3rd, turn 2nd, river 3rd. "
	const guesses = "Guess 1: 9♣ green, 10♦ yellow, K♦ grey, turn 2♦ grey, river 2♠ yellow. " +
		"Guess 2: 10♣ green, 9♠ yellow, A♥ grey, turn K♣ green, river 8♦ yellow. " +
		"Guess 3: 2♠ yellow, 9♣ green, 10♠ yellow, turn K♣ green, river 2♣ yellow. "
	for _, c := range []struct {
		name  string
		table PokerTable
		want  string
	}{
		{"playing", playing, "Daily puzzle 326. " + players + guesses + "14 boards are possible. 3 attempts left."},
		{"one left", last, "Daily puzzle 326. " + players + guesses + "1 board is possible. 1 attempt left."},
		{"none left", none, "Daily puzzle 326. " + players + guesses + "No board is possible."},
		{"over", over, "Daily puzzle 326. " + players + guesses + "The board: 2♣ 9♣ 10♣ | K♣ | 2♦."},
		{"won by another board", alike, "Daily puzzle 326. Won in 3 of 6. " + players +
			"Guess 1 by ana: 9♣ green, 10♦ yellow, K♦ grey, turn 2♦ grey, river 2♠ yellow. " +
			"Guess 2: 10♣ green, 9♠ yellow, A♥ grey, turn K♣ green, river 8♦ yellow. " +
			"Guess 3 by Zoë 🎲: 2♣ green, 9♣ green, 10♣ green, turn K♣ green, river 2♠ green. " +
			"The board: 2♣ 9♣ 10♣ | K♣ | 2♦. Same flop, same ranks on turn and river: this board wins too."},
		{"start", start, players + "6 attempts left."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Alt(c.table); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzAlt: whatever the title and the number of guesses, with the longest cards, the
// words are one line that Discord takes, and end as they should.
func FuzzAlt(f *testing.F) {
	f.Add("Daily puzzle 326", 6, false)
	f.Add(strings.Repeat("🃏", 2000), 20, true)
	f.Add("\xff\n\u2028a", 8, false)
	random := rand.New(rand.NewPCG(3, 4))
	f.Fuzz(func(t *testing.T, title string, guesses int, over bool) {
		table := randomTable(random)
		table.Title = title
		table.Attempts = max(1, guesses)
		longest := pokle.Step{Feedback: 1 * (1 + 3 + 9 + 27 + 81)} // all yellow
		for i := range longest.Guess {
			longest.Guess[i] = pokle.NewCard(pokle.Ten, pokle.Suit(i%4))
		}
		table.Guesses = nil
		for range min(max(guesses, 0), 1000) {
			table.Players = append(table.Players, title)
			table.Guesses = append(table.Guesses, longest)
		}
		end := "left."
		if over || table.AttemptsLeft() == "" {
			table.Outcome = title
			table.Hidden, end = &longest.Guess, "The board: 10♣ 10♦ 10♥ | 10♠ | 10♣."
		}
		got := Alt(table)
		if n := len(utf16.Encode([]rune(got))); n > maxAlt {
			t.Errorf("%q, %d guesses: %d units", title, guesses, n)
		}
		if strings.ContainsAny(got, "\n\r\t") || !strings.HasSuffix(got, end) || !strings.Contains(got, "Player 3") {
			t.Errorf("%q: %q", title, got)
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"short", "abc", "abc"},
		{"just fits", "abcde", "abcde"},
		{"too long", "abcdef", "abcd…"},
		{"pairs", "😀😀", "😀😀"},
		{"pairs, too long", "😀😀😀", "😀😀…"},
		{"a pair is not parted", "abc😀😀", "abc…"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cut(c.text, 5); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
