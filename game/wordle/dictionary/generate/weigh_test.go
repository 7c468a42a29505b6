package main

import "testing"

func TestWeight(t *testing.T) {
	hand := handLists{base: mustParse(t, "base.txt", "breed")}
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
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := weight(small, hand, test.word); got != test.want {
				t.Errorf("weight of %s: got %d, want %d", test.word, got, test.want)
			}
		})
	}
}
