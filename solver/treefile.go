package solver

import (
	"errors"
	"fmt"
	"io"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// The checked file of a tree holds little more than a number for each guess: 1 for hard mode or
// 0, the limit, least, leastOfAll, the number of guesses, and the guesses, by their indexes in
// the list. The rest follows from the lists.
//
// The guesses are the opener and those for sets of three words or more: first the one for
// the set, then those for its classes, ordered by feedback. Of one or two words the first is
// guessed first.
const treeMagic = "fivefold tree 1\n"

// maxTreeFile is more bytes than any tree needs.
const maxTreeFile = 64 << 20

// Why a file is refused.
var (
	ErrNoTree     = errors.New("not a tree of this program, or damaged")
	ErrOtherLists = errors.New("the tree was made for other word lists")
)

// WriteTo writes the tree in the form that [Solver.ReadTree] reads.
func (t *Tree) WriteTo(w io.Writer) (int64, error) {
	indexes := map[wordle.Word]uint64{}
	for i, w := range t.lists.Guesses() {
		indexes[w] = uint64(i)
	}
	plan := t.plan(nil, 0)
	numbers := []uint64{number(t.Hard), uint64(t.Limit), uint64(t.Least), uint64(t.LeastOfAll), uint64(len(plan))}
	for _, guess := range plan {
		numbers = append(numbers, indexes[guess])
	}
	n, err := w.Write(New(t.lists).file(treeMagic, numbers))
	return int64(n), err
}

// plan appends the guesses that a file has for the node and the nodes below.
func (t *Tree) plan(guesses []wordle.Word, number int32) []wordle.Word {
	n := t.nodes[number]
	if n.words > 2 || number == 0 {
		guesses = append(guesses, n.guess)
	}
	for _, e := range t.edges[n.first:][:n.edges] {
		guesses = t.plan(guesses, e.to)
	}
	return guesses
}

// ReadTree reads a tree for the solver's lists that [Tree.WriteTo] wrote. The error is
// [ErrNoTree], [ErrOtherLists] or the reader's.
func (s *Solver) ReadTree(r io.Reader) (*Tree, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxTreeFile))
	if err != nil {
		return nil, fmt.Errorf("reading a tree: %w", err)
	}
	return s.readTree(b)
}

func (s *Solver) readTree(b []byte) (*Tree, error) {
	numbers, err := s.checked(b, treeMagic, ErrNoTree)
	if err != nil {
		return nil, err
	}
	next := numbers.next
	t := &Tree{Hard: next(2) == 1, Limit: next(maxHeight), Least: next(impossible), LeastOfAll: next(impossible)}
	guesses := s.lists.Guesses()
	plan := make([]wordle.Word, next(len(numbers.left)+1))
	for i := range plan {
		plan[i] = guesses[next(len(guesses))]
	}
	if err := numbers.end(); err != nil {
		return nil, err
	}
	if err := t.build(s.lists, plan); err != nil {
		return nil, err
	}
	return t, nil
}

// maxHeight is more guesses than any tree needs: each excludes a word.
const maxHeight = 1 << 16

// build makes the nodes from a plan in the order of a file. The error is [ErrNoTree] if the
// plan does not find every word as the tree promises.
func (t *Tree) build(lists *wordle.Lists, plan []wordle.Word) error {
	t.lists = lists
	b := builder{Tree: t, plan: plan}
	root, ok := b.node(lists.Answers(), nil)
	if !ok || root != 0 || len(b.plan) > 0 || t.Least > t.Total() || t.LeastOfAll > t.Least || t.Limit > 0 && t.Height() > t.Limit {
		return ErrNoTree
	}
	return nil
}

type builder struct {
	*Tree
	plan []wordle.Word // not used yet
}

// node makes the node for the words after the turns, and the nodes below it. It returns
// false if the plan is not one.
func (b *builder) node(words []wordle.Word, turns []wordle.Turn) (number int32, ok bool) {
	guess := words[0]
	if len(words) > 2 || len(turns) == 0 {
		if len(b.plan) == 0 {
			return 0, false
		}
		guess, b.plan = b.plan[0], b.plan[1:]
	}
	if b.Hard && wordle.CheckHard(turns, guess) != nil {
		return 0, false
	}
	classes := partition.Classes(guess, words)
	n := node{guess: guess, words: int32(len(words)), total: int32(len(words)), height: 1, first: int32(len(b.edges))}
	number = int32(len(b.nodes))
	b.nodes = append(b.nodes, n)
	for f := range classes[:wordle.AllGreen] {
		if len(classes[f]) > 0 {
			b.edges = append(b.edges, edge{feedback: wordle.Feedback(f)})
			n.edges++
		}
	}
	for i := range n.edges {
		e := &b.edges[n.first+i]
		below := classes[e.feedback]
		if len(below) == len(words) {
			return 0, false // the guess does not split the words
		}
		to, ok := b.node(below, append(turns[:len(turns):len(turns)], wordle.Turn{Guess: guess, Feedback: e.feedback}))
		if !ok {
			return 0, false
		}
		b.edges[n.first+i].to = to
		n.total += b.nodes[to].total
		n.height = max(n.height, 1+b.nodes[to].height)
	}
	b.nodes[number] = n
	return number, true
}
