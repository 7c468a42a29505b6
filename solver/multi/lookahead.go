package multi

import (
	"math"
	"math/rand/v2"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// class is the words of a board with the same feedback, and what follow-ups make of them.
type class struct {
	words                []int
	open, bits, variance []float32 // by follow-up; nil if not known yet
}

// lookaheadWork is how many pairs of a follow-up and a word are looked at.
const lookaheadWork = 4_000_000

// lookahead orders the best candidates by a look two guesses ahead.
func (q *problem) lookahead(ranked []candidate) []candidate {
	n := len(q.words)
	followUps := min(300, max(60, lookaheadWork/20/n), len(ranked))
	cands := slices.Clone(ranked[:min(24, lookaheadWork/(n*followUps), len(ranked))])
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return c.guess == q.made }); i >= len(cands) {
		cands = append(cands, ranked[i])
	}
	// Follow-ups are the best guesses of now, and words of boards that have few left.
	var follow []int32
	for _, c := range ranked[:followUps] {
		follow = append(follow, c.guess)
	}
	for _, left := range q.left {
		if len(left) <= 12 {
			for _, g := range q.Numbers(left) {
				if !q.never[q.Guesses[g]] {
					follow = append(follow, g)
				}
			}
		}
	}
	for _, c := range cands {
		follow = append(follow, c.guess)
	}
	slices.Sort(follow)
	follow = slices.Compact(follow)
	var table partition.Table
	table.Build(q.Lexicon, follow, q.words, q.stop)
	split := newSplitter(q.left)
	ways := q.ways(200)
	type key [8]byte
	sums := [3][]float32{make([]float32, len(follow)), make([]float32, len(follow)), make([]float32, len(follow))}
	buf := make([]byte, 0, n)
	for i := range cands {
		if q.stop.Load() {
			break
		}
		c := &cands[i]
		at, _ := slices.BinarySearch(follow, c.guess)
		row := table.Row(int32(at))
		classes := make([][wordle.Feedbacks]class, len(q.left))
		from := 0
		for b, left := range q.left {
			for w := range left {
				f := row[from+w]
				classes[b][f].words = append(classes[b][f].words, from+w)
			}
			from += len(left)
		}
		count := map[key]int{}
		var order []key
		for _, way := range ways {
			var k key
			for b, w := range way {
				k[b] = row[w]
			}
			if count[k]++; count[k] == 1 {
				order = append(order, k)
			}
		}
		total := float32(0)
		for _, k := range order {
			clear(sums[0])
			clear(sums[1])
			clear(sums[2])
			open := false
			for b := range q.left {
				if k[b] == byte(wordle.AllGreen) {
					continue
				}
				open = true
				cl := &classes[b][k[b]]
				if cl.open == nil {
					all := make([]float32, 3*len(follow))
					cl.open, cl.bits, cl.variance = all[:len(follow)], all[len(follow):2*len(follow)], all[2*len(follow):]
					for r := range follow {
						fr := table.Row(int32(r))
						buf = buf[:0]
						for _, w := range cl.words {
							buf = append(buf, fr[w])
						}
						o := split.split(buf)
						cl.open[r], cl.bits[r], cl.variance[r] = o.open, o.bits, o.variance
					}
				}
				for i, from := range [][]float32{cl.open, cl.bits, cl.variance} {
					if i > 0 && len(cl.words) == 1 {
						break
					}
					to := sums[i][:len(from)]
					for r, v := range from {
						to[r] += v
					}
				}
			}
			if open {
				least := float32(math.Inf(1))
				for r := range follow {
					least = min(least, outlook{sums[0][r], sums[1][r], sums[2][r]}.guesses(float32(q.limit-2)))
				}
				total += float32(count[k]) * (1 + least)
			}
		}
		c.expected = 1 + float64(total)/float64(len(ways))
	}
	slices.SortFunc(cands, byExpected)
	return cands
}

// ways returns ways to choose a word for each board, by their index: all, or so many in which each word of a board is as
// frequent as any other.
func (q *problem) ways(most int) [][]int {
	all := 1
	for _, left := range q.left {
		all = min(all*len(left), most+1)
	}
	ways := make([][]int, min(all, most))
	random := rand.New(rand.NewPCG(uint64(len(q.words)), 0))
	from, every := 0, 1
	for _, left := range q.left {
		var next []int
		for i := range ways {
			w := i / every % len(left)
			if all > most {
				if len(next) == 0 {
					next = random.Perm(len(left))
				}
				w, next = next[0], next[1:]
			}
			ways[i] = append(ways[i], from+w)
		}
		from += len(left)
		every *= len(left)
	}
	return ways
}
