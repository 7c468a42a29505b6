package multi

import (
	"math"
	"math/rand/v2"
	"slices"

	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// class is the words of a board with the same feedback, by their columns, and what each follow-up makes of them.
type class struct {
	columns []int
	after   []outlook // nil if not known yet
}

const (
	lookaheadTries = 24
	followUps      = 300       // apart from words of boards with few left
	fewLeft        = 12        // on a board
	lookaheadWays  = 200       // of hiding words
	lookaheadWork  = 2_500_000 // pairs of a follow-up and a column, about
)

// lookahead orders the best candidates by a look two guesses ahead: each feedback on all boards has its best follow-up.
func (q *problem) lookahead(ranked []candidate) []candidate {
	follow := min(followUps, max(60, lookaheadWork/20/len(q.words)), len(ranked))
	tries := slices.Clone(ranked[:min(lookaheadTries, lookaheadWork/(len(q.words)*follow)+1, len(ranked))])
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return c.guess == q.made }); i >= len(tries) {
		tries = append(tries, ranked[i])
	}
	var rows []int32
	for _, c := range slices.Concat(tries, ranked[:follow]) {
		rows = append(rows, c.guess)
	}
	for _, left := range q.left {
		if len(left) <= fewLeft {
			rows = append(rows, q.Numbers(left)...)
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	var table partition.Table
	table.Build(q.Lexicon, rows, q.words, q.stop)
	split, ways := newSplitter(q.left), q.ways()
	sums, feedback := make([]outlook, len(rows)), make([]byte, 0, len(q.words))
	for i := range tries {
		r, _ := slices.BinarySearch(rows, tries[i].guess)
		row := table.Row(int32(r))
		classes, column := make([][wordle.Feedbacks]class, len(q.left)), 0
		for b, left := range q.left {
			for range left {
				c := &classes[b][row[column]]
				c.columns = append(c.columns, column)
				column++
			}
		}
		known, total := map[[boards.Most]byte]float32{}, float32(0)
		for _, way := range ways {
			if q.stop.Load() {
				return tries
			}
			var key [boards.Most]byte
			for b, column := range way {
				key[b] = row[column]
			}
			least, ok := known[key]
			if !ok {
				clear(sums)
				for b := range q.left {
					if key[b] == byte(wordle.AllGreen) {
						continue
					}
					c := &classes[b][key[b]]
					for r := len(c.after); r < len(rows); r++ {
						feedback = feedback[:0]
						for _, column := range c.columns {
							feedback = append(feedback, table.Row(int32(r))[column])
						}
						c.after = append(c.after, split.split(feedback))
					}
					least = math.MaxFloat32 // unless all boards are found
					for r, o := range c.after {
						sums[r] = sums[r].plus(o)
					}
				}
				for _, sum := range sums {
					least = min(least, 1+sum.guesses(q.limit-2))
				}
				known[key] = least
			}
			total += least
		}
		tries[i].expected = 1 + float64(total)/float64(len(ways))
	}
	slices.SortFunc(tries, byExpected)
	return tries
}

// ways returns ways to hide words, as a column for each board: all, or so many in which the words of a board come equally
// often, drawn in the same way each time.
func (q *problem) ways() [][]int {
	all := 1
	for _, left := range q.left {
		all = min(all*len(left), lookaheadWays+1)
	}
	ways := make([][]int, min(all, lookaheadWays))
	random := rand.New(rand.NewPCG(uint64(len(q.words)), 0))
	from, every := 0, 1
	for _, left := range q.left {
		var next []int
		for i := range ways {
			column := i / every % len(left)
			if all > lookaheadWays {
				if len(next) == 0 {
					next = random.Perm(len(left))
				}
				column, next = next[0], next[1:]
			}
			ways[i] = append(ways[i], from+column)
		}
		from += len(left)
		every *= len(left)
	}
	return ways
}
