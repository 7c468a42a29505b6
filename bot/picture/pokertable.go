package picture

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"fivefold/bot/canvas"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

// PokerTable is the content of a picture. The deal must be valid, and each guess and the hidden
// board must have five different cards.
type PokerTable struct {
	Title    string       // such as "Daily puzzle 326", in plain text; may be empty
	Deal     pokle.Deal   // the three holes and the places on each street
	Guesses  []pokle.Step // oldest first
	Attempts int          // in the whole game; those left are empty rows
	Left     int          // boards that are still possible; negative to leave this out
	Hidden   *pokle.Board // the board, when the game is over; nil before
	Outcome  string       // how the game ended, such as "Won in 4 of 6"; empty before
	Players  []string     // who made each guess, by name, empty where that is not known; nil to leave this out
	Contrast bool         // orange and blue instead of green and yellow
}

// player returns the name of the player who made a guess, by its index, or an empty string.
func (t PokerTable) player(guess int) string {
	if guess >= len(t.Players) {
		return ""
	}
	return t.Players[guess]
}

// Names reports whether the picture can write at least a letter of every player's name.
func (t PokerTable) Names() bool {
	return !slices.ContainsFunc(t.Players, func(name string) bool { return !canvas.Writes(name) })
}

// WonAlike reports whether the game was won by another board than the hidden one.
func (t PokerTable) WonAlike() bool {
	n := len(t.Guesses)
	return t.Hidden != nil && n > 0 && t.Guesses[n-1].Feedback == marks.AllGreen && t.Guesses[n-1].Guess.Canonical() != t.Hidden.Canonical()
}

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

// AttemptsLeft says how many attempts are left, as a sentence. It is empty when the game is over.
func (t PokerTable) AttemptsLeft() string {
	n := t.Attempts - len(t.Guesses)
	switch {
	case t.Hidden != nil || n <= 0:
		return ""
	case n == 1:
		return "1 attempt left."
	}
	return fmt.Sprintf("%d attempts left.", n)
}

// Alike explains a win by another board than the hidden one; see [PokerTable.WonAlike].
const Alike = "Same flop, same ranks on turn and river: this board wins too."

// BoardWords returns a board with bars between flop, turn and river, such as "2♣ 3♦ 10♥ | 4♠ | K♠".
func BoardWords(b pokle.Board) string {
	return fmt.Sprintf("%v %v %v | %v | %v", b[0], b[1], b[2], b[3], b[4])
}

// markNames and markMeanings are the names and the meanings of the marks, by mark.
var (
	markNames    = [...]string{pokle.Grey: "grey", pokle.Yellow: "yellow", pokle.Green: "green"}
	markMeanings = [...]string{pokle.Grey: "neither", pokle.Yellow: "same rank or suit", pokle.Green: "the card is there"}
)

// guessWords describes a guess and its feedback, card by card, with the player's name if it isn't empty.
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

// maxAlt is the longest description of a picture that Discord accepts, in UTF-16 units to be safe.
const maxAlt = 1024

// Alt describes the picture in at most 1024 UTF-16 units, as its text for people who
// cannot see it. Names are left out where there is no room.
func Alt(t PokerTable) string {
	text := describe(t)
	if len(utf16.Encode([]rune(text))) > maxAlt {
		t.Players = nil
		text = describe(t)
	}
	return text
}

func describe(t PokerTable) string {
	text := ""
	for _, head := range []string{t.Title, t.Outcome} {
		if head != "" {
			text += head + ". "
		}
	}
	for i, hole := range t.Deal.Holes {
		text += fmt.Sprintf("%s %v: ", PlayerName(i), hole)
		for s, places := range t.Deal.Places {
			text += fmt.Sprintf("%v %s%s", pokle.Street(s), Ordinals[places[i]], []string{", ", ", ", ". "}[s])
		}
	}
	for i, g := range t.Guesses {
		text += guessWords(i+1, t.player(i), g) + " "
	}
	if t.Hidden != nil {
		text += fmt.Sprintf("The board: %s. ", BoardWords(*t.Hidden))
		if t.WonAlike() {
			text += Alike
		}
	}
	return strings.Join(strings.Fields(text+t.Possible()+" "+t.AttemptsLeft()), " ")
}
