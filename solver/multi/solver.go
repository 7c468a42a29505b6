// Package multi finds good guesses for several boards that are played together: one guess goes on all boards that are
// still open, until all are found.
//
// The boards are independent of one another, and all words that fit a board are equally likely. solver/README.md
// describes how a guess is chosen, and what is proven.
package multi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
)

// Solver finds guesses for one pair of word lists. It is safe for concurrent use.
type Solver struct {
	// Permits limits how many searches run at a time; nil sets no limit. Solvers of one program should share a pool. It
	// must not be changed once the solver is in use.
	Permits *parallel.Permits

	lists   *wordle.Lists
	lexicon func() *lexicon.Lexicon // made when it is first needed
	openers func() []candidate      // all first guesses for one board, best first
	answers func() []wordle.Word    // those that people know best first: of equal guesses, an ending suggests the first
}

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver {
	s := &Solver{lists: lists, lexicon: sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) })}
	s.answers = sync.OnceValue(func() []wordle.Word {
		known := map[wordle.Word]int32{}
		if builtIn, err := wordle.Embedded(); err == nil { // otherwise in alphabetical order
			for i, weight := range builtIn.Weights() {
				known[builtIn.Guesses()[i]] = weight
			}
		}
		answers := slices.Clone(lists.Answers())
		slices.SortStableFunc(answers, func(a, b wordle.Word) int { return cmp.Compare(known[b], known[a]) })
		return answers
	})
	s.openers = sync.OnceValue(func() []candidate {
		q := problem{Lexicon: s.lexicon(), open: []int{0}, left: [][]wordle.Word{lists.Answers()}, words: lists.Answers(), limit: noLimit}
		return q.rank()
	})
	return s
}

// Position is what a player knows of a game.
type Position struct {
	Boards [][]wordle.Turn // by board, the guesses with their feedback; a board that is found ends with all green
	Limit  int             // how many guesses the game has, from its start; 0 for any number
	Never  []wordle.Word   // words that must not be suggested
}

// Suggestion is a word to guess next, with its figures.
type Suggestion struct {
	Word wordle.Word
	// Expected is how many guesses it takes on average from now until all boards are found, with Word next. A game that is
	// lost counts as [LossCost] guesses more than it had.
	Expected float64
	Proven   bool  // Expected is exact, and only words listed before have a smaller one
	Left     []int // by board, how many words are possible; 0 if it is found
	Possible []int // the boards, from 0, on which Word is possible
}

// LossCost is how many guesses more than it had a lost game counts.
const LossCost = 5

// Errors of [Solver.Suggest].
var (
	ErrNothingFits = errors.New("no word fits") // wrapped, with the board's number from 1
	ErrAllFound    = errors.New("all boards are found")
)

// Suggest returns up to k of the best guesses in a position, best first; k below 1 means 1. The work is bounded, not
// timed, so every machine suggests the same.
//
// The error is [ErrNothingFits], [ErrAllFound], [parallel.ErrBusy], or ctx's if it ends before there is an answer.
func (s *Solver) Suggest(ctx context.Context, p Position, k int) ([]Suggestion, error) {
	permit, err := s.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	defer permit.Release()
	q, best, proven, err := s.choose(ctx, p, max(k, 1), 0)
	if err != nil {
		return nil, err
	}
	all := make([]Suggestion, min(len(best), max(k, 1)))
	for i := range all {
		all[i] = q.suggestion(best[i], proven)
	}
	return all, nil
}

// choose returns the problem of a position and what [problem.choose] says of it. The guess made is judged too; zero is none.
func (s *Solver) choose(ctx context.Context, p Position, k int, made wordle.Word) (q *problem, best []candidate, proven bool, err error) {
	if q, err = s.newProblem(ctx, p); err != nil {
		return q, nil, false, err
	}
	if made != 0 {
		q.made, _ = q.Number(made)
	}
	best, proven = q.choose(k)
	if ctx.Err() != nil {
		err = fmt.Errorf("choosing a guess: %w", ctx.Err())
	}
	return q, best, proven, err
}

// Remaining returns how many words were possible before the first guess of a game and after each, on the boards that were open.
func (s *Solver) Remaining(state boards.State) (all []game.Possible) {
	for used := range state.Used() + 1 {
		var p game.Possible
		for _, turns := range state.Rewind(used).(boards.State).All() {
			if !found(turns) {
				p = append(p, len(s.remaining(turns)))
			}
		}
		all = append(all, p)
	}
	return all
}

