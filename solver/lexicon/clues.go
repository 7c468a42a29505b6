package lexicon

import (
	"fivefold/game/wordle"
	"fivefold/solver/transposition"
)

// letters is a multiset of letters: how often each occurs, up to four times. (Only
// one word has a letter five times, and its positions identify it.) In the first
// number, bit i means letter i at least once and bit 32+i at least twice; in the
// second, at least three and four times.
type letters [2]uint64

// add adds one more of the letter, 'A' to 'Z'.
func (l *letters) add(letter byte) {
	bit := uint64(1) << (letter - 'A')
	for i := range l {
		for _, b := range [...]uint64{bit, bit << 32} {
			if l[i]&b == 0 {
				l[i] |= b
				return
			}
		}
	}
}

// places is a word, or a part of one, with five bits for each position: 1 for A, 0
// for no letter.
type places uint32

func place(i int, letter byte) places { return places(letter-'A'+1) << (5 * i) }

// Clues are what hard mode demands of a guess. The zero value demands nothing. Clues demand the same as
// [wordle.CheckHard], and are faster to check.
type Clues struct {
	green  places  // the letters that must stay
	mask   places  // all bits of the positions in green
	needed letters // the letters that must be somewhere
}

// CluesOf returns the clues of the turns.
func CluesOf(turns []wordle.Turn) Clues {
	var c Clues
	for _, t := range turns {
		c = c.After(t.Guess, t.Feedback)
	}
	return c
}

// After returns the clues after one more turn.
func (c Clues) After(guess wordle.Word, f wordle.Feedback) Clues {
	var marked letters
	for i := range wordle.Length {
		mark, letter := f.Mark(i), guess.Letter(i)
		if mark == wordle.Black {
			continue
		}
		marked.add(letter)
		if mark == wordle.Green {
			c.green |= place(i, letter)
			c.mask |= 31 << (5 * i)
		}
	}
	c.needed[0] |= marked[0]
	c.needed[1] |= marked[1]
	return c
}

// Allow reports whether hard mode allows the guess, given by its number.
func (c Clues) Allow(x *Lexicon, guess int32) bool {
	return x.placed[guess]&c.mask == c.green && c.needed[0]&^x.has[guess][0] == 0 && c.needed[1]&^x.has[guess][1] == 0
}

// Allowed returns the proposals that hard mode allows with the clues, in ascending
// order.
func (x *Lexicon) Allowed(c Clues) []int32 {
	allowed := make([]int32, 0, len(x.Proposals))
	for _, g := range x.Proposals {
		if c.Allow(x, g) {
			allowed = append(allowed, g)
		}
	}
	return allowed
}

// Key returns a key that differs for different clues.
func (c Clues) Key() transposition.Key {
	return transposition.Key{}.With(uint64(c.green)).With(c.needed[0]).With(c.needed[1])
}
