// Command generate makes the word lists of package dictionary from Debian's package scowl and the hand-written lists in this
// folder.
//
// The same input gives the same files, byte for byte. It refuses input other than that of scowl 2020.12.07-2.
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
	notices, err := read("1d7c0128f6c72d2270bf1b271b37a3a21267f759161b68c4dc6c501574c0892e", "/usr/share/doc/scowl/copyright")
	if err != nil {
		return nil, err
	}
	files, err := choose()
	if err == nil {
		files["SCOWL-COPYRIGHT"] = notices[0]
	}
	return files, err
}

// read returns the texts of files. It refuses any but those of the release of scowl that the hand-written lists fit: sum is the
// SHA-256 of all of them, one after the other.
func read(sum string, names ...string) ([]string, error) {
	const install = "install Debian's scowl 2020.12.07-2"
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", install, err)
		}
		texts = append(texts, string(text))
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(texts, "")))); got != sum {
		return nil, fmt.Errorf("%s: the files found have SHA-256 %s, not %s", install, got, sum)
	}
	return texts, nil
}
