package solver

import (
	"embed"
	"errors"
	"fmt"
)

//go:generate go run fivefold/cmd/fivefold tree --limit 0 -o trees/easy.tree
//go:generate go run fivefold/cmd/fivefold tree --hard -o trees/hard.tree

// trees are those of the built-in lists. Go generate takes about twenty minutes on two
// cores to find the best openers and prove that they are the best. The easy tree is made
// without a limit; a test checks that it needs no more than six guesses.
//
//go:embed trees/*.tree
var trees embed.FS

// builtInTrees returns the built-in trees, or none if they were made for other lists than
// the solver's. An error means that the built-in files are damaged.
func (s *Solver) builtInTrees() ([]*Tree, error) {
	var found []*Tree
	for _, name := range []string{"easy", "hard"} {
		file, err := trees.Open("trees/" + name + ".tree")
		if err != nil {
			return nil, fmt.Errorf("the built-in trees: %w", err)
		}
		t, err := s.ReadTree(file)
		if errors.Is(err, ErrOtherLists) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the built-in tree %s: %w", name, err)
		}
		found = append(found, t)
	}
	return found, nil
}
