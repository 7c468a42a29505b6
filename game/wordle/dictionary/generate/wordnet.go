package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The one release of WordNet that meanings are taken from, and the SHA-256 of what is read of
// it: see readWordNet.
const (
	wordNetVersion = "1:3.0-37"
	wordNetSHA256  = "818d1102de7536ac9f33a905595993ef90527654db2369732d54336de623c70f"
)

// errOtherWordNet says that the input is missing or not that of wordNetVersion.
var errOtherWordNet = errors.New("install Debian's wordnet-base " + wordNetVersion + ": apt-get install wordnet-base")

// partsOfSpeech are what WordNet's files are called by, and the names of senses begin with.
var partsOfSpeech = []string{"noun", "verb", "adj", "adv"}

// wordNet is what the program knows of WordNet. Its formats are described in the manual pages
// wndb(5WN) and cntlist(5WN).
type wordNet struct {
	licence []byte
	data    map[string]string   // by part of speech
	senses  map[string][]string // where the data of "crane noun" is for each of its senses, in order
	counts  map[string]int      // how often "crane noun 1" was found in texts
	bases   map[string]string   // "geese noun" is "goose"
}

// readWordNet reads WordNet's files in dir, and refuses any but those of wordNetVersion.
func readWordNet(dir string) (wordNet, error) {
	w := wordNet{data: map[string]string{}, senses: map[string][]string{}, counts: map[string]int{}, bases: map[string]string{}}
	files := map[string]string{}
	hash := sha256.New()
	for _, name := range []string{
		"cntlist.rev", "data.adj", "data.adv", "data.noun", "data.verb", "index.adj", "index.adv", "index.noun", "index.verb",
		"noun.exc", "verb.exc",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return wordNet{}, fmt.Errorf("%w (%w)", errOtherWordNet, err)
		}
		hash.Write(text)
		files[name] = string(text)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != wordNetSHA256 {
		return wordNet{}, fmt.Errorf("%w (the files found have SHA-256 %s, want %s)", errOtherWordNet, got, wordNetSHA256)
	}
	for _, part := range partsOfSpeech {
		w.data[part] = files["data."+part]
		for line := range strings.Lines(files["index."+part]) {
			if fields := strings.Fields(line); line[0] != ' ' { // as lines of the licence do
				count, err := strconv.Atoi(fields[2])
				if err != nil {
					return wordNet{}, err
				}
				w.senses[fields[0]+" "+part] = fields[len(fields)-count:]
			}
		}
		for line := range strings.Lines(files[part+".exc"]) {
			if fields := strings.Fields(line); fields[0] != fields[1] {
				w.bases[fields[0]+" "+part] = fields[1]
			}
		}
	}
	for line := range strings.Lines(files["cntlist.rev"]) { // crane%1:18:00:: 2 1
		fields := strings.Fields(line)
		word, key, _ := strings.Cut(fields[0], "%")
		part := map[byte]string{'1': "noun", '2': "verb", '3': "adj", '4': "adv", '5': "adj"}[key[0]]
		count, err := strconv.Atoi(fields[2])
		if err != nil {
			return wordNet{}, err
		}
		w.counts[word+" "+part+" "+fields[1]] = count
	}
	for line := range strings.Lines(files["data.noun"]) {
		if line[0] != ' ' {
			break
		}
		w.licence = append(append(w.licence, strings.TrimSpace(line[4:])...), '\n')
	}
	return w, nil
}

// gloss returns what WordNet says of a sense of a word, from 1. It reports false if there is no such
// sense, and if the word has a capital there.
func (w wordNet) gloss(word, part string, sense int) (string, bool) {
	offsets := w.senses[word+" "+part]
	if sense < 1 || sense > len(offsets) {
		return "", false
	}
	offset, err := strconv.Atoi(offsets[sense-1])
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(w.data[part][offset:], "\n")
	head, gloss, _ := strings.Cut(line, " | ")
	asWritten := slices.ContainsFunc(strings.Fields(head), func(field string) bool {
		written, _, _ := strings.Cut(field, "(") // as in "alive(p)"
		return written == word
	})
	return strings.TrimSpace(gloss), asWritten
}
