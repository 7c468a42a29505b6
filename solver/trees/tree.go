package trees

import (
	"cmp"
	"slices"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Tree is a plan for a whole game: the first guess, and the next one after each feedback,
// until every hidden word of the lists is found. A tree is immutable and safe for
// concurrent use. The solver grows one, and [Read] reads one; its JSON is its file.
type Tree struct {
	// Lists is the checksum of the lists that the tree is for.
	Lists string `json:"lists"`
	// Hard is the mode that the guesses obey.
	Hard marks.Hardness `json:"hard"`
	// Limit is how many guesses a game may take; 0 means no limit.
	Limit int `json:"limit"`
	// Least is a proven lower bound of the total of every tree with the same opener, mode and limit. LeastOfAll is
	// one for trees with any opener.
	Least      int `json:"least"`
	LeastOfAll int `json:"leastOfAll"`
	// Plan are the opener and the guesses for sets of three words or more: first the one for the set, then those for
	// its classes, ordered by feedback. With one or two words left, the first is guessed. The rest of the tree
	// follows from the lists.
	Plan []wordle.Word `json:"plan"`

	*Node `json:"-"` // the first guess
	lists *wordle.Lists
}

// Node is a guess in a tree.
type Node struct {
	Guess  wordle.Word
	Words  int    // possible before the guess
	Total  int    // the sum of guesses for them from here, this one included
	Height int    // the most guesses needed from here
	next   []edge // ordered by feedback
}

// edge leads from a guess to the one after a feedback.
type edge struct {
	feedback wordle.Feedback
	*Node
}

// Proven reports whether no tree with the same opener is better.
func (t *Tree) Proven() bool { return t.Least == t.Total }

// OpenerProven reports whether no tree with any opener is better.
func (t *Tree) OpenerProven() bool { return t.LeastOfAll == t.Total }

// after returns the node after the feedback for n's guess, if there is one.
func (n *Node) after(f wordle.Feedback) (*Node, bool) {
	i, ok := slices.BinarySearchFunc(n.next, f, func(e edge, f wordle.Feedback) int { return cmp.Compare(e.feedback, f) })
	if !ok {
		return nil, false
	}
	return n.next[i].Node, true
}

// Find returns the node after the turns, if they are on the tree.
func (t *Tree) Find(turns []wordle.Turn) (*Node, bool) {
	n, ok := t.Node, true
	for _, turn := range turns {
		if turn.Guess != n.Guess {
			return nil, false
		}
		if n, ok = n.after(turn.Feedback); !ok {
			return nil, false
		}
	}
	return n, true
}

// Distribution returns how many hidden words are found with 1, 2, … guesses from here; index 0
// is for one guess.
func (n *Node) Distribution() []int {
	games := make([]int, n.Height)
	found := n.Words // by the guess itself, unless they are below
	for _, e := range n.next {
		found -= e.Words
		for i, below := range e.Distribution() {
			games[i+1] += below
		}
	}
	games[0] = found
	return games
}
