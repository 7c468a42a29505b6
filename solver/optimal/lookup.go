package optimal

import (
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/partition"
	"fivefold/solver/trees"
)

// found is what a tree says about a position.
type found struct {
	candidate
	best bool // proven: no other guess has a smaller total
}

// lookUp returns what a tree or the second guesses say, and whether they have the position. Of the problem it uses only
// the lexicon and the words.
func (s *Solver) lookUp(p Position, q *problem) (f found, ok bool) {
	opener := trees.BestOpener(p.Hard)
	if len(p.Turns) > 0 {
		opener = p.Turns[0].Guess
	}
	all := s.trees
	if builtIn := s.builtIn.Tree(p.Hard, opener); builtIn != nil {
		all = append(all, builtIn)
	}
	for _, t := range all {
		n, ok := t.Find(p.Turns)
		if !ok || t.Hard != p.Hard || !suits(t, n.Height, p) {
			continue
		}
		// In a proven tree every guess after the opener is the best, whatever the opener.
		return q.known(n.Guess, n.Total, t.Proven(), t.OpenerProven() || t.Proven() && len(p.Turns) > 0), true
	}
	if len(p.Turns) == 1 && p.Limit == wordle.Attempts {
		if second, ok := s.builtIn.SecondGuesses()[trees.First{Turn: p.Turns[0], Hard: p.Hard}]; ok {
			return q.known(second.Guess, int(second.Total), true, true), true
		}
	}
	return found{}, false
}

// known returns a guess with its total. exact says that the total is the least for the guess, best that no guess is
// better.
func (q *problem) known(guess wordle.Word, total int, exact, best bool) found {
	g := q.Numbers([]wordle.Word{guess})[0]
	_, own := slices.BinarySearchFunc(q.words, guess, wordle.Word.Compare)
	c := candidate{guess: g, own: own, familiar: q.Familiar[g], Split: partition.SplitBy(guess, q.words), total: int32(total)}
	if exact {
		c.least = c.total
	}
	return found{c, best}
}

// onTree returns what a tree suggests, and whether one has the position.
func (s *Solver) onTree(p Position) (Suggestion, bool) {
	q := problem{Lexicon: s.lexicon(), words: s.Remaining(p.Turns)}
	found, ok := s.lookUp(p, &q)
	if !ok {
		return Suggestion{}, false
	}
	return q.suggestion(found.candidate, found.best), true
}

// suits reports whether the tree is for the position's limit. height is the most guesses that it needs from there. A
// tree without a limit is the best for every limit that it keeps.
func suits(t *trees.Tree, height int, p Position) bool {
	if t.Limit == 0 {
		return p.Limit == 0 || height <= p.Limit-len(p.Turns)
	}
	return p.Limit == t.Limit
}
