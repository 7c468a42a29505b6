package pokle

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"fivefold/game/racetest"
)

// worthPlain is what five cards are worth by the rules of poker as they are
// written down, and which of them are core: the oracle of Evaluate. The worth is
// the category and then the ranks, those of which there are most first and the
// highest first among these, as digits of base 16.
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

// bestPlain is worthPlain of the best five of the cards. Where several fives are
// best, a card is core when it is in one of them.
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

// strengths has what Evaluate says of every worth, for one hand each.
// TestEvaluateFiveCards checks that it says the same of all others.
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

// TestStrengthOrder: strengths are in the order of what hands are worth, and all 7462
// differ.
func TestStrengthOrder(t *testing.T) {
	all := strengths()
	if len(all) != 7462 {
		t.Fatalf("%d different hands, want 7462", len(all))
	}
	last := Strength(0)
	for _, worth := range slices.Sorted(maps.Keys(all)) {
		if all[worth] <= last {
			t.Fatalf("the strength of %x is %x, not above %x", worth, all[worth], last)
		}
		last = all[worth]
	}
}

// TestEvaluateFiveCards goes through all hands of five cards.
func TestEvaluateFiveCards(t *testing.T) {
	racetest.Skip(t)
	all := strengths()
	var got [Categories]int
	check := func(hand [5]Card) {
		strength, core := SetOf(hand[:]...).Evaluate()
		worth, want := worthPlain(hand)
		if strength != all[worth] || strength.Category() != Category(worth>>20) || core != want {
			t.Fatalf("%v: %v, strength %x, core %v; want worth %x, strength %x, core %v",
				SetOf(hand[:]...), strength.Category(), strength, core, worth, all[worth], want)
		}
		got[strength.Category()]++
	}
	for a := range Card(Deck) {
		for b := range a {
			for c := range b {
				for d := range c {
					for e := range d {
						check([5]Card{a, b, c, d, e})
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

// TestEvaluateAgainstPlain takes random hands of six and seven cards from the
// whole deck, and from cards close in rank and suit, where straights, flushes and
// full houses meet.
func TestEvaluateAgainstPlain(t *testing.T) {
	n := 300_000
	if testing.Short() || racetest.Enabled {
		n = 20_000
	}
	all := strengths()
	for _, c := range []struct {
		name         string
		ranks, suits int
	}{
		{"whole deck", 13, 4},
		{"six ranks", 6, 4},
		{"eight ranks, two suits", 8, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(c.ranks), 1))
			for range n {
				deck := deckOf(random.IntN(13), c.ranks, c.suits)
				for _, size := range []int{6, 7} {
					hand := draw(random, deck, size)
					strength, core := SetOf(hand...).Evaluate()
					worth, want := bestPlain(hand)
					if strength != all[worth] || strength.Category() != Category(worth>>20) || core != want {
						t.Fatalf("%v: %v, strength %x, core %v; want worth %x, strength %x, core %v",
							SetOf(hand...), strength.Category(), strength, core, worth, all[worth], want)
					}
				}
			}
		})
	}
}

// deckOf returns the cards of that many ranks from this one, round the ace, in that
// many suits.
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

func TestEvaluate(t *testing.T) {
	for _, c := range []struct {
		name, hand string
		want       Category
		core       string
	}{
		{"high card: the highest", "2C 9D 10H JS AC", HighCard, "AC"},
		{"pair", "2C 2D 10H JS AC 5C 7H", Pair, "2C 2D"},
		{"two pair", "2C 2D 10H JS 10C 5C 7H", TwoPair, "2C 2D 10C 10H"},
		{"three pairs: the best two", "2C 2D 10H 10C KS KC 7H", TwoPair, "10C 10H KC KS"},
		{"three of a kind", "2C 2D 2H 10C KS QC 7H", ThreeOfAKind, "2C 2D 2H"},
		{"straight", "2C 3D 4H 5C 6S KC KH", Straight, "2C 3D 4H 5C 6S"},
		{"wheel", "AC 2D 3H 4C 5S 9C KH", Straight, "AC 2D 3H 4C 5S"},
		{"six in a row: the best five", "AC 2D 3H 4C 5S 6C KH", Straight, "2D 3H 4C 5S 6C"},
		{"up to the ace", "AC KD QH JC 10S 9C 9H", Straight, "10S JC QH KD AC"},
		{"not round the ace", "QC KD AH 2C 3S 7D 8H", HighCard, "AH"},
		{"straight with a pair, its lowest", "2C 2D 3H 4C 5S 6C KH", Straight, "2C 2D 3H 4C 5S 6C"},
		{"straight with three of a kind", "2C 2D 2H 3C 4S 5C 6H", Straight, "2C 2D 2H 3C 4S 5C 6H"},
		{"straight with two pairs", "2C 2D 3H 3C 4S 5C 6H", Straight, "2C 2D 3H 3C 4S 5C 6H"},
		{"wheel with two aces", "AC AD 3H 2C 4S 5C 9H", Straight, "AC AD 3H 2C 4S 5C"},
		{"flush", "2C 9C 10C JC AC", Flush, ""},
		{"flush with a pair", "2C 9C 10C JC AC AD 2D", Flush, ""},
		{"flush over a straight", "2C 3C 4C 5C 6D 9C KH", Flush, ""},
		{"full house", "2C 2D 2H KC KS QC 7H", FullHouse, "2C 2D 2H KC KS"},
		{"full house with two pairs: the better", "2C 2D 2H KC KS QC QH", FullHouse, "2C 2D 2H KC KS"},
		{"two triples: all six", "2C 2D 2H KC KS KH 7H", FullHouse, "2C 2D 2H KC KS KH"},
		{"four of a kind", "2C 2D 2H 2S KS KH 7H", FourOfAKind, "2C 2D 2H 2S"},
		{"four and three of a kind", "2C 2D 2H 2S KS KH KC", FourOfAKind, "2C 2D 2H 2S"},
		{"straight flush", "5C 6C 7C 8C 9C 9D 9H", StraightFlush, "5C 6C 7C 8C 9C"},
		{"straight flush below a higher straight", "5C 6C 7C 8C 9C 10D JH", StraightFlush, "5C 6C 7C 8C 9C"},
		{"straight flush below a higher flush card", "5C 6C 7C 8C 9C JC AC", StraightFlush, "5C 6C 7C 8C 9C"},
		{"steel wheel below a six of another suit", "AC 2C 3C 4C 5C 6D 7H", StraightFlush, "AC 2C 3C 4C 5C"},
		{"seven of one suit in a row", "4C 5C 6C 7C 8C 9C 10C", StraightFlush, "6C 7C 8C 9C 10C"},
		{"royal flush", "10S JS QS KS AS AD AH", StraightFlush, "10S JS QS KS AS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			strength, core := SetOf(mustCards(t, c.hand)...).Evaluate()
			if want := SetOf(mustCards(t, c.core)...); strength.Category() != c.want || core != want {
				t.Errorf("%s: %v, core %v; want %v, core %v", c.hand, strength.Category(), core, c.want, want)
			}
		})
	}
}

func TestEvaluateKickers(t *testing.T) {
	for _, c := range []struct{ name, better, other string }{
		{"with four of a kind", "7C 7D 7H 7S 3C 9D", "7C 7D 7H 7S 3C 8D"},
		{"with two pair", "7C 7D 6H 6S AC 2D 3H", "7C 7D 6H 6S KC QD JH"},
		{"third pair as kicker", "7C 7D 6H 6S 5C 5D 3H", "7C 7D 6H 6S 4C 3D 2H"},
		{"last with a pair", "7C 7D AH KS 4C", "7C 7D AH KS 3C"},
		{"last of a high card", "2C AD KH QS 9C", "2C AD KH QS 8C"},
		{"last of a flush", "3C AC KC QC 9C", "2C AC KC QC 9C"},
		{"second with three of a kind", "7C 7D 7H AS 4C", "7C 7D 7H AS 3C"},
		{"the pair of a full house", "7C 7D 7H 4S 4C", "7C 7D 7H 3S 3C"},
		{"the three before the pair", "7C 7D 7H 3S 3C", "6C 6D 6H AS AC"},
		{"a six-high straight over the wheel", "2C 3D 4H 5S 6C", "AC 2C 3D 4H 5S"},
	} {
		t.Run(c.name, func(t *testing.T) {
			better, _ := SetOf(mustCards(t, c.better)...).Evaluate()
			other, _ := SetOf(mustCards(t, c.other)...).Evaluate()
			if better <= other {
				t.Errorf("%s is worth %x, %s %x", c.better, better, c.other, other)
			}
		})
	}
	// The sixth and seventh card never count.
	one, _ := SetOf(mustCards(t, "7C 7D AH KS 4C 3D 2H")...).Evaluate()
	two, _ := SetOf(mustCards(t, "7H 7S AD KC 4D")...).Evaluate()
	if one != two {
		t.Errorf("the same five best cards are worth %x and %x", one, two)
	}
}

func TestCategoryNames(t *testing.T) {
	if TwoPair.String() != "two pair" || StraightFlush.String() != "straight flush" || HighCard.String() != "high card" {
		t.Errorf("got %v, %v, %v", TwoPair, StraightFlush, HighCard)
	}
}

func mustCards(tb testing.TB, text string) []Card {
	tb.Helper()
	cards, err := ParseCards(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return cards
}

// BenchmarkEvaluate evaluates random hands, so that branches cannot be learnt, with
// their core; each iteration is one hand. The plain code runs too.
func BenchmarkEvaluate(b *testing.B) {
	const n = 1 << 16
	for _, c := range []struct {
		name string
		size int
	}{{"five cards", 5}, {"six cards", 6}, {"seven cards", 7}} {
		random := rand.New(rand.NewPCG(3, 4))
		hands, sets := make([][]Card, n), make([]Cards, n)
		for i := range n {
			hands[i] = draw(random, deckOf(0, 13, 4), c.size)
			sets[i] = SetOf(hands[i]...)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				strength, core := sets[i%n].Evaluate()
				sink += uint64(strength) + uint64(core)
				i++
			}
		})
		b.Run(c.name+", plain", func(b *testing.B) {
			i := 0
			for b.Loop() {
				worth, core := bestPlain(hands[i%n])
				sink += uint64(worth) + uint64(core)
				i++
			}
		})
	}
}

var sink uint64
