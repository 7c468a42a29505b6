package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// wordLength is the length of every word of the game.
const wordLength = 5

// A wordSet is what the program knows of scowl's words of up to five letters.
type wordSet struct {
	// size gives, for each word, the smallest size of a list that has it,
	// whatever the spelling. Shorter words are there to recognise a plural
	// or a past form by.
	size map[string]int
	// usSize is the same from the American lists and those common to all
	// spellings. Words that are only British, or a variant, are not in it.
	usSize map[string]int
}

// collect takes the words of at most five letters from files, accents folded.
func collect(files []sourceFile) (wordSet, error) {
	set := wordSet{size: map[string]int{}, usSize: map[string]int{}}
	for _, file := range files {
		if !utf8.Valid(file.text) {
			return wordSet{}, fmt.Errorf("%s is not UTF-8", file.name)
		}
		us := file.spelling == "american" || file.spelling == "english"
		for line := range strings.Lines(string(file.text)) {
			word := strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(word) > wordLength {
				continue
			}
			plain, ok, err := fold(word)
			if err != nil {
				return wordSet{}, fmt.Errorf("%s: %w", file.name, err)
			}
			if !ok {
				continue
			}
			keepSmaller(set.size, plain, file.size)
			if us {
				keepSmaller(set.usSize, plain, file.size)
			}
		}
	}
	return set, nil
}

func keepSmaller(sizes map[string]int, word string, size int) {
	if old, ok := sizes[word]; !ok || size < old {
		sizes[word] = size
	}
}

// fiveLetterWords returns the words of five letters in alphabetical order.
func (s wordSet) fiveLetterWords() []string {
	var words []string
	for _, word := range slices.Sorted(maps.Keys(s.size)) {
		if len(word) == wordLength {
			words = append(words, word)
		}
	}
	return words
}

// inflected reports whether word has the form of a plural or third person in
// -s, -es or -ies, or of a past in -ed or -ied, of a shorter word of the set.
// It goes by letters alone, so it also catches bleed (blee, an old word)
// or brass (bras); base.txt lists those.
func (s wordSet) inflected(word string) bool {
	for _, ending := range []struct{ inflected, base string }{
		{"s", ""}, {"es", ""}, {"ies", "y"},
		{"ed", ""}, {"ed", "e"}, {"ied", "y"},
	} {
		stem, ok := strings.CutSuffix(word, ending.inflected)
		if !ok {
			continue
		}
		if _, ok := s.size[stem+ending.base]; ok {
			return true
		}
	}
	return false
}
