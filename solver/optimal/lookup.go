package optimal

import (
	"cmp"
	"errors"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
	"fivefold/solver/trees"
)

// errOffTree means that no tree has the position.
var errOffTree = errors.New("the position is on no tree")

// found is what a tree says about a position.
type found struct {
	candidate
	best bool // proven: no other guess has a smaller total
}

// lookUp returns what a tree or the second guesses say, or errOffTree. Of the problem it uses only the
// lexicon and the words.
func (s *Solver) lookUp(p Position, q *problem) (found, error) {
	opener := trees.BestOpener(p.Hard)
	if len(p.Turns) > 0 {
		opener = p.Turns[0].Guess
	}
	builtIn, err := s.builtIn.Tree(p.Hard, opener)
	if err != nil {
		return found{}, err
	}
	all := s.trees
	if builtIn != nil {
		all = append(all, builtIn)
	}
	for _, t := range all {
		n, ok := t.Find(p.Turns)
		if !ok || t.Hard != p.Hard || !suits(t, n.Height, p) {
			continue
		}
		c := q.known(n.Guess, n.Total)
		if t.Proven() {
			c.least = c.total
		}
		// In a proven tree every guess after the opener is the best, whatever the opener.
		return found{c, t.OpenerProven() || t.Proven() && len(p.Turns) > 0}, nil
	}
	if len(p.Turns) != 1 || p.Limit != wordle.Attempts {
		return found{}, errOffTree
	}
	t, err := s.builtIn.Seconds(p.Hard)
	if err != nil || t == nil {
		return found{}, cmp.Or(err, errOffTree)
	}
	best, total := t.Find(s.lists.Answers(), p.Turns[0])
	if best == 0 {
		return found{}, errOffTree
	}
	c := q.known(best, total)
	c.least = c.total
	return found{c, true}, nil
}

// known returns a guess with a known total.
func (q *problem) known(guess wordle.Word, total int) candidate {
	g := q.Numbers([]wordle.Word{guess})[0]
	_, own := slices.BinarySearchFunc(q.words, guess, wordle.Word.Compare)
	return candidate{guess: g, own: own, familiar: q.Familiar[g], Split: partition.SplitBy(guess, q.words), total: int32(total)}
}

// onTree returns what a tree suggests, or errOffTree.
func (s *Solver) onTree(p Position) (Suggestion, error) {
	q := problem{Lexicon: s.lexicon(), words: s.Remaining(p.Turns)}
	found, err := s.lookUp(p, &q)
	if err != nil {
		return Suggestion{}, err
	}
	return q.suggestion(found.candidate, found.best), nil
}

// suits reports whether the tree is for the position's limit, when it needs up to height guesses from there. A tree
// without a limit is the best for every limit that it keeps.
func suits(t *trees.Tree, height int, p Position) bool {
	if t.Limit == 0 {
		return p.Limit == 0 || height <= p.Limit-len(p.Turns)
	}
	return p.Limit == t.Limit
}
