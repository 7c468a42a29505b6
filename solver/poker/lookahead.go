package poker

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fivefold/game/pokle"
)

// search looks ahead to the end of games among a few boards of one deal, by branch and bound. The value of a set of
// boards is the least total of guesses that finds each of them if only boards of the set are guessed. Boards that are
// alike are of one kind: a game accepts them in place of each other. A board that is not found counts as one guess
// more. So:
//
//   - A set of n boards costs at least 2n − k, where k is the size of its largest kind:
//     each board costs one guess, and all but k of them another.
//   - It costs exactly that if one guess is left or all boards are alike.
//
// A guess on n boards costs n plus the values of its classes. Guesses are tried in the order of 2·Σx² + n·(least
// cost), with the sizes x of their classes. A guess that cannot cost less than the best is skipped. A search is for
// one goroutine.
type search struct {
	ctx     context.Context
	work    int64 // comparisons of two boards that may still be made
	stopped bool  // no work is left, or ctx has ended; results mean nothing
	checked int64 // the work that was left when ctx was last checked

	boards []pokle.Board
	kind   []uint16 // by board, the first board that is alike
	table  []uint8  // by guess and hidden board, the feedback
	beam   int      // the number of guesses tried on a set; 0 means all

	counts   [256]int32 // by feedback; zero between uses, as is kindSize
	kindSize []int32    // by kind
	stack    []option
	open     []openClass
	pool     []uint16
}

// option is a guess on a set.
type option struct {
	guess uint16
	least int // a lower bound of its cost
	order int // a lower one is tried first
}

// openClass is a class to be searched, with a lower bound of its value.
type openClass struct {
	set   []uint16
	least int
}

// splitWork is the work of sorting a board into its class, in comparisons.
const splitWork = 6

// newSearch prepares a search. Scoring each pair of boards is not counted as work.
func newSearch(ctx context.Context, boards []pokle.Board, work int64) *search {
	n := len(boards)
	s := &search{boards: boards, kind: make([]uint16, n), table: make([]uint8, n*n), kindSize: make([]int32, n)}
	s.allow(ctx, work)
	first := map[pokle.Likeness]uint16{}
	for i, b := range boards {
		if _, known := first[b.Likeness()]; !known {
			first[b.Likeness()] = uint16(i)
		}
		s.kind[i] = first[b.Likeness()]
	}
	for i, b := range boards {
		row := s.row(uint16(i))
		for j, h := range boards {
			row[j] = uint8(pokle.Score(b, h))
			if s.kind[i] == s.kind[j] {
				row[j] = uint8(pokle.AllGreen)
			}
		}
	}
	return s
}

func (s *search) row(guess uint16) []uint8 {
	n := len(s.boards)
	return s.table[int(guess)*n:][:n]
}

// spend uses up work and reports whether the search may go on.
func (s *search) spend(work int) bool {
	const often = 1 << 18 // comparisons take less than a millisecond
	s.work -= int64(work)
	if s.checked-s.work > often {
		s.checked = s.work
		s.stopped = s.stopped || s.ctx.Err() != nil
	}
	s.stopped = s.stopped || s.work < 0
	return !s.stopped
}

// all returns the set of all boards.
func (s *search) all() []uint16 {
	set := make([]uint16, len(s.boards))
	for i := range set {
		set[i] = uint16(i)
	}
	return set
}

// largestKind returns the size of the set's largest kind.
func (s *search) largestKind(set []uint16) int {
	most := int32(0)
	for _, b := range set {
		s.kindSize[s.kind[b]]++
		most = max(most, s.kindSize[s.kind[b]])
	}
	for _, b := range set {
		s.kindSize[s.kind[b]] = 0
	}
	return int(most)
}

// value returns the value of the set if that is less than beta, else a number of at least beta. At least two guesses
// must be left.
func (s *search) value(set []uint16, left, beta int) int {
	n := len(set)
	if n == 1 {
		return 1
	}
	most := s.largestKind(set)
	if least := 2*n - most; most == n || n == 2 || least >= beta {
		return least
	}
	from := len(s.stack)
	defer func() { s.stack = s.stack[:from] }()
	if s.options(set, most, beta); s.stopped {
		return beta
	}
	options := s.stack[from:]
	if s.beam > 0 && len(options) > s.beam {
		options = options[:s.beam]
	}
	for _, o := range options {
		if o.least < beta {
			beta = min(beta, s.cost(set, s.row(o.guess), left, beta))
		}
	}
	return beta
}

