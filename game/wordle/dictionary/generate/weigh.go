package main

import (
	"slices"
	"strings"
)

// share says how many of scowl's words of a size, in parts of ten thousand, a newspaper's
// puzzle hides: of the base forms, and of the inflected ones.
type share struct {
	size            int // and above, up to that of the next share
	base, inflected int
}

// shares are measured on the 2315 words of the best-known such puzzle: for each
// size and form, how many of scowl's words are among them. Where none are, the
// share is a twentieth of a per cent, since a weight of 0 would rule the words out for
// ever.
var shares = []share{
	{10, 9950, 110},
	{20, 9700, 230},
	{35, 8650, 100},
	{40, 6300, 5},
	{50, 3600, 5},
	{55, 1400, 5},
	{60, 800, 5},
	{70, 200, 5},
	{80, 20, 10},
}

// weight returns how likely a puzzle elsewhere is to hide the word, in parts of ten
// thousand. A word in base.txt counts as a base form, whatever it looks like.
func weight(scowl wordSet, hand handLists, word string) int {
	i, exact := slices.BinarySearchFunc(shares, scowl.size[word], func(s share, size int) int { return s.size - size })
	if !exact {
		i--
	}
	// Scowl may lack what an added word is an inflection of.
	inflected := scowl.inflected(word) || hand.added.has(word) && (strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ed"))
	if inflected && !hand.base.has(word) {
		return shares[i].inflected
	}
	return shares[i].base
}
