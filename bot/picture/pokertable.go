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

// PokerTable is the content of a picture. The deal must be valid, and each guess and the hidden board must have five
// different cards.
type PokerTable struct {
	Title    string       // such as "Daily puzzle 326", in plain text; may be empty
	Deal     pokle.Deal   // the three holes and the places on each street
	Guesses  []pokle.Step // oldest first
	Attempts int          // in the whole game; rows for the remaining ones are empty
	Left     int          // boards that are still possible; negative to leave this out
	Hidden   *pokle.Board // the hidden board of a finished game; nil before
	Outcome  string       // of a finished game, such as "Won in 4 of 6"; empty before
	Players  []string     // each guess's player by name, empty if unknown; nil to leave this out
}

// player returns the name of a guess's player, by the guess's index, or an empty string.
func (t PokerTable) player(guess int) string {
	if guess >= len(t.Players) {
		return ""
	}
	return t.Players[guess]
}

// Names reports whether the picture can write at least one letter of each player's name.
func (t PokerTable) Names() bool {
	return !slices.ContainsFunc(t.Players, func(name string) bool { return !canvas.Writes(name) })
}

// WonAlike reports whether another board than the hidden one won the game.
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

// Possible gives the number of possible boards in a sentence. It is empty for a negative Left and a finished game.
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

// AttemptsLeft gives the number of attempts left in a sentence. It is empty for a finished game.
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

// The names and meanings of the marks.
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

// maxAlt is Discord's limit for the description of a picture, counted in UTF-16 units to be safe.
const maxAlt = 1024

// fitting returns the first text of at most maxAlt units, or the beginning of the last.
func fitting(texts ...string) string {
	var units []uint16
	for _, text := range texts {
		if units = utf16.Encode([]rune(text)); len(units) <= maxAlt {
			return text
		}
	}
	return string(utf16.Decode(append(units[:maxAlt-1], '…')))
}

// Alt describes the picture in at most 1024 UTF-16 units, for people who can't see it. Names are left out if there is
// no room for them.
func (t PokerTable) Alt() string {
	unnamed := t
	unnamed.Players = nil
	return fitting(describe(t), describe(unnamed))
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
			text += fmt.Sprintf("%v %s%s", pokle.Street(s), Medals[int(places[i])].Words, []string{", ", ", ", ". "}[s])
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
