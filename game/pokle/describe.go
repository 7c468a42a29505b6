package pokle

import "fmt"

// rankNames are the ranks in words, by Rank: one card of it, and more.
var rankNames = [...]struct{ one, more string }{
	{"two", "twos"}, {"three", "threes"}, {"four", "fours"}, {"five", "fives"}, {"six", "sixes"}, {"seven", "sevens"},
	{"eight", "eights"}, {"nine", "nines"}, {"ten", "tens"}, {"jack", "jacks"}, {"queen", "queens"}, {"king", "kings"}, {"ace", "aces"},
}

// Describe returns in words what makes the hand, such as "pair of tens", "two pair, kings and fours", "straight to the ten" or
// "flush, ace high". Equal hands are described alike; hands that are alike and not equal differ in [Strength.Kickers]. The
// strength must be one that [Cards.Evaluate] returned.
func (s Strength) Describe() string {
	category := s.Category()
	first, second := s.named()
	one, more := rankNames[first].one, rankNames[first].more
	switch category {
	case HighCard:
		return fmt.Sprintf("%v %s", category, one)
	case Pair:
		return "pair of " + more
	case TwoPair:
		return fmt.Sprintf("%v, %s and %s", category, more, rankNames[second].more)
	case ThreeOfAKind, FourOfAKind:
		return fmt.Sprintf("%v, %s", category, more)
	case Flush:
		return fmt.Sprintf("%v, %s high", category, one)
	case FullHouse:
		return fmt.Sprintf("%v, %s over %s", category, more, rankNames[second].more)
	default:
		return fmt.Sprintf("%v to the %s", category, one)
	}
}

// Kickers returns the ranks that count and that [Strength.Describe] does not name, the highest first: three with a pair, four of
// a flush, none of a straight. The caller owns the slice.
func (s Strength) Kickers() []Rank {
	first, _ := s.named()
	set := Cards(s) & (1<<rankShift - 1)
	switch s.Category() {
	case HighCard, Flush:
		set &^= 1 << (first * 4)
	case TwoPair, FourOfAKind:
		return []Rank{Rank(s & 15)}
	case Straight, FullHouse, StraightFlush:
		return nil
	}
	var ranks []Rank
	for ; set != 0; set &^= 1 << (highest(set) * 4) {
		ranks = append(ranks, highest(set))
	}
	return ranks
}

// named returns the ranks that the hand is named after. The second is that of the lower pair, or of a full house's pair; for
// other hands it means nothing.
func (s Strength) named() (first, second Rank) {
	switch s.Category() {
	case HighCard, Flush:
		return highest(s.ranks()), 0
	case Pair, ThreeOfAKind:
		return Rank(s >> rankShift & 15), 0
	case TwoPair:
		pairs := s.ranks() >> 4
		first = highest(pairs)
		return first, highest(pairs &^ (1 << (first * 4)))
	case FullHouse:
		return highest(s.ranks() >> 4), Rank(s & 15)
	case FourOfAKind:
		return highest(s.ranks() >> 4), 0
	default: // a straight, of one suit or more
		return Rank(s & 15), 0
	}
}

// ranks returns the bits below the category.
func (s Strength) ranks() Cards { return Cards(s) & (1<<categoryShift - 1) }
