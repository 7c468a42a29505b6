package trees

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
)

// Why a file is refused.
var (
	ErrNoTree     = errors.New("not a tree of this program, or damaged")
	ErrOtherLists = errors.New("the tree was made for other word lists")
)

// New returns the tree of t's plan. The caller sets the other exported fields but Lists. The error is [ErrNoTree] if
// the plan does not find every word of the lists as the fields promise.
func New(lists *wordle.Lists, t Tree) (*Tree, error) {
	t.Lists = Checksum(lists)
	if err := t.build(lists); err != nil {
		return nil, err
	}
	return &t, nil
}

// Read reads a tree for the lists. It plays the plan to check that the tree finds every word. The error is
// [ErrNoTree], [ErrOtherLists] or the reader's.
func Read(lists *wordle.Lists, r io.Reader) (*Tree, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading a tree: %w", err)
	}
	return parse(lists, b)
}

func parse(lists *wordle.Lists, b []byte) (*Tree, error) {
	t := new(Tree)
	switch {
	case json.Unmarshal(b, t) != nil || len(t.Plan) == 0:
		return nil, ErrNoTree
	case t.Lists != Checksum(lists):
		return nil, ErrOtherLists
	}
	if err := t.build(lists); err != nil {
		return nil, err
	}
	return t, nil
}

// Checksum returns the checksum of the lists as files have it.
func Checksum(lists *wordle.Lists) string { return fmt.Sprintf("%x", lists.Checksum()) }

// build makes the nodes from the plan. The error is [ErrNoTree] if the plan does not find every
// word as the tree promises.
func (t *Tree) build(lists *wordle.Lists) error {
	t.lists = lists
	rest := t.Plan
	t.Node = t.node(&rest, lists.Answers(), nil)
	if t.Node == nil || len(rest) > 0 || t.Least > t.Total || t.LeastOfAll > t.Least || t.Limit > 0 && t.Height > t.Limit {
		return ErrNoTree
	}
	return nil
}

// node takes guesses from the rest of the plan and makes the node for the words after the turns, with the nodes below
// it. It returns nil if the plan is invalid.
func (t *Tree) node(rest *[]wordle.Word, words []wordle.Word, turns []wordle.Turn) *Node {
	n := &Node{Guess: words[0], Words: len(words), Total: len(words), Height: 1}
	if len(words) > 2 || len(turns) == 0 {
		if len(*rest) == 0 {
			return nil
		}
		n.Guess, *rest = (*rest)[0], (*rest)[1:]
	}
	if !t.lists.CanGuess(n.Guess) || wordle.CheckClues(t.Hard, turns, n.Guess) != nil {
		return nil
	}
	for f, class := range partition.Classes(n.Guess, words) {
		turn := wordle.Turn{Guess: n.Guess, Feedback: wordle.Feedback(f)}
		if len(class) == 0 || turn.Feedback == wordle.AllGreen {
			continue
		}
		below := t.node(rest, class, append(turns[:len(turns):len(turns)], turn))
		if below == nil {
			return nil
		}
		n.next = append(n.next, edge{turn.Feedback, below})
		n.Total += below.Total
		n.Height = max(n.Height, 1+below.Height)
	}
	return n
}
