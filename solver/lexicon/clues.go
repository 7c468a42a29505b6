package lexicon

import (
	"fivefold/game/marks"
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

// Clues are what hard or ultra-hard mode demands of a guess. The zero value demands nothing, and stays so. Clues demand
// the same as [wordle.CheckClues], and are faster to check.
type Clues struct {
	hard   marks.Hardness
	green  places  // the letters that must stay
	mask   places  // all bits of the positions in green
	needed letters // the letters that must be somewhere
	// In ultra-hard mode:
	spare  letters               // the copies that are one too many
	barred [wordle.Length]uint32 // by position, the letters that must not be there; bit 1 means A
}

// CluesOf returns the clues of the turns.
func CluesOf(hard marks.Hardness, turns []wordle.Turn) Clues {
	c := Clues{hard: hard}
	for _, t := range turns {
		c = c.After(t.Guess, t.Feedback)
	}
	return c
}

// After returns the clues after one more turn.
func (c Clues) After(guess wordle.Word, f wordle.Feedback) Clues {
	if c.hard == marks.Off {
		return c
	}
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
	for i := 0; i < wordle.Length && c.hard == marks.Ultra; i++ {
		mark, letter := f.Mark(i), guess.Letter(i)
		if mark != wordle.Green {
			c.barred[i] |= 1 << (letter - 'A' + 1)
		}
		if mark == wordle.Black {
			more := marked
			more.add(letter)
			c.spare[0] |= more[0] &^ marked[0]
			c.spare[1] |= more[1] &^ marked[1]
		}
	}
	return c
}

// Allow reports whether the clues allow the guess, given by its number.
func (c Clues) Allow(x *Lexicon, guess int32) bool {
	placed, has := x.placed[guess], x.has[guess]
	if placed&c.mask != c.green || c.needed[0]&^has[0] != 0 || c.needed[1]&^has[1] != 0 {
		return false
	}
	if c.hard != marks.Ultra {
		return true
	}
	barred := uint32(0)
	for i, letters := range c.barred {
		barred |= letters >> (placed >> (5 * i) & 31) & 1
	}
	return barred == 0 && c.spare[0]&has[0] == 0 && c.spare[1]&has[1] == 0
}

// Allowed returns the proposals that the clues allow, in ascending order.
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
	k := transposition.Key{}.With(uint64(c.hard)<<32 | uint64(c.green)).With(c.needed[0]).With(c.needed[1])
	if c.hard == marks.Ultra {
		k = k.With(c.spare[0]).With(c.spare[1])
		for _, letters := range c.barred {
			k = k.With(uint64(letters))
		}
	}
	return k
}
