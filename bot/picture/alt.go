package picture

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// maxAlt is how much Discord takes as the description of a picture, in UTF-16
// units to be on the safe side, and maxAltTitle what of it the title may take. The
// rest is enough for the longest cards in every row.
const (
	maxAlt      = 1024
	maxAltTitle = 60
)

// Alt says what the picture shows, in words, at most 1024 characters (UTF-16 units).
// A title that would take too much of them is cut.
func Alt(t Table) string {
	var parts []string
	if title := cut(oneLine(t.Title), maxAltTitle); title != "" {
		parts = append(parts, title+".")
	}
	for i, hole := range t.Deal.Holes {
		parts = append(parts, fmt.Sprintf("%s %v: %s.", PlayerName(i), hole, t.Places(i, false)))
	}
	from, guesses := t.shown()
	for i, g := range guesses {
		parts = append(parts, guessWords(from+i, g))
	}
	if t.Hidden != nil {
		parts = append(parts, fmt.Sprintf("The board: %s.", BoardWords(*t.Hidden)))
	} else if possible := t.Possible(); possible != "" {
		parts = append(parts, possible)
	}
	if left := t.AttemptsLeft(); left != "" {
		parts = append(parts, left)
	}
	return strings.Join(parts, " ")
}

// oneLine returns a text without line breaks and other spaces in a row.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cut returns a text of at most n UTF-16 units, with an ellipsis where something is
// missing.
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
