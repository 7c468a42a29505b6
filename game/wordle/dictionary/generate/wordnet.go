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

// The one release of WordNet that meanings are taken from, and the SHA-256 of what is read of it.
const (
	wordNetVersion = "1:3.0-37"
	wordNetSHA256  = "dfc39cae88ca289e50f437073d402c4159255d678f52533e33f05c032f95fed6"
)

// errOtherWordNet says that the input is missing or not that of wordNetVersion.
var errOtherWordNet = errors.New("install Debian's wordnet-base " + wordNetVersion + ": apt-get install wordnet-base")

// partsOfSpeech are what WordNet's files are called by, and senses here.
var partsOfSpeech = []string{"noun", "verb", "adj", "adv"}

// wordNet is what the program knows of WordNet, by senses such as "crane noun 1". The manual pages wndb(5WN)
// and cntlist(5WN) describe the files.
type wordNet struct {
	senses  map[string]int    // how many there are of "crane noun"
	glosses map[string]string // without those of names, which have a capital
	counts  map[string]int    // how often a sense was found in texts
}

// readWordNet reads WordNet's files in dir, and refuses any but those of wordNetVersion.
func readWordNet(dir string) (wordNet, error) {
	files := map[string]string{}
	hash := sha256.New()
	for _, part := range partsOfSpeech {
		for _, name := range []string{"data." + part, "index." + part, "cntlist.rev"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return wordNet{}, fmt.Errorf("%w (%w)", errOtherWordNet, err)
			}
			hash.Write(text)
			files[name] = string(text)
		}
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != wordNetSHA256 {
		return wordNet{}, fmt.Errorf("%w (the files found have SHA-256 %s, want %s)", errOtherWordNet, got, wordNetSHA256)
	}
	w := wordNet{senses: map[string]int{}, glosses: map[string]string{}, counts: map[string]int{}}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // the files are known
	for _, part := range partsOfSpeech {
		for line := range strings.Lines(files["index."+part]) {
			if line[0] == ' ' { // of the licence
				continue
			}
			fields := strings.Fields(line)
			word, count := fields[0], number(fields[2])
			w.senses[word+" "+part] = count
			for i, offset := range fields[len(fields)-count:] {
				synset, _, _ := strings.Cut(files["data."+part][number(offset):], "\n")
				head, gloss, _ := strings.Cut(synset, " | ")
				if slices.ContainsFunc(strings.Fields(head), func(s string) bool { return s == word || strings.HasPrefix(s, word+"(") }) {
					w.glosses[fmt.Sprintf("%s %s %d", word, part, i+1)] = strings.TrimSpace(gloss)
				}
			}
		}
	}
	for line := range strings.Lines(files["cntlist.rev"]) { // crane%1:18:00:: 2 1
		fields := strings.Fields(line)
		word, key, _ := strings.Cut(fields[0], "%")
		part := []string{"noun", "verb", "adj", "adv", "adj"}[key[0]-'1']
		w.counts[word+" "+part+" "+fields[1]] = number(fields[2])
	}
	return w, nil
}
