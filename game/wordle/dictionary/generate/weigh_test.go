package main

import (
	"maps"
	"testing"
)

func TestWeight(t *testing.T) {
	hand := handLists{
		base:  mustParse(t, "base.txt", "breed"),
		added: mustParse(t, addedName, "vibed vlogs"),
	}
	scowl := wordSet{size: maps.Clone(small.size), usSize: small.usSize}
	for _, word := range hand.added.words {
		scowl.size[word] = addedSize
	}
	for _, test := range []struct {
		name, word string
		want       int
	}{
		{"the best known", "house", 9950},
		{"their plurals", "trees", 110},
		{"base form by hand", "breed", 9700},
		{"a size of its own", "trove", 800},
		{"known to few", "zibet", 200},
		{"above the last size", "zzzzz", 20},
		{"an added plural", "vlogs", 5},
		{"an added past form", "vibed", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := weight(scowl, hand, test.word); got != test.want {
				t.Errorf("weight of %s: got %d, want %d", test.word, got, test.want)
			}
		})
	}
}
