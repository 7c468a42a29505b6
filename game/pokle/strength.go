package pokle

import "math/bits"

// Category is the kind of a poker hand.
type Category uint8

// The categories, worst first. A royal flush is a [StraightFlush] to the ace.
const (
	HighCard Category = iota
	Pair
	TwoPair
	ThreeOfAKind
	Straight
	Flush
	FullHouse
	FourOfAKind
	StraightFlush
)

// Categories is the number of categories.
const Categories = int(StraightFlush) + 1

// String returns the category in words, such as "two pair".
func (c Category) String() string {
	return [...]string{"high card", "pair", "two pair", "three of a kind", "straight", "flush",
		"full house", "four of a kind", "straight flush"}[c]
}

// Strength is what the best five cards of a hand are worth: category, then the ranks that make it, then all kickers. The better
// hand has the greater number, and hands that tie are equal with ==. It does not matter whether a hand had five, six or seven
// cards. The zero value is worse than any hand.
//
// The top four bits are the category. Below them are, depending on the category, ranks of four bits and sets of ranks as in
// [Cards], with one bit for each rank.
type Strength uint64

const (
	categoryShift = 60
	rankShift     = 52 // the bits below hold a set of ranks
)

// Category returns the kind of hand.
func (s Strength) Category() Category { return Category(s >> categoryShift) }

// Evaluate returns what a hand of five, six or seven cards is worth, and its core: the cards that make its category, of those in
// the hand.
//
//   - pair, two pair, three and four of a kind: the cards of these ranks; of three
//     pairs the best two
//   - full house: the cards of both ranks; of two triples all six
//   - straight: every card of the five ranks, so both cards of a pair among them
//   - straight flush: its five cards, of one suit
//   - high card: the highest card alone
//   - flush: none
//
// Of more than one straight or straight flush the highest counts. Kickers are never core. For fewer or more cards the result
// means nothing.
//
// It allocates nothing, uses no tables and takes some nanoseconds. The order of its checks relies on there being at most seven
// cards: five of one suit, or of five ranks, leave two cards, with which neither four of a kind nor a full house can be made.
func (c Cards) Evaluate() (Strength, Cards) {
	for suit := range 4 {
		if suited := c >> suit & oneSuit; suited.Len() >= 5 {
			if top, run := straight(suited); run != 0 {
				return strength(StraightFlush, Cards(top)), run << suit
			}
			return strength(Flush, best(suited, 5)), 0
		}
	}

	// counts has, in the four bits of each rank, how many cards of it there are: first in steps of two bits, then of four.
	counts := c - c>>1&(oneSuit*5)
	counts = counts&(oneSuit*3) + counts>>2&(oneSuit*3)
	ones, twos, fours := counts&oneSuit, counts>>1&oneSuit, counts>>2&oneSuit
	all := ones | twos | fours

	if top, run := straight(all); run != 0 {
		return strength(Straight, Cards(top)), run * oneRank & c
	}
	if twos|fours == 0 {
		// If the highest card were not core, two of the five sample deals would have too few boards.
		return strength(HighCard, best(all, 5)), best(all, 1) * oneRank & c
	}
	if fours != 0 {
		return strength(FourOfAKind, fours<<4|Cards(highest(all&^fours))), fours * oneRank
	}
	threes, pairs := twos&ones, twos&^ones
	if threes != 0 {
		triple := Cards(1) << (highest(threes) * 4)
		if rest := threes&^triple | pairs; rest != 0 {
			pair := Cards(1) << (highest(rest) * 4)
			return strength(FullHouse, triple<<4|Cards(highest(pair))), (triple | pair) * oneRank & c
		}
		return strength(ThreeOfAKind, Cards(highest(triple))<<rankShift|best(ones&^triple, 2)), triple * oneRank & c
	}
	if pairs.Len() == 1 {
		return strength(Pair, Cards(highest(pairs))<<rankShift|best(ones, 3)), pairs * oneRank & c
	}
	pairs = best(pairs, 2)
	return strength(TwoPair, pairs<<4|Cards(highest(all&^pairs))), pairs * oneRank & c
}

func strength(category Category, within Cards) Strength {
	return Strength(category)<<categoryShift | Strength(within)
}

// straight returns, for a set of ranks, the top rank of its highest straight and the five ranks; no ranks if there is none.
func straight(ranks Cards) (top Rank, run Cards) {
	// The ace is laid below the two as well, so that all ranks move up by one.
	low := ranks<<4 | ranks>>(4*Ace)
	from := low & (low >> 4)
	from = from & (from >> 8) & (low >> 16)
	if from == 0 {
		return 0, 0
	}
	at := highest(from)
	run = 0x11111 << (at * 4)
	return at + 3, (run>>4 | run<<(4*Ace)) & oneSuit
}

// highest returns the highest of the ranks. There must be one.
func highest(ranks Cards) Rank {
	return Rank(bits.Len64(uint64(ranks))-1) >> 2
}

// best returns the n highest of the ranks, or all if there are fewer.
func best(ranks Cards, n int) Cards {
	for extra := ranks.Len() - n; extra > 0; extra-- {
		ranks &= ranks - 1
	}
	return ranks
}
