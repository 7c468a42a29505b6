package multi

import (
	"math"
	"slices"

	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// outlook describes boards after a guess, on average: how many are open, the sum of log₂ of the words left on
// each, and the variance of that sum.
type outlook struct{ open, bits, variance float32 }

func (o outlook) plus(p outlook) outlook {
	return outlook{o.open + p.open, o.bits + p.bits, o.variance + p.variance}
}

// guesses estimates how many guesses it takes until all boards are found, and counts what losing costs. Measured in games
// that the solver played: boards take a guess each, and all together some bits^power more. The bits have a gamma
// distribution, nearly.
func (o outlook) guesses(limit int) float32 {
	g := o.open
	if o.bits > 0.01 {
		spread := o.variance / (o.variance + o.bits*o.bits)
		g += (each - perBoard*o.open) * powers[int(o.bits*bitSteps)] * spreads[int(spread*64+.5)]
	}
	return g + risks[max(0, min(len(risks)-1, int((g-float32(limit))*16)+64))]
}

// Fitted to games of two, four and eight boards.
const (
	each, perBoard = 0.62, 0.0445
	power          = 0.55
	deviation      = 0.75 // of the guesses that are still needed
)

// powers has bits^power, bitSteps to a bit.
var powers = func() (p [bitSteps * 20 * boards.Most]float32) {
	for i := range p {
		p[i] = float32(math.Pow((float64(i)+0.5)/bitSteps, power))
	}
	return p
}()

const bitSteps = 32

// spreads has, by variance/(variance + mean²) in 64ths, the mean of x^power over mean^power for a gamma distribution.
var spreads = func() (all [65]float32) {
	for i := range all {
		shape := 1/min(max(float64(i)/64, 0.001), 0.999) - 1
		above, _ := math.Lgamma(shape + power)
		below, _ := math.Lgamma(shape)
		all[i] = float32(math.Exp(above - below - power*math.Log(shape)))
	}
	return all
}()

// risks has what the danger to lose costs, by 16ths of a guess from 4 below the limit to 4 above it.
var risks = func() (all [129]float32) {
	for i := range all[1:] {
		all[i+1] = float32((LossCost - 1) / 2 * math.Erfc((0.5-float64(i+1-64)/16)/deviation/math.Sqrt2))
	}
	return all
}()

// splitter measures how feedback splits words.
type splitter struct {
	counts [wordle.Feedbacks]uint16
	seen   [wordle.Feedbacks]byte
	sums   []outlook // for x words: x·log₂x and x·(log₂x)²
}

func newSplitter(left [][]wordle.Word) *splitter {
	s := &splitter{sums: []outlook{{}}}
	for _, words := range left {
		for x := float64(len(s.sums)); x <= float64(len(words)); x++ {
			s.sums = append(s.sums, outlook{0, float32(x * math.Log2(x)), float32(x * math.Log2(x) * math.Log2(x))})
		}
	}
	return s
}

// split returns what a board looks like after a guess that has this feedback for its words.
func (s *splitter) split(row []byte) outlook {
	n := 0
	for _, f := range row {
		if s.counts[f] == 0 {
			s.seen[n] = f
			n++
		}
		s.counts[f]++
	}
	share := 1 / float32(len(row))
	o := outlook{open: 1}
	if s.counts[wordle.AllGreen] > 0 {
		o.open -= share
	}
	for _, f := range s.seen[:n] {
		sum := s.sums[s.counts[f]]
		o.bits += sum.bits * share
		o.variance += sum.variance * share
		s.counts[f] = 0
	}
	o.variance = max(0, o.variance-o.bits*o.bits)
	return o
}

// rank returns all guesses that may be suggested, best first, by a look one guess ahead.
func (q *problem) rank() []candidate {
	split := newSplitter(q.left)
	rows := partition.NewRows(q.Lexicon, q.words)
	guesses := slices.Concat(q.Proposals, q.Numbers(q.words)) // a word that is withheld is possible where no other fits
	slices.Sort(guesses)
	var ranked []candidate
	for _, g := range slices.Compact(guesses) {
		if q.never[q.Guesses[g]] {
			continue
		}
		row, sum := rows.Row(q.PartsOf[g]), outlook{}
		for _, left := range q.left {
			sum = sum.plus(split.split(row[:len(left)]))
			row = row[len(left):]
		}
		ranked = append(ranked, candidate{g, 1 + float64(sum.guesses(q.limit-1)), sum})
	}
	slices.SortFunc(ranked, byExpected)
	return ranked
}
