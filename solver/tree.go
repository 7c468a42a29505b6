package solver

import (
	"cmp"
	"fmt"
	"slices"

	"fivefold/game/wordle"
)

// Tree is a plan for a whole game: the first guess, and the next one after each feedback,
// until every hidden word of the lists is found. A tree is immutable and safe for
// concurrent use. [Solver.Grow] and [Solver.ReadTree] make one.
type Tree struct {
	// Hard reports whether the guesses obey hard mode.
	Hard bool
	// Limit is how many guesses a game may take; 0 means no limit.
	Limit int
	// Least is a proven lower bound of the total of every tree with the same opener, mode
	// and limit, and LeastOfAll of every tree with any opener.
	Least, LeastOfAll int

	lists *wordle.Lists
	nodes []node // the first is the root
	edges []edge
}

// node is a guess in a tree.
type node struct {
	guess  wordle.Word
	words  int32 // that are possible before it
	total  int32 // the sum of guesses for them from here, this one included
	height int32 // the most guesses needed from here
	edges  int32 // how many edges it has, ordered by feedback
	first  int32 // the first of them
}

// edge leads from a guess to the one after a feedback.
type edge struct {
	feedback wordle.Feedback
	to       int32 // a node
}

// Words returns how many hidden words the tree is for.
func (t *Tree) Words() int { return int(t.nodes[0].words) }

// Opener returns the first guess.
func (t *Tree) Opener() wordle.Word { return t.nodes[0].guess }

// Total returns the sum of guesses for all hidden words.
func (t *Tree) Total() int { return int(t.nodes[0].total) }

// Height returns the most guesses that the tree needs.
func (t *Tree) Height() int { return int(t.nodes[0].height) }

// Proven reports whether no tree with the same opener is better.
func (t *Tree) Proven() bool { return t.Least == t.Total() }

// OpenerProven reports whether no tree with any opener is better.
func (t *Tree) OpenerProven() bool { return t.LeastOfAll == t.Total() }

// after returns the node after the feedback for n's guess, if there is one.
func (t *Tree) after(n *node, f wordle.Feedback) (*node, bool) {
	edges := t.edges[n.first:][:n.edges]
	i, ok := slices.BinarySearchFunc(edges, f, func(e edge, f wordle.Feedback) int { return cmp.Compare(e.feedback, f) })
	if !ok {
		return nil, false
	}
	return &t.nodes[edges[i].to], true
}

// find returns the node after the turns, if they are on the tree.
func (t *Tree) find(turns []wordle.Turn) (*node, bool) {
	n, ok := &t.nodes[0], true
	for _, turn := range turns {
		if turn.Guess != n.guess {
			return nil, false
		}
		if n, ok = t.after(n, turn.Feedback); !ok {
			return nil, false
		}
	}
	return n, true
}

// Play plays a game for each hidden word and returns how many were found with 1, 2, …
// guesses; index 0 is for one guess. An error describes a game that the tree could not
// play, which would be a bug.
func (t *Tree) Play() (distribution []int, err error) {
	distribution = make([]int, t.Height())
	var turns []wordle.Turn
	for _, hidden := range t.lists.Answers() {
		turns = turns[:0]
		n := &t.nodes[0]
		for {
			if t.Hard {
				if err := wordle.CheckHard(turns, n.guess); err != nil {
					return nil, fmt.Errorf("%v for %v: %w", n.guess, hidden, err)
				}
			}
			turn := wordle.Turn{Guess: n.guess, Feedback: wordle.Score(n.guess, hidden)}
			turns = append(turns, turn)
			if len(turns) > len(distribution) {
				return nil, fmt.Errorf("%v takes more than %d guesses", hidden, len(distribution))
			}
			if turn.Feedback == wordle.AllGreen {
				break
			}
			next, ok := t.after(n, turn.Feedback)
			if !ok {
				return nil, fmt.Errorf("%v for %v: the tree ends", n.guess, hidden)
			}
			n = next
		}
		distribution[len(turns)-1]++
	}
	return distribution, nil
}