// found reports whether the last turn found the board.
func found(turns []wordle.Turn) bool {
	return len(turns) > 0 && turns[len(turns)-1].Feedback == wordle.AllGreen
}

// problem is a position as a search sees it.
type problem struct {
	*Solver
	*lexicon.Lexicon
	boards int
	open   []int           // the numbers of the boards that are open
	left   [][]wordle.Word // by open board, the words that are possible
	words  []wordle.Word   // all of left
	never  map[wordle.Word]bool
	made   int32 // a guess to be judged, or -1
	first  bool  // nothing was guessed
	limit  int   // how many guesses are left
	stop   *atomic.Bool
}

const noLimit = 1 << 20

// newProblem finds out what is possible in a position.
func (s *Solver) newProblem(ctx context.Context, p Position) (*problem, error) {
	q := &problem{
		Solver: s, Lexicon: s.lexicon(), boards: len(p.Boards), never: map[wordle.Word]bool{},
		first: true, made: -1, limit: noLimit, stop: parallel.StopFlag(ctx),
	}
	for _, w := range p.Never {
		q.never[w] = true
	}
	for b, turns := range p.Boards {
		for _, t := range turns {
			q.never[t.Guess], q.first = true, false
		}
		if found(turns) {
			continue
		}
		left := s.remaining(turns)
		if len(left) == 0 {
			return nil, fmt.Errorf("board %d: %w", b+1, ErrNothingFits)
		}
		if p.Limit > len(turns) { // a lost game may go on
			q.limit = p.Limit - len(turns)
		}
		q.open, q.left, q.words = append(q.open, b), append(q.left, left), append(q.words, left...)
	}
	if len(q.open) == 0 {
		return nil, ErrAllFound
	}
	return q, nil
}

// remaining returns the answers that fit the turns of a board or, if none does, the guesses that do.
func (s *Solver) remaining(turns []wordle.Turn) []wordle.Word {
	for _, list := range [][]wordle.Word{s.answers(), s.lists.Guesses()} {
		left := slices.DeleteFunc(slices.Clone(list), func(w wordle.Word) bool { return !lexicon.Fits(w, turns) })
		if len(left) > 0 {
			return left
		}
	}
	return nil
}

// suggestion returns a candidate with its figures.
func (q *problem) suggestion(c candidate, proven bool) Suggestion {
	s := Suggestion{Word: q.Guesses[c.guess], Expected: c.expected, Proven: proven, Left: make([]int, q.boards)}
	for i, left := range q.left {
		s.Left[q.open[i]] = len(left)
		if slices.Contains(left, s.Word) {
			s.Possible = append(s.Possible, q.open[i])
		}
	}
	return s
}

// candidate is a guess that is considered.
type candidate struct {
	guess    int32 // its number in the lexicon
	expected float64
	outlook  outlook // only of a look one guess ahead
}

// byExpected orders candidates: the best comes first.
func byExpected(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.expected, b.expected), cmp.Compare(a.guess, b.guess))
}

// choose returns at least k of the best candidates, best first, if there are so many, and whether they are proven. The
// guess made is one of the candidates.
func (q *problem) choose(k int) ([]candidate, bool) {
	if q.first {
		openers := slices.DeleteFunc(slices.Clone(q.openers()), func(c candidate) bool { return q.never[q.Guesses[c.guess]] })
		for i, one := range openers {
			boards, sum := float32(len(q.left)), one.outlook
			sum = outlook{boards * sum.open, boards * sum.bits, boards * sum.variance}
			openers[i].expected = 1 + float64(sum.guesses(q.limit-1))
		}
		if len(q.left) == 2 {
			q.pairFirst(openers)
		}
		return openers, false
	}
	if len(q.words) <= endingWords {
		e := q.newEnding()
		for _, beam := range []int{0, endingBeam} {
			if best, ok := e.solve(k, beam); ok {
				return best, beam == 0
			}
		}
	}
	if len(q.left) == 2 && q.limit >= pairLimit {
		return q.pair(q.rank()), false
	}
	return q.lookahead(q.rank()), false
}
