package main

import (
	"fmt"
	"strings"
)

// accents maps the accented letters that scowl's words use to the plain
// letter a player types. Only letters with one plain equivalent are
// here: ø or æ has no agreed replacement, so a short word with one must be
// looked at by a person before it can become a word of the game.
var accents = map[rune]rune{
	'à': 'a', 'á': 'a', 'â': 'a', 'ä': 'a', 'å': 'a',
	'ç': 'c',
	'è': 'e', 'é': 'e', 'ê': 'e',
	'í': 'i', 'î': 'i', 'ï': 'i',
	'ñ': 'n',
	'ó': 'o', 'ô': 'o', 'ö': 'o',
	'ù': 'u', 'ú': 'u', 'û': 'u', 'ü': 'u',
}

// fold returns word in plain letters a to z. It reports false for a word
// with a capital, an apostrophe or another ASCII character that is not a
// lower-case letter, and an error for a letter that it does not know.
func fold(word string) (string, bool, error) {
	var plain strings.Builder
	for _, letter := range word {
		switch {
		case 'a' <= letter && letter <= 'z':
			plain.WriteRune(letter)
		case letter < 0x80:
			return "", false, nil
		case accents[letter] != 0:
			plain.WriteRune(accents[letter])
		default:
			return "", false, fmt.Errorf("no plain letter known for %q in %q", letter, word)
		}
	}
	return plain.String(), true, nil
}
