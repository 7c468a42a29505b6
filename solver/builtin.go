package solver

import (
	"embed"
	"errors"
	"fmt"
)

//go:generate go run fivefold/cmd/fivefold tree --limit 0 -o trees/easy.tree
//go:generate go run fivefold/cmd/fivefold tree --hard -o trees/hard.tree

// trees are those of the built-in lists. To find the best openers, and to prove
// that they are, takes go generate some twenty minutes on two cores. The easy tree
// is made for any number of guesses; that it needs no more than six is tested.
//
//go:embed trees/*.tree
var trees embed.FS

// builtInTrees returns the built-in trees if the solver has the lists that they
// were made for, and otherwise none. An error means that the program was built
// from damaged files.
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