// options pushes the guesses that may cost less than beta, in the order to try them. At least
// two guesses must be left.
func (s *search) options(set []uint16, most, beta int) {
	n := len(set)
	if !s.spend(n * n) {
		return
	}
	from := len(s.stack)
	for _, g := range set {
		row := s.row(g)
		// A class of x boards costs 1 for each of the first `most`, then 2.
		squares, least := 0, n
		for _, b := range set {
			x := int(s.counts[row[b]])
			s.counts[row[b]]++
			squares += 2*x + 1
			least++
			if x >= most {
				least++
			}
		}
		found := int(s.counts[pokle.AllGreen])
		least -= found // never more than `most`
		squares -= found * found
		for _, b := range set {
			s.counts[row[b]] = 0
		}
		if least < beta {
			s.stack = append(s.stack, option{g, least, 2*squares + n*least})
		}
	}
	slices.SortFunc(s.stack[from:], func(a, b option) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.guess, b.guess))
	})
}

// cost returns the cost of a guess if that is less than beta, else a number of at least beta. row has the guess's
// feedback by board.
func (s *search) cost(set []uint16, row []uint8, left, beta int) int {
	if !s.spend(len(set) * splitWork) {
		return beta
	}
	from, fromOpen := len(s.pool), len(s.open)
	defer func() { s.pool, s.open = s.pool[:from], s.open[:fromOpen] }()
	s.pool = append(s.pool, set...)
	sorted := s.pool[from:]
	slices.SortStableFunc(sorted, func(a, b uint16) int { return cmp.Compare(row[a], row[b]) })
	total := len(set)
	for len(sorted) > 0 {
		x := 1
		for x < len(sorted) && row[sorted[x]] == row[sorted[0]] {
			x++
		}
		class := sorted[:x:x]
		sorted = sorted[x:]
		switch {
		case row[class[0]] == uint8(pokle.AllGreen):
		case left == 1: // each counts as one guess more
			total += x
		default:
			most := s.largestKind(class)
			total += 2*x - most
			if x > 2 && most < x && left > 2 {
				s.open = append(s.open, openClass{class, 2*x - most})
			}
		}
	}
	// The largest class exceeds beta soonest.
	open := s.open[fromOpen:]
	slices.SortStableFunc(open, func(a, b openClass) int { return cmp.Compare(len(b.set), len(a.set)) })
	for _, c := range open {
		if total >= beta {
			break
		}
		total += s.value(c.set, left-1, beta-total+c.least) - c.least
		if s.stopped {
			return beta
		}
	}
	return total
}

// rootMove is a first guess with its total of guesses.
type rootMove struct {
	guess  uint16
	total  int
	proven bool // no guess has a smaller total
}

// quickGuesses is the number of guesses that are searched with a beam of one before the full
// search.
const quickGuesses = 8

// best returns the guess with the least total. If the work is used up or ctx ends before that, it
// returns the best guess so far; the guess that looks best is always searched.
func (s *search) best(left int) rootMove {
	set := s.all()
	most := s.largestKind(set)
	if left == 1 { // the bounds of options are for two or more
		for _, b := range set {
			if total := s.cost(set, s.row(b), left, math.MaxInt); total == 2*len(set)-most {
				return rootMove{guess: b, total: total, proven: true}
			}
		}
	}
	work, ctx := s.work, s.ctx
	s.allow(context.Background(), math.MaxInt64)
	s.options(set, most, math.MaxInt)
	options := slices.Clone(s.stack)
	s.stack = s.stack[:0]
	best := rootMove{total: math.MaxInt}
	try := func(options []option) {
		for _, o := range options {
			if o.least >= best.total {
				continue
			}
			if total := s.cost(set, s.row(o.guess), left, best.total); !s.stopped && total < best.total {
				best = rootMove{guess: o.guess, total: total}
			}
		}
	}
	s.beam = 1
	try(options[:1])
	s.allow(ctx, work)
	try(options[1:min(len(options), quickGuesses)])
	s.beam = 0
	try(options)
	best.proven = !s.stopped
	return best
}

// total returns the total of a guess in a game without a limit. row has the guess's feedback by board. exact reports
// that no smaller total is possible.
func (s *search) total(row []uint8) (total int, exact bool) {
	set := s.all()
	if total = s.cost(set, row, len(set)+1, math.MaxInt); !s.stopped {
		return total, true
	}
	s.allow(context.Background(), math.MaxInt64)
	s.beam = 1
	return s.cost(set, row, len(set)+1, math.MaxInt), false
}

// allow sets the work that the search has from now on.
func (s *search) allow(ctx context.Context, work int64) {
	s.ctx, s.work, s.checked = ctx, work, work
	s.stopped = work <= 0 || ctx.Err() != nil
}
