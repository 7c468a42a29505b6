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
	opener  func() wordle.Word
}

// New returns a solver for the lists. It costs nothing until it is used.
func New(lists *wordle.Lists) *Solver {
	s := &Solver{lists: lists, lexicon: sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Of(lists) })}
	s.opener = sync.OnceValue(func() wordle.Word {
		q := &problem{Lexicon: s.lexicon(), open: []int{0}, left: [][]wordle.Word{lists.Answers()}}
		return q.Guesses[q.rank()[0].guess]
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
	Word     wordle.Word
	Expected float64 // guesses from now until all boards are found, on average, with Word next
	Proven   bool    // Expected is exact, and no word that may be suggested has a smaller one
	Left     []int   // by board, how many words are possible; 0 if it is found
	Possible []int   // the boards, from 0, on which Word is possible
}

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
	q, err := s.newProblem(p)
	if err != nil {
		return nil, err
	}
	permit, err := s.Permits.Acquire(ctx, parallel.Search)
	if err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	defer permit.Release()
	ranked := q.rank()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("choosing a guess: %w", err)
	}
	var best []Suggestion
	for _, c := range ranked[:min(len(ranked), max(k, 1))] {
		best = append(best, q.suggestion(c))
	}
	return best, nil
}

// problem is a position as a search sees it.
type problem struct {
	*lexicon.Lexicon
	boards int
	open   []int           // the numbers of the boards that are open
	left   [][]wordle.Word // by open board, the words that are possible
	never  map[wordle.Word]bool
}

// newProblem finds out what is possible in a position.
func (s *Solver) newProblem(p Position) (*problem, error) {
	q := &problem{Lexicon: s.lexicon(), boards: len(p.Boards), never: map[wordle.Word]bool{}}
	for _, w := range p.Never {
		q.never[w] = true
	}
	for b, turns := range p.Boards {
		if n := len(turns); n > 0 && turns[n-1].Feedback == wordle.AllGreen {
			continue
		}
		left := s.remaining(turns)
		if len(left) == 0 {
			return nil, fmt.Errorf("board %d: %w", b+1, ErrNothingFits)
		}
		for _, t := range turns {
			q.never[t.Guess] = true
		}
		q.open = append(q.open, b)
		q.left = append(q.left, left)
	}
	if len(q.open) == 0 {
		return nil, ErrAllFound
	}
	return q, nil
}

// remaining returns the answers that fit the turns of a board or, if none does, the guesses that do.
func (s *Solver) remaining(turns []wordle.Turn) []wordle.Word {
	for _, list := range [][]wordle.Word{s.lists.Answers(), s.lists.Guesses()} {
		left := slices.DeleteFunc(slices.Clone(list), func(w wordle.Word) bool { return !lexicon.Fits(w, turns) })
		if len(left) > 0 {
			return left
		}
	}
	return nil
}

// suggestion returns a candidate with its figures.
func (q *problem) suggestion(c candidate) Suggestion {
	s := Suggestion{Word: q.Guesses[c.guess], Expected: c.expected, Left: make([]int, q.boards)}
	for i, left := range q.left {
		s.Left[q.open[i]] = len(left)
		if _, possible := slices.BinarySearchFunc(left, s.Word, wordle.Word.Compare); possible {
			s.Possible = append(s.Possible, q.open[i])
		}
	}
	return s
}

// better orders candidates: the best comes first.
func better(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.expected, b.expected), cmp.Compare(a.guess, b.guess))
}
