package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// The one release of scowl that the lists are made from, and the SHA-256 of
// what is read of it: the lists up to guessSize, one after the other in the
// order of their names, and the copyright file.
const (
	scowlVersion    = "2020.12.07-2"
	listsSHA256     = "26871f13911d2a9d0db57d4c009610524ef394e8bff5ee4c80652912fa0a1ccf"
	copyrightSHA256 = "1d7c0128f6c72d2270bf1b271b37a3a21267f759161b68c4dc6c501574c0892e"
)

// errOtherScowl says that the input is missing or not that of scowlVersion.
var errOtherScowl = errors.New("install Debian's scowl " + scowlVersion + ": apt-get install scowl")

// A sourceFile is one list of the package, such as "american-words.35".
type sourceFile struct {
	name     string
	spelling string // "american", "british_variant_1", "english" (common to all), ...
	size     int    // 10 for the best-known words up to 95 for the least known
	text     []byte
}

var listName = regexp.MustCompile(`^(.+)-words\.(\d+)$`)

// readFiles reads the word lists in dir of at most maxSize, in the order of
// their names. Lists of proper names, abbreviations, contractions and
// capitalised words are left out.
func readFiles(dir string, maxSize int) ([]sourceFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errOtherScowl, err)
	}
	var files []sourceFile
	for _, entry := range entries { // sorted by name
		match := listName.FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		size, err := strconv.Atoi(match[2])
		if err != nil {
			return nil, fmt.Errorf("size in the name of %s: %w", entry.Name(), err)
		}
		if size > maxSize {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, sourceFile{entry.Name(), match[1], size, text})
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w (no word lists in %s)", errOtherScowl, dir)
	}
	return files, nil
}

// verifyFiles refuses any input but the lists of scowlVersion: with another
// release the hand-written lists would no longer fit.
func verifyFiles(files []sourceFile) error {
	hash := sha256.New()
	for _, file := range files {
		hash.Write(file.text)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != listsSHA256 {
		return fmt.Errorf("%w (the lists found have SHA-256 %s, want %s)", errOtherScowl, got, listsSHA256)
	}
	return nil
}

// readCopyright reads the notices that have to accompany the lists.
func readCopyright(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errOtherScowl, err)
	}
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != copyrightSHA256 {
		return nil, fmt.Errorf("%w (%s has SHA-256 %s, want %s)", errOtherScowl, name, got, copyrightSHA256)
	}
	return text, nil
}
