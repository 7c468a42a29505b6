package multi

import (
	"math"
	"slices"

	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// outlook is what is known of boards after a guess, on average: how many are open, the sum of log₂ of the words left on
// each, and the variance of that sum.
type outlook struct{ open, bits, variance float32 }

// guesses estimates how many guesses it takes until all boards are found, and counts what losing costs. Measured in games
// that the solver played: boards take a guess each, and all together some bits^power more. The bits have a gamma
// distribution, nearly.
func (o outlook) guesses(limit float32) float32 {
	g := o.open
	if o.bits > 0.01 {
		spread := o.variance / (o.variance + o.bits*o.bits)
		g += (each - perBoard*o.open) * powers[int(o.bits*bitSteps)] * spreads[int(spread*64+.5)]
	}
	return g + risks[max(0, min(len(risks)-1, int((g-limit)*16)+64))]
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
	counts  [wordle.Feedbacks + 13]uint16
	seen    [wordle.Feedbacks]byte
	x1, x2  []float32 // x·log₂x and x·(log₂x)², by x
	outlook           // added up
}

func newSplitter(left [][]wordle.Word) *splitter {
	most := 0
	for _, words := range left {
		most = max(most, len(words))
	}
	s := &splitter{x1: make([]float32, most+1), x2: make([]float32, most+1)}
	for x := 1; x <= most; x++ {
		log := math.Log2(float64(x))
		s.x1[x], s.x2[x] = float32(float64(x)*log), float32(float64(x)*log*log)
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
	w := 1 / float32(len(row))
	o := outlook{open: 1}
	if s.counts[wordle.AllGreen] > 0 {
		o.open -= w
	}
	for _, f := range s.seen[:n] {
		x := s.counts[f]
		o.bits += s.x1[x]
		o.variance += s.x2[x]
		s.counts[f] = 0
	}
	o.bits *= w
	o.variance = max(0, o.variance*w-o.bits*o.bits)
	return o
}

// rank returns all guesses that may be suggested, best first, by a look one guess ahead.
func (q *problem) rank() []candidate {
	split := newSplitter(q.left)
	rows := partition.NewRows(q.Lexicon, q.words)
	own := q.Numbers(q.words)
	ranked := make([]candidate, 0, len(q.Proposals))
	for _, g := range slices.Concat(q.Proposals, slices.DeleteFunc(own, func(g int32) bool {
		_, proposed := slices.BinarySearch(q.Proposals, g)
		return proposed
	})) {
		if q.never[q.Guesses[g]] {
			continue
		}
		row := rows.Row(q.PartsOf[g])
		var sum outlook
		for _, left := range q.left {
			o := split.split(row[:len(left)])
			sum.open += o.open
			sum.bits += o.bits
			sum.variance += o.variance
			row = row[len(left):]
		}
		ranked = append(ranked, candidate{guess: g, expected: 1 + float64(sum.guesses(float32(q.limit-1)))})
	}
	slices.SortFunc(ranked, byExpected)
	return ranked
}
