package picture

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// maxAlt is the longest description of a picture that Discord accepts, in UTF-16 units to be
// safe, and maxAltTitle the longest title or outcome in it. The rest has room for the longest
// cards in every row.
const (
	maxAlt      = 1024
	maxAltTitle = 60
)

// Alt describes the picture in at most 1024 UTF-16 units, as its text for people who
// cannot see it. A long title is cut, and names are left out where there is no room.
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
	if title := cut(oneLine(t.Title), maxAltTitle); title != "" {
		parts = append(parts, title+".")
	}
	if outcome := cut(oneLine(t.Outcome), maxAltTitle); outcome != "" {
		parts = append(parts, outcome+".")
	}
	for i, hole := range t.Deal.Holes {
		parts = append(parts, fmt.Sprintf("%s %v: %s.", PlayerName(i), hole, t.places(i)))
	}
	from, guesses := t.latest()
	for i, g := range guesses {
		parts = append(parts, guessWords(from+i, t.player(from+i), g))
	}
	if t.Hidden != nil {
		parts = append(parts, fmt.Sprintf("The board: %s.", BoardWords(*t.Hidden)))
		if t.WonAlike() {
			parts = append(parts, Alike)
		}
	} else if possible := t.Possible(); possible != "" {
		parts = append(parts, possible)
	}
	if left := t.AttemptsLeft(); left != "" {
		parts = append(parts, left)
	}
	return strings.Join(parts, " ")
}

// oneLine returns a text on one line, with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cut returns a text of at most n UTF-16 units, ending in an ellipsis where it was cut.
func cut(text string, n int) string {
	units := 0
	end := len(text) // where the text is cut if it is too long
	for at, r := range text {
		if units <= n-1 {
			end = at
		}
		if units += utf16.RuneLen(r); units > n {
			return text[:end] + "…"
		}
	}
	return text
}
