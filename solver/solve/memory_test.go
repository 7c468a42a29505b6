package solve_test

import (
	"strings"
	"testing"

	"fivefold/game/wordle"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// memory is a store without a disk.
type memory = storage.Store

func newMemory() *memory { return storage.New(&ordered.Memory{}, nil, storage.Options{}) }

// mustLists returns lists from words with spaces between; all of them can be hidden.
func mustLists(tb testing.TB, words string) *wordle.Lists {
	tb.Helper()
	source := func(name string) wordle.Source {
		return wordle.Source{Name: name, Reader: strings.NewReader(strings.ReplaceAll(words, " ", "\n"))}
	}
	lists, err := wordle.ReadLists(source("answers"), source("guesses"))
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}
