package wordle

import "slices"

// Consistent reports whether any five letters at all, a word or not, could have got the feedback of every turn. If not, some
// feedback is wrong. If so and no known word fits, the word may just be unknown.
//
// A letter that is coloured anywhere in a guess occurs in the word. A letter that is black everywhere in a guess does not occur.
// So each place has at most six letters to try: five that occur, and one in place of all that were never guessed. That makes at
// most 6⁵ texts.
func Consistent(turns []Turn) bool {
	guessed, absent := map[byte]bool{}, map[byte]bool{}
	for _, t := range turns {
		coloured := map[byte]bool{}
		for i := range Length {
			letter := t.Guess.Letter(i)
			guessed[letter] = true
			coloured[letter] = coloured[letter] || t.Feedback.Mark(i) != Black
		}
		for letter, is := range coloured {
			absent[letter] = absent[letter] || !is
		}
	}
	var letters []byte // that may occur
	other := false     // whether letters has one that was never guessed
	for letter := byte('a'); letter <= 'z'; letter++ {
		upper := letter - 'a' + 'A'
		switch {
		case guessed[upper] && !absent[upper]:
			letters = append(letters, letter)
		case !guessed[upper] && !other:
			letters = append(letters, letter)
			other = true
		}
	}
	if len(letters) > Length+1 {
		return false // more letters must occur than a word has
	}
	var text [Length]byte
	var fill func(place int) bool
	fill = func(place int) bool {
		if place == Length {
			w := pack(text)
			return !slices.ContainsFunc(turns, func(t Turn) bool { return Score(t.Guess, w) != t.Feedback })
		}
		return slices.ContainsFunc(letters, func(letter byte) bool {
			text[place] = letter
			return fill(place + 1)
		})
	}
	return fill(0)
}
