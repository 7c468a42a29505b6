package picture

import (
	"strings"
	"testing"
	"unicode/utf16"

	"fivefold/game/pokle"
)

func TestAlt(t *testing.T) {
	over, last, none, start, lost := sample(t), sample(t), sample(t), sample(t), alike(t)
	board := mustBoard(t, "2C 9C 10C KC 2D")
	over.Hidden = &board
	last.Left, last.Attempts = 1, 4
	none.Left, none.Attempts = 0, 3
	start.Title, start.Guesses, start.Left = "", nil, -1
	lost.Guesses[2].Guess = mustBoard(t, "10C 9C 2C KC 2D") // the hidden board in another order
	const players = "Player 1 Q♦ Q♣: flop 2nd, turn 1st, river 2nd. Player 2 10♥ 2♥: flop 1st, turn 3rd, river 1st. " +
		"Player 3 9♥ K♥: flop 3rd, turn 2nd, river 3rd. "
	const guesses = "Guess 1: 9♣ green, 10♦ yellow, K♦ grey, turn 2♦ grey, river 2♠ yellow. " +
		"Guess 2: 10♣ green, 9♠ yellow, A♥ grey, turn K♣ green, river 8♦ yellow. " +
		"Guess 3: 2♠ yellow, 9♣ green, 10♠ yellow, turn K♣ green, river 2♣ yellow. "
	const named = "Guess 1 by ana: 9♣ green, 10♦ yellow, K♦ grey, turn 2♦ grey, river 2♠ yellow. " +
		"Guess 2 by 小明: 10♣ green, 9♠ yellow, A♥ grey, turn K♣ green, river 8♦ yellow. "
	for _, c := range []struct {
		name  string
		table PokerTable
		want  string
	}{
		{"playing", sample(t), "Daily puzzle 326. " + players + guesses + "14 boards are possible. 3 attempts left."},
		{"one left", last, "Daily puzzle 326. " + players + guesses + "1 board is possible. 1 attempt left."},
		{"none left", none, "Daily puzzle 326. " + players + guesses + "No board is possible."},
		{"over", over, "Daily puzzle 326. " + players + guesses + "The board: 2♣ 9♣ 10♣ | K♣ | 2♦."},
		{"won by another board", alike(t), "Daily puzzle 326. Won in 3 of 6. " + players + named +
			"Guess 3 by Zoë 🎲: 2♣ green, 9♣ green, 10♣ green, turn K♣ green, river 2♠ green. " +
			"The board: 2♣ 9♣ 10♣ | K♣ | 2♦. Same flop, same ranks on turn and river: this board wins too."},
		{"won by the same board", lost, "Daily puzzle 326. Won in 3 of 6. " + players + named +
			"Guess 3 by Zoë 🎲: 10♣ green, 9♣ green, 2♣ green, turn K♣ green, river 2♦ green. The board: 2♣ 9♣ 10♣ | K♣ | 2♦."},
		{"start", start, players + "6 attempts left."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.table.Alt(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAltFits: a description with the longest cards and names fits, with or without the names.
func TestAltFits(t *testing.T) {
	table := alike(t)
	table.Title, table.Outcome = "Daily puzzle 100000, for practice", "Won in 6 of 6 with hints"
	longest := pokle.Step{Feedback: 1 * (1 + 3 + 9 + 27 + 81)} // all yellow
	for i := range longest.Guess {
		longest.Guess[i] = pokle.NewCard(pokle.Ten, pokle.Suit(i%4))
	}
	table.Guesses, table.Players = nil, nil
	for range table.Attempts {
		table.Guesses = append(table.Guesses, longest)
		table.Players = append(table.Players, strings.Repeat("🃏", 32))
	}
	got := table.Alt()
	if n := len(utf16.Encode([]rune(got))); n > maxAlt || strings.Contains(got, "🃏") || !strings.HasSuffix(got, "The board: 2♣ 9♣ 10♣ | K♣ | 2♦.") {
		t.Errorf("%d units: %s", n, got)
	}
}
