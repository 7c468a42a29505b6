// Package dictionary holds the five-letter words of the game: those a player may guess and, among them, those the game may hide.
//
// Both lists are made from SCOWL, the Spell Checker Oriented Word Lists of Kevin Atkinson and others, in a release of Debian's
// scowl package. SCOWL-COPYRIGHT has the notices of all its sources and has to go wherever the lists go. The guesses are SCOWL's
// words up to size 80 in every spelling, without slurs and hard profanity, and some words of today that SCOWL lacks. The answers
// are the guesses that most adults know, in base form and American spelling. A few guesses that can hurt are withheld: players
// may make them, and the bot proposes them only where nothing else fits. The same holds for some hundred words in common use that
// SCOWL lacks (accepted.txt); their weight is 0. The rules and the hand-written exceptions are in the folder generate; "go
// generate ./..." makes the lists again.
//
// Most meanings of hidden words are from WordNet 3.0, a database of Princeton University, as Debian packages it (wordnet-base
// 1:3.0-37). They are shortened from the sense that WordNet found most often in texts, or from a better known one. The other
// meanings were written for Fivefold: WordNet lacks these words, or its meanings would puzzle players. WORDNET-LICENSE goes
// wherever the meanings go. meanings.txt is edited by hand.
package dictionary

import (
	_ "embed"
	"strings"
)

var (
	//go:embed answers.txt
	answers string
	//go:embed guesses.txt
	guesses string
	//go:embed withheld.txt
	withheld string
	//go:embed generate/blocked.txt
	blocked string
	//go:embed weights.txt
	weights string
	//go:embed meanings.txt
	meanings string // "crane: …" in lines, in the order of answers
)

// Answers returns the words that may be hidden, in alphabetical order, lower case, one per line with a newline at the end of
// each. Every one of them is also in Guesses.
func Answers() string { return answers }

// Guesses returns the words that may be guessed, in the form of Answers.
func Guesses() string { return guesses }

// Withheld returns the words that may be guessed and are proposed only where nothing else fits, in the form of Answers. Every one
// of them is in Guesses, and none in Answers.
func Withheld() string { return withheld }

// Blocked returns the words that are never accepted, shown or proposed, in the form of Answers, with empty lines and comments
// that begin with #.
func Blocked() string { return blocked }

// Weights returns how likely a puzzle elsewhere is to hide each word of Guesses, in parts of ten thousand, one number per line in
// the order of Guesses. A word of 0 is possible only where no other word is: players may guess it, no more. Weights depend on how
// well known a word is and whether it is inflected; the generator has the figures and says where they are from.
func Weights() string { return weights }

// Meaning returns what a word of Answers means, in at most 93 characters without a full stop; "" for any other word. It reads
// through all meanings, which takes some microseconds.
func Meaning(word string) string {
	for line := range strings.Lines(meanings) {
		if meaning, found := strings.CutPrefix(line, word+": "); found {
			return strings.TrimSuffix(meaning, "\n")
		}
	}
	return ""
}
