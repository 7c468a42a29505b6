package main

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// chosenMeanings says at its top what it is.
//
//go:embed meanings.txt
var chosenMeanings string

// maxMeaning is how many characters a word and its meaning may have together: "crane: …".
const maxMeaning = 100

// meanings returns a meaning of each word: the one that choices has, or else the sense that is the most frequent
// in the texts that WordNet's writers counted; of several, the first. A choice without effect is an error.
func meanings(w wordNet, words []string, choices string) ([]string, error) {
	chosen := map[string]string{}
	for line := range strings.Lines(choices) {
		if line[0] != '#' && len(line) > wordLength {
			chosen[line[:wordLength]] = strings.TrimSpace(line[wordLength:])
		}
	}
	var all []string
	var faults []error
	for _, word := range words {
		meaning, err := w.meaning(word)
		if choice, ok := chosen[word]; ok {
			usual := meaning
			if meaning, err = w.choose(word, choice); err == nil && meaning == usual {
				err = errors.New("this is the meaning anyway")
			}
			delete(chosen, word)
		}
		if n := utf8.RuneCountInString(word + ": " + meaning); n > maxMeaning {
			err = fmt.Errorf("%d characters are too many", n)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("meanings.txt: %s: %w", word, err))
		}
		all = append(all, meaning)
	}
	for word := range chosen {
		faults = append(faults, fmt.Errorf("meanings.txt: %s is not hidden", word))
	}
	return all, errors.Join(faults...)
}

// choose returns the meaning that a line of meanings.txt chooses for a word: ": text",
// "noun 2" or "past tense of break verb 2".
func (w wordNet) choose(word, choice string) (string, error) {
	if text, own := strings.CutPrefix(choice, ": "); own {
		return text, nil
	}
	prefix, sense := "", word+" "+choice
	if form, of, inflected := strings.Cut(choice, " of "); inflected {
		base, _, _ := strings.Cut(of, " ")
		prefix, sense = form+" of “"+base+"”: ", of
	}
	gloss, ok := w.glosses[sense]
	if !ok {
		return "", fmt.Errorf("WordNet has no %q", strings.TrimSpace(sense))
	}
	return prefix + definition(gloss, maxMeaning-utf8.RuneCountInString(word+": "+prefix)), nil
}

// meaning returns what a word means without a choice.
func (w wordNet) meaning(word string) (string, error) {
	best, most := "", -1
	for _, part := range partsOfSpeech {
		for n := 1; n <= w.senses[word+" "+part]; n++ {
			sense := word + " " + part + " " + strconv.Itoa(n)
			if _, ok := w.glosses[sense]; ok && w.counts[sense] > most {
				best, most = sense, w.counts[sense]
			}
		}
	}
	return w.choose(word, strings.TrimPrefix(best, word+" "))
}

var (
	examples = regexp.MustCompile(`[-\s;:,(]*".*`)
	usage    = regexp.MustCompile(`\([a-z]+ followed by [^)]*\) *`)
	asides   = regexp.MustCompile(` *\([^()]*\)`)
	quoted   = regexp.MustCompile("`([^']*)'")
)

// definition returns as many parts of a gloss as most characters hold, without its examples. If
// the first part is longer, what is in parentheses is left out, or else its end.
func definition(gloss string, most int) string {
	gloss = usage.ReplaceAllString(examples.ReplaceAllString(gloss, ""), "")
	gloss = strings.ReplaceAll(quoted.ReplaceAllString(gloss, "“$1”"), " -- ", ", ")
	parts := strings.Split(gloss, "; ")
	text := parts[0]
	if len(text) > most {
		text = strings.Trim(asides.ReplaceAllString(text, ""), " ,")
	}
	if len(text) > most {
		text = text[:strings.LastIndex(text[:most-len(" ")], " ")]
		return strings.TrimRight(text, " ,") + " …"
	}
	for _, part := range parts[1:] {
		if len(text)+len("; ")+len(part) > most {
			break
		}
		text += "; " + part
	}
	return text
}
