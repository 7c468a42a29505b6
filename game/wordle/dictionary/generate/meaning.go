package main

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// choices says at its top what it is.
//
//go:embed meanings.txt
var choices string

// maxMeaning is how many characters a word and its meaning may have together: "crane: …".
const maxMeaning = 100

// wordNet is what the program knows of WordNet, by senses such as "crane noun 1".
type wordNet struct {
	glosses map[string]string // without those of names, which have a capital
	usual   map[string]string // of each word the sense that was found most often in texts; of several, the first
}

// readWordNet reads WordNet's files. The manual pages wndb(5WN) and cntlist(5WN) describe them.
func readWordNet() (wordNet, error) {
	parts := []string{"noun", "verb", "adj", "adv"} // what files are called by, and senses here
	var names []string
	for _, part := range parts {
		for _, name := range []string{"data." + part, "index." + part, "cntlist.rev"} {
			names = append(names, "/usr/share/wordnet/"+name)
		}
	}
	texts, err := read("wordnet-base 1:3.0-37", "dfc39cae88ca289e50f437073d402c4159255d678f52533e33f05c032f95fed6", names...)
	if err != nil {
		return wordNet{}, err
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // the files are known
	counts := map[string]int{}
	for line := range strings.Lines(texts[2]) { // crane%1:18:00:: 2 1
		fields := strings.Fields(line)
		word, key, _ := strings.Cut(fields[0], "%")
		part := append(parts, "adj")[key[0]-'1']
		counts[word+" "+part+" "+fields[1]] = number(fields[2])
	}
	w := wordNet{map[string]string{}, map[string]string{}}
	for i, part := range parts {
		data, index := texts[3*i], texts[3*i+1]
		for line := range strings.Lines(index) {
			if line[0] == ' ' { // of the licence
				continue
			}
			fields := strings.Fields(line)
			word, count := fields[0], number(fields[2])
			for n, offset := range fields[len(fields)-count:] {
				synset, _, _ := strings.Cut(data[number(offset):], "\n")
				head, gloss, _ := strings.Cut(synset, " | ")
				if !slices.ContainsFunc(strings.Fields(head), func(s string) bool { return s == word || strings.HasPrefix(s, word+"(") }) {
					continue
				}
				sense := fmt.Sprintf("%s %s %d", word, part, n+1)
				w.glosses[sense] = strings.TrimSpace(gloss)
				if usual, ok := w.usual[word]; !ok || counts[sense] > counts[usual] {
					w.usual[word] = sense
				}
			}
		}
	}
	return w, nil
}

// meanings returns the words, each with a meaning: the one of meanings.txt, or else the usual one.
func meanings(words []string) (string, error) {
	w, err := readWordNet()
	if err != nil {
		return "", err
	}
	chosen := map[string]string{}
	for line := range strings.Lines(choices) {
		if line[0] != '#' && len(line) > wordLength {
			chosen[line[:wordLength]] = strings.TrimSpace(line[wordLength:])
		}
	}
	var all strings.Builder
	for _, word := range words {
		choice, ok := chosen[word]
		if !ok {
			choice = strings.TrimPrefix(w.usual[word], word+" ")
		}
		delete(chosen, word)
		line := word + ": " + w.meaning(word, choice)
		if n := utf8.RuneCountInString(line); n > maxMeaning || line == word+": " {
			err = errors.Join(err, fmt.Errorf("meanings.txt: %s has a meaning of %d characters", word, n))
		}
		all.WriteString(line + "\n")
	}
	for word := range chosen {
		err = errors.Join(err, fmt.Errorf("meanings.txt: %s is not hidden", word))
	}
	return all.String(), err
}

// meaning returns the meaning that a line of meanings.txt chooses for a word, ": text",
// "noun 2" or "past tense of break verb 2"; "" for a sense that WordNet does not have.
func (w wordNet) meaning(word, choice string) string {
	if text, own := strings.CutPrefix(choice, ": "); own {
		return text
	}
	prefix, sense := "", word+" "+choice
	if form, of, inflected := strings.Cut(choice, " of "); inflected {
		base, _, _ := strings.Cut(of, " ")
		prefix, sense = form+" of “"+base+"”: ", of
	}
	if w.glosses[sense] == "" {
		return ""
	}
	return prefix + definition(w.glosses[sense], maxMeaning-utf8.RuneCountInString(word+": "+prefix))
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
