package pokle

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// worthPlain is what five cards are worth by the rules of poker as they are written down, and which of them are core: the oracle
// of Evaluate. The worth is the category and then the ranks, those of which there are most first and the highest first among
// these, as digits of base 16.
func worthPlain(hand [5]Card) (worth uint32, core Cards) {
	var count [13]int
	flush := true
	for _, c := range hand {
		count[c.Rank()]++
		flush = flush && c.Suit() == hand[0].Suit()
	}
	slices.SortFunc(hand[:], func(a, b Card) int {
		if count[a.Rank()] != count[b.Rank()] {
			return count[b.Rank()] - count[a.Rank()]
		}
		return int(b) - int(a)
	})
	var is [5]Rank
	for i, c := range hand {
		is[i] = c.Rank()
	}
	run := true
	for i := range 4 {
		run = run && is[i] == is[i+1]+1
	}
	if is == [5]Rank{Ace, Five, Four, Three, Two} {
		run = true
		is = [5]Rank{Five, Four, Three, Two}
	}
	most, second := count[is[0]], count[hand[3].Rank()]
	category, makes := HighCard, 1
	switch {
	case run && flush:
		category, makes = StraightFlush, 5
	case most == 4:
		category, makes = FourOfAKind, 4
	case most == 3 && second == 2:
		category, makes = FullHouse, 5
	case flush:
		category, makes = Flush, 0
	case run:
		category, makes = Straight, 5
	case most == 3:
		category, makes = ThreeOfAKind, 3
	case most == 2 && second == 2:
		category, makes = TwoPair, 4
	case most == 2:
		category, makes = Pair, 2
	}
	worth = uint32(category)
	for _, r := range is {
		worth = worth<<4 | uint32(r)
	}
	return worth, SetOf(hand[:makes]...)
}

// bestPlain is worthPlain of the best five of the cards. Where several fives are best, a card is core when it is in one of them.
func bestPlain(hand []Card) (worth uint32, core Cards) {
	var five [5]Card
	var choose func(n, from int)
	choose = func(n, from int) {
		if n == 5 {
			switch w, c := worthPlain(five); {
			case w > worth:
				worth, core = w, c
			case w == worth:
				core |= c
			}
			return
		}
		for i := from; i < len(hand); i++ {
			five[n] = hand[i]
			choose(n+1, i+1)
		}
	}
	choose(0, 0)
	return worth, core
}

// strengths has what Evaluate says of every worth, for one hand each. TestEvaluateFiveCards checks that it says the same of all
// others.
var strengths = sync.OnceValue(func() map[uint32]Strength {
	all := make(map[uint32]Strength)
	for _, suits := range [][5]Suit{{}, {0, 1, 2, 3, 0}} { // all flushes, and all other hands
		for ranks := range 13 * 13 * 13 * 13 * 13 {
			var hand [5]Card
			rest := ranks
			for i := range hand {
				hand[i] = NewCard(Rank(rest%13), suits[i])
				rest /= 13
			}
			if !slices.IsSortedFunc(hand[:], func(a, b Card) int { return int(a.Rank()) - int(b.Rank()) }) {
				continue
			}
			if set := SetOf(hand[:]...); set.Len() == 5 {
				worth, _ := worthPlain(hand)
				all[worth], _ = set.Evaluate()
			}
		}
	}
	return all
})

// deckOf returns the cards of that many ranks from this one, round the ace, in that many suits.
func deckOf(from, ranks, suits int) []Card {
	var deck []Card
	for i := range ranks {
		for s := range Suit(suits) {
			deck = append(deck, NewCard(Rank((from+i)%13), s))
		}
	}
	return deck
}

// draw takes n random cards from the deck, which it reorders.
func draw(random *rand.Rand, deck []Card, n int) []Card {
	for i := range n {
		j := i + random.IntN(len(deck)-i)
		deck[i], deck[j] = deck[j], deck[i]
	}
	return slices.Clone(deck[:n])
}

