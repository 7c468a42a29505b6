// Command generate makes the word lists of package dictionary, and the meanings of hidden words,
// from Debian's packages scowl and wordnet-base and the hand-written lists in this folder.
//
// The same input gives the same files, byte for byte; input other than that of scowl 2020.12.07-2 and
// WordNet 3.0 is refused.
package main

//go:generate go run .

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files, err := generate()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join("..", name), []byte(text), 0o644)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// generate returns the generated files of package dictionary by their names.
func generate() (map[string]string, error) {
	notices, err := read("scowl 2020.12.07-2", "1d7c0128f6c72d2270bf1b271b37a3a21267f759161b68c4dc6c501574c0892e", "/usr/share/doc/scowl/copyright")
	if err != nil {
		return nil, err
	}
	chosen, err := choose()
	if err != nil {
		return nil, err
	}
	meanings, err := meanings(strings.Fields(chosen["answers.txt"]))
	chosen["meanings.txt"] = meanings
	chosen["SCOWL-COPYRIGHT"] = notices[0]
	return chosen, err
}

// read returns the texts of files, and refuses any but those of the one release of a package that the
// hand-written lists fit: sum is the SHA-256 of all of them, one after the other.
func read(release, sum string, names ...string) ([]string, error) {
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("install Debian's %s: %w", release, err)
		}
		texts = append(texts, string(text))
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(texts, "")))); got != sum {
		return nil, fmt.Errorf("install Debian's %s: the files found have SHA-256 %s, not %s", release, got, sum)
	}
	return texts, nil
}
