// Package wordletest has word lists for tests.
package wordletest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fivefold/game/wordle"
)

// Lists returns small lists from texts with spaces between the words.
func Lists(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	return read(tb, strings.ReplaceAll(answers, " ", "\n"), strings.ReplaceAll(guesses, " ", "\n"))
}

// Embedded returns the product's own lists.
func Embedded(tb testing.TB) *wordle.Lists {
	tb.Helper()
	lists, err := wordle.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

// Withheld returns the built-in guesses that must not be proposed.
func Withheld(tb testing.TB) []wordle.Word {
	tb.Helper()
	lists := Embedded(tb)
	words := slices.DeleteFunc(slices.Clone(lists.Guesses()), lists.CanPropose)
	if len(words) == 0 {
		tb.Fatal("no word is withheld")
	}
	return words
}

// Original returns the lists that published solvers are measured on. The repository does not contain them: where it is developed,
// they are in a folder next to it. Elsewhere the test is skipped.
func Original(tb testing.TB) *wordle.Lists {
	tb.Helper()
	above, err := os.Getwd()
	for err == nil && above != filepath.Dir(above) {
		folder := filepath.Join(above, "shared", "data", "original-lists")
		answers, missing := os.ReadFile(filepath.Join(folder, "answers.txt"))
		if guesses, err := os.ReadFile(filepath.Join(folder, "guesses.txt")); err == nil && missing == nil {
			return read(tb, string(answers), string(guesses))
		}
		above = filepath.Dir(above)
	}
	tb.Skip("the original lists are not here")
	return nil
}

func read(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader(answers)},
		wordle.Source{Name: "guesses", Reader: strings.NewReader(guesses)})
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}
