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

// meanings returns a meaning of each word, in the same order. It is the sense that is the most frequent in
// texts, if WordNet's writers counted any, or else the first sense of the first part of speech. An irregular
// form of a word that is more frequent is explained by that word. The choices come first, and
// one without effect is an error.
func meanings(w wordNet, words []string, choices string) ([]string, error) {
	chosen, lines := map[string]string{}, map[string]int{}
	var faults []error
	number, previous := 0, ""
	for line := range strings.Lines(choices) {
		number++
		word, choice := line[:min(len(line), wordLength)], strings.TrimSpace(line[min(len(line), wordLength):])
		if line[0] == '#' || line[0] == '\n' {
			continue
		}
		if word <= previous {
			faults = append(faults, fmt.Errorf("meanings.txt:%d: %s comes after %s", number, word, previous))
		}
		meaning, err := w.choose(word, choice)
		if err != nil {
			faults = append(faults, fmt.Errorf("meanings.txt:%d: %w", number, err))
		}
		previous, chosen[word], lines[word] = word, meaning, number
	}
	var all []string
	for _, word := range words {
		meaning, err := w.meaning(word)
		if choice, ok := chosen[word]; ok {
			if choice == meaning {
				faults = append(faults, fmt.Errorf("meanings.txt:%d: %s means that anyway", lines[word], word))
			}
			meaning, err = choice, nil
			delete(chosen, word)
		}
		if n := utf8.RuneCountInString(word + ": " + meaning); err == nil && n > maxMeaning {
			err = fmt.Errorf("%s: %d characters are too many", word, n)
		}
		faults = append(faults, err)
		all = append(all, meaning)
	}
	for word := range chosen {
		faults = append(faults, fmt.Errorf("meanings.txt:%d: %s is not hidden", lines[word], word))
	}
	return all, errors.Join(faults...)
}

// choose returns the meaning that a line of meanings.txt chooses for a word: ": text",
// "noun 2" or "past tense of break verb 2".
func (w wordNet) choose(word, choice string) (string, error) {
	if text, own := strings.CutPrefix(choice, ": "); own {
		return text, nil
	}
	form, of, inflected := strings.Cut(choice, " of ")
	sense := word + " " + choice
	if inflected {
		sense = of
	}
	var base, part string
	var number int
	if _, err := fmt.Sscanf(sense, "%s %s %d", &base, &part, &number); err != nil {
		return "", fmt.Errorf("%s: %q is not a choice: %w", word, choice, err)
	}
	gloss, ok := w.gloss(base, part, number)
	if !ok {
		return "", fmt.Errorf("%s: WordNet has no %s %s %d", word, base, part, number)
	}
	return meaningBy(word, form, base, gloss, inflected), nil
}

// meaning returns what a word means without a choice.
func (w wordNet) meaning(word string) (string, error) {
	gloss, form, base, most := "", "", word, -1
	look := func(of, part, as string) {
		for i := range w.senses[of+" "+part] {
			count := w.counts[of+" "+part+" "+strconv.Itoa(i+1)]
			if text, ok := w.gloss(of, part, i+1); ok && count > most {
				gloss, form, base, most = text, as, of, count
			}
			if as != "" {
				return // the first sense is the most frequent one
			}
		}
	}
	for _, part := range partsOfSpeech {
		look(word, part, "")
	}
	look(w.bases[word+" noun"], "noun", "plural")
	if strings.HasSuffix(word, "n") || strings.HasSuffix(word, "ne") {
		look(w.bases[word+" verb"], "verb", "past participle")
	} else {
		look(w.bases[word+" verb"], "verb", "past tense")
	}
	if most < 0 {
		return "", fmt.Errorf("%s: WordNet does not have it, nor does meanings.txt", word)
	}
	return meaningBy(word, form, base, gloss, base != word), nil
}

// meaningBy returns the meaning of a word by the gloss of its base.
func meaningBy(word, form, base, gloss string, inflected bool) string {
	prefix := ""
	if inflected {
		prefix = form + " of “" + base + "”: "
	}
	return prefix + definition(gloss, maxMeaning-utf8.RuneCountInString(word+": "+prefix))
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
