package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
)

// The lists written by hand. Each says at its top what its words are.
var (
	//go:embed blocked.txt
	blockedText string
	//go:embed base.txt
	baseText string
	//go:embed unfit.txt
	unfitText string
	//go:embed extra.txt
	extraText string
	//go:embed withheld.txt
	withheldText string
	//go:embed added.txt
	addedText string
)

// handLists are the words that a person decided on.
type handLists struct {
	blocked  handList // never a word of the game
	base     handList // hidden though they look inflected
	unfit    handList // never hidden
	extra    handList // hidden though the size rule misses them
	withheld handList // guessable, never hidden and never proposed
	added    handList // guessable though scowl misses them
}

// A handList is one list written by hand.
type handList struct {
	name  string
	words []string
	line  map[string]int // line number of each word, from 1
}

func (l handList) has(word string) bool {
	_, ok := l.line[word]
	return ok
}

// fault returns an error that points at the line of word.
func (l handList) fault(word, problem string) error {
	return fmt.Errorf("%s:%d: %s: %s", l.name, l.line[word], word, problem)
}

// readHandLists parses all lists and reports the faults of all together. It adds
// the words of added.txt to scowl.
func readHandLists(scowl wordSet) (handLists, error) {
	var lists handLists
	var faults []error
	for _, source := range []struct {
		to         *handList
		name, text string
	}{
		{&lists.added, addedName, addedText},
		{&lists.blocked, "blocked.txt", blockedText},
		{&lists.base, "base.txt", baseText},
		{&lists.unfit, "unfit.txt", unfitText},
		{&lists.extra, "extra.txt", extraText},
		{&lists.withheld, "withheld.txt", withheldText},
	} {
		list, err := parseHandList(source.name, source.text, scowl)
		*source.to = list
		faults = append(faults, err)
		if source.name == addedName {
			for _, word := range list.words {
				scowl.size[word] = addedSize // the other lists may name it
			}
		}
	}
	return lists, errors.Join(faults...)
}

const (
	addedName = "added.txt"
	// addedSize is the size that stands for a word that scowl lacks. It decides
	// how much the word weighs.
	addedSize = 70
)

// parseHandList reads a list: one word per line, groups under # headings, each
// group in alphabetical order, empty lines anywhere. A word that could have no
// effect is a fault: one that scowl lacks, or in added.txt one that it has, and
// one that comes twice.
func parseHandList(name, text string, scowl wordSet) (handList, error) {
	list := handList{name: name, line: map[string]int{}}
	var faults []error
	number, previous := 0, ""
	for line := range strings.Lines(text) {
		number++
		word := strings.TrimSuffix(line, "\n")
		if word == "" || strings.HasPrefix(word, "#") {
			previous = ""
			continue
		}
		if !isWord(word) {
			faults = append(faults, fmt.Errorf("%s:%d: %q is not a word of five letters a to z", name, number, word))
			continue
		}
		if first, ok := list.line[word]; ok {
			faults = append(faults, fmt.Errorf("%s:%d: %s: already in line %d", name, number, word, first))
			continue
		}
		list.words = append(list.words, word)
		list.line[word] = number
		if word < previous {
			faults = append(faults, list.fault(word, "comes after "+previous+" in its group"))
		}
		previous = word
		size, ok := scowl.size[word]
		switch has := ok && size <= guessSize; {
		case has && name == addedName:
			faults = append(faults, list.fault(word, "already a word of scowl"))
		case !has && name != addedName:
			faults = append(faults, list.fault(word, "not a word of scowl"))
		}
	}
	return list, errors.Join(faults...)
}

// isWord reports whether s is five letters a to z.
func isWord(s string) bool {
	if len(s) != wordLength {
		return false
	}
	for _, letter := range []byte(s) {
		if letter < 'a' || 'z' < letter {
			return false
		}
	}
	return true
}
