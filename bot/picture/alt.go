package picture

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

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
	var parts []string
	for _, head := range []string{t.Title, t.Outcome} {
		if head != "" {
			parts = append(parts, head+".")
		}
	}
	for i, hole := range t.Deal.Holes {
		parts = append(parts, fmt.Sprintf("%s %v: %s.", PlayerName(i), hole, t.places(i)))
	}
	for i, g := range t.Guesses {
		parts = append(parts, guessWords(i+1, t.player(i), g))
	}
	if t.Hidden != nil {
		parts = append(parts, fmt.Sprintf("The board: %s.", BoardWords(*t.Hidden)))
		if t.WonAlike() {
			parts = append(parts, Alike)
		}
	}
	for _, more := range []string{t.Possible(), t.AttemptsLeft()} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, " ")
}