// checkStrength compares with plain code, and returns the category.
func checkStrength(t *testing.T, hand []Card) Category {
	strength, core := SetOf(hand...).Evaluate()
	worth, want := bestPlain(hand)
	if strength != strengths()[worth] || strength.Category() != Category(worth>>20) || core != want {
		t.Fatalf("%v: %v, strength %x, core %v; want worth %x, strength %x, core %v",
			SetOf(hand...), strength.Category(), strength, core, worth, strengths()[worth], want)
	}
	return strength.Category()
}

// TestEvaluateFiveCards goes through all hands of five cards.
func TestEvaluateFiveCards(t *testing.T) {
	var got [Categories]int
	for a := range Card(Deck) {
		for b := range a {
			for c := range b {
				for d := range c {
					for e := range d {
						got[checkStrength(t, []Card{a, b, c, d, e})]++
					}
				}
			}
		}
	}
	// As in any book on poker.
	if want := [Categories]int{1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40}; got != want {
		t.Errorf("hands by category: %v, want %v", got, want)
	}
}

// TestEvaluateAgainstPlain takes random hands of six and seven cards from the whole deck, and from cards close in rank and suit,
// where straights, flushes and full houses meet.
func TestEvaluateAgainstPlain(t *testing.T) {
	for _, c := range []struct{ ranks, suits int }{{13, 4}, {6, 4}, {8, 2}} {
		random := rand.New(rand.NewPCG(uint64(c.ranks), 1))
		for range 60_000 {
			deck := deckOf(random.IntN(13), c.ranks, c.suits)
			checkStrength(t, draw(random, deck, 6))
			checkStrength(t, draw(random, deck, 7))
		}
	}
}

// TestDescribe: of all 7462 strengths, which are in the order of what hands are worth, no two have the same words and kickers,
// and of those with the same words the better one has the better kickers.
func TestDescribe(t *testing.T) {
	all := strengths()
	last := map[string][]Rank{}
	before := Strength(0)
	for _, worth := range slices.Sorted(maps.Keys(all)) {
		s := all[worth]
		words, kickers := s.Describe(), s.Kickers()
		if kickersBefore, ok := last[words]; s <= before || ok && slices.Compare(kickersBefore, kickers) >= 0 || !strings.HasPrefix(words, s.Category().String()) {
			t.Fatalf("%x, %s, kickers %v, comes after %x, kickers %v", s, words, kickers, before, kickersBefore)
		}
		last[words], before = kickers, s
	}
	if len(all) != 7462 {
		t.Errorf("%d different hands, want 7462", len(all))
	}
	for hand, want := range map[string]string{
		"2C 9D 10H JS AC":        "high card ace",
		"10C 10D 4H 5S AC KC 2D": "pair of tens",
		"KC KD 4H 4S AC 2D 2H":   "two pair, kings and fours",
		"2C 2D 2H 5S AC":         "three of a kind, twos",
		"AC 2D 3H 4S 5C KC KD":   "straight to the five",
		"2C 9C 10C JC AC":        "flush, ace high",
		"3C 3D 3H 4S 4C 4D":      "full house, fours over threes",
		"QC QD QH QS 2C 3D":      "four of a kind, queens",
		"10S JS QS KS AS":        "straight flush to the ace",
	} {
		strength, _ := SetOf(must(ParseCards(hand))...).Evaluate()
		if got := strength.Describe(); got != want {
			t.Errorf("%s: %s, want %s", hand, got, want)
		}
	}
}

// BenchmarkEvaluate evaluates random hands, so that branches cannot be learnt, with their core; each iteration is one hand.
func BenchmarkEvaluate(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	hands := make([]Cards, 1<<16)
	for i := range hands {
		hands[i] = SetOf(draw(random, deckOf(0, 13, 4), 7)...)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		hands[i%len(hands)].Evaluate()
	}
}
