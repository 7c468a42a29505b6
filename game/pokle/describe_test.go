package pokle

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ hand, want, kickers string }{
		{"2C 9D 10H JS AC", "high card ace", "J 10 9 2"},
		{"2C 3D 4H 5S 7C", "high card seven", "5 4 3 2"},
		{"10C 10D 4H 5S AC KC 2D", "pair of tens", "A K 5"},
		{"2C 2D 4H 5S AC", "pair of twos", "A 5 4"},
		{"6C 6D 4H 5S AC", "pair of sixes", "A 5 4"},
		{"KC KD 4H 4S AC 2D 2H", "two pair, kings and fours", "A"},
		{"3C 3D 2H 2S 5C", "two pair, threes and twos", "5"},
		{"AC AD KH KS QC QD 2H", "two pair, aces and kings", "Q"},
		{"2C 2D 2H 5S AC", "three of a kind, twos", "A 5"},
		{"AC AD AH 5S 3C", "three of a kind, aces", "5 3"},
		{"6C 7D 8H 9S 10C", "straight to the ten", ""},
		{"AC 2D 3H 4S 5C KC KD", "straight to the five", ""},
		{"10C JD QH KS AC", "straight to the ace", ""},
		{"2C 9C 10C JC AC", "flush, ace high", "J 10 9 2"},
		{"2C 3C 4C 5C 7C 6D KH", "flush, seven high", "5 4 3 2"},
		{"10C 10D 10H 2S 2C", "full house, tens over twos", ""},
		{"2C 2D 2H AS AC", "full house, twos over aces", ""},
		{"3C 3D 3H 4S 4C 4D", "full house, fours over threes", ""},
		{"QC QD QH QS 2C 3D", "four of a kind, queens", "3"},
		{"2C 2D 2H 2S AC", "four of a kind, twos", "A"},
		{"5C 6C 7C 8C 9C", "straight flush to the nine", ""},
		{"AC 2C 3C 4C 5C 6D", "straight flush to the five", ""},
		{"10S JS QS KS AS", "straight flush to the ace", ""},
	} {
		strength, _ := SetOf(mustCards(t, c.hand)...).Evaluate()
		if got := strength.Describe(); got != c.want {
			t.Errorf("%s: %s, want %s", c.hand, got, c.want)
		}
		if got := kickersText(strength); got != c.kickers {
			t.Errorf("%s: kickers %s, want %s", c.hand, got, c.kickers)
		}
	}
}

func kickersText(s Strength) string {
	var ranks []string
	for _, r := range s.Kickers() {
		ranks = append(ranks, r.String())
	}
	return strings.Join(ranks, " ")
}

// TestDescribeAll: of all 7462 strengths no two have the same words and kickers, and
// of those with the same words the better one has the better kickers.
func TestDescribeAll(t *testing.T) {
	seen := map[string]Strength{}
	last := map[string][]Rank{}
	all := strengths()
	for _, worth := range slices.Sorted(maps.Keys(all)) {
		s := all[worth]
		words := s.Describe()
		if !strings.HasPrefix(words, s.Category().String()) {
			t.Fatalf("a %v is described as %s", s.Category(), words)
		}
		full := words + ", " + kickersText(s)
		if other, ok := seen[full]; ok {
			t.Fatalf("%x and %x are both %s", uint64(s), uint64(other), full)
		}
		seen[full] = s
		kickers := s.Kickers()
		if before, ok := last[words]; ok && slices.Compare(before, kickers) >= 0 {
			t.Fatalf("%s: kickers %v come before the better %v", words, before, kickers)
		}
		last[words] = kickers
	}
	if len(seen) != 7462 {
		t.Errorf("%d descriptions, want 7462", len(seen))
	}
}
