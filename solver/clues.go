package solver

import "fivefold/game/wordle"

// letters is a multiset of letters: how often each occurs, up to four times. (A
// word with a letter five times is known by its places.) In the first number,
// bit i is letter i at least once and bit 32+i at least twice; in the second,
// three and four times.
type letters [2]uint64

// add puts in one more of the letter, 'A' to 'Z'.
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

// union returns the smallest multiset that contains both.
func (l letters) union(o letters) letters { return letters{l[0] | o[0], l[1] | o[1]} }

// contains reports whether l has every letter at least as often as o.
func (l letters) contains(o letters) bool { return o[0]&^l[0] == 0 && o[1]&^l[1] == 0 }

// places is a word with its letters, 1 for A, in five bits each, or a part of one
// with some letters missing.
type places uint32

func place(i int, letter byte) places { return places(letter-'A'+1) << (5 * i) }

// clues are what hard mode demands of a guess. The zero value demands nothing.
// They say the same as [wordle.CheckHard], for a search that asks very often.
type clues struct {
	green  places // the letters that must stay
	mask   places // all bits of the places in green
	needed letters
}

// cluesOf returns what the turns demand.
func cluesOf(turns []wordle.Turn) clues {
	var c clues
	for _, t := range turns {
		c = c.after(t.Guess, t.Feedback)
	}
	return c
}

// after returns what is demanded after one more turn.
func (c clues) after(guess wordle.Word, f wordle.Feedback) clues {
	var coloured letters
	for i := range wordle.Length {
		mark, letter := f.Mark(i), guess.Letter(i)
		if mark == wordle.Black {
			continue
		}
		coloured.add(letter)
		if mark == wordle.Green {
			c.green |= place(i, letter)
			c.mask |= 31 << (5 * i)
		}
	}
	c.needed = c.needed.union(coloured)
	return c
}

// allow reports whether hard mode allows the guess.
func (c clues) allow(x *lexicon, guess int32) bool {
	return x.placed[guess]&c.mask == c.green && x.has[guess].contains(c.needed)
}

// allowedBy returns the proposals that hard mode allows with the clues, in ascending
// order.
func (x *lexicon) allowedBy(c clues) []int32 {
	allowed := make([]int32, 0, len(x.proposals))
	for _, g := range x.proposals {
		if c.allow(x, g) {
			allowed = append(allowed, g)
		}
	}
	return allowed
}

// key returns what tells the clues from others.
func (c clues) key() key {
	return key{}.with(uint64(c.green)).with(c.needed[0]).with(c.needed[1])
}
