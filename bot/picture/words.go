package picture

import (
	"fmt"
	"strings"

	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// PlayerName returns "Player 1" for the first player, whose index is 0.
func PlayerName(i int) string { return fmt.Sprintf("Player %d", i+1) }

// StreetName returns "Flop", "Turn" or "River", to start a line with.
func StreetName(s pokle.Street) string {
	name := s.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// Ordinals and Medals are the places as words and as emojis, by place.
var (
	Ordinals = [...]string{1: "1st", 2: "2nd", 3: "3rd"}
	Medals   = [...]string{1: "🥇", 2: "🥈", 3: "🥉"}
)

// places returns the place of the player with index i on each street, such as
// "flop 2nd, turn 1st, river 2nd".
func (t PokerTable) places(i int) string {
	var parts [pokle.Streets]string
	for s := range pokle.Streets {
		parts[s] = fmt.Sprintf("%v %s", pokle.Street(s), Ordinals[t.Deal.Places[s][i]])
	}
	return strings.Join(parts[:], ", ")
}

// Possible says how many boards are possible, as a sentence. It is empty if Left is
// negative, and when the game is over.
func (t PokerTable) Possible() string {
	switch {
	case t.Left < 0, t.Hidden != nil:
		return ""
	case t.Left == 0:
		return "No board is possible."
	case t.Left == 1:
		return "1 board is possible."
	}
	return fmt.Sprintf("%d boards are possible.", t.Left)
}

// AttemptsLeft says how many attempts are left, as a sentence. It is empty when the
// game is over.
func (t PokerTable) AttemptsLeft() string {
	switch n := t.Attempts - len(t.Guesses); {
	case t.Hidden != nil || n <= 0:
		return ""
	case n == 1:
		return "1 attempt left."
	default:
		return fmt.Sprintf("%d attempts left.", n)
	}
}

// Alike says why a board wins that is not the hidden one; see [PokerTable.WonAlike].
const Alike = "Same flop, same ranks on turn and river: this board wins too."

// BoardWords returns a board with bars between flop, turn and river, such as
// "2♣ 3♦ 10♥ | 4♠ | K♠".
func BoardWords(b pokle.Board) string {
	return fmt.Sprintf("%v %v %v | %v | %v", b[0], b[1], b[2], b[3], b[4])
}

// markNames are the names of the marks, and markMeanings what they mean, by mark.
var (
	markNames    = [...]string{pokle.Grey: "grey", pokle.Yellow: "yellow", pokle.Green: "green"}
	markMeanings = [...]string{pokle.Grey: "neither", pokle.Yellow: "same rank or suit", pokle.Green: "the card is there"}
)

// guessWords describes a guess and its feedback, card by card, and who made it unless player is
// empty.
func guessWords(number int, player string, g pokle.Step) string {
	var parts [marks.Length]string
	for i := range parts {
		street := ""
		if i >= pokle.Flop.Cards() {
			street = pokle.Street(i-pokle.Flop.Cards()+1).String() + " "
		}
		parts[i] = fmt.Sprintf("%s%v %s", street, g.Guess[i], markNames[g.Feedback.Mark(i)])
	}
	by := ""
	if player != "" {
		by = " by " + player
	}
	return fmt.Sprintf("Guess %d%s: %s.", number, by, strings.Join(parts[:], ", "))
}
