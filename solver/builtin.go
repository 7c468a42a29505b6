package solver

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"fivefold/game/wordle"
)

//go:generate go run fivefold/cmd/fivefold tree --limit 0 -o trees/easy.tree
//go:generate go run fivefold/cmd/fivefold tree --hard -o trees/hard.tree

// trees are those of the built-in lists. Go generate takes about twenty minutes on two
// cores to find the best openers and prove that they are the best. The easy tree is made
// without a limit; a test checks that it needs no more than six guesses.
//
// The folders have trees of openers that people like, which go test -run OpenerTrees -update
// writes. They have no limit, except where six guesses suffice in hard mode.
//
//go:embed trees/*.tree trees/easy trees/hard
var trees embed.FS

// builtInTrees returns the built-in trees, or none if they were made for other lists than
// the solver's. An error means that the built-in files are damaged.
func (s *Solver) builtInTrees() ([]*Tree, error) {
	var found []*Tree
	for _, hard := range []bool{false, true} {
		t, err := s.builtInTree(folder(hard) + ".tree")
		if err != nil || t == nil {
			return nil, err
		}
		found = append(found, t)
	}
	return found, nil
}

// folder returns the name for trees of the mode.
func folder(hard bool) string {
	if hard {
		return "hard"
	}
	return "easy"
}

// builtInTree reads a tree, which is nil if it was made for other lists than the solver's.
func (s *Solver) builtInTree(name string) (*Tree, error) {
	file, err := trees.Open("trees/" + name)
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
	return t, nil
}

// openerTree returns the built-in tree that begins with the word, or nil if there is none.
// It is read when it is first needed.
func (s *Solver) openerTree(hard bool, opener wordle.Word) (*Tree, error) {
	name := folder(hard) + "/" + strings.ToLower(opener.String()) + ".tree"
	if _, err := fs.Stat(trees, "trees/"+name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	read, ok := s.openerTrees.Load(name)
	if !ok {
		read, _ = s.openerTrees.LoadOrStore(name, sync.OnceValues(func() (*Tree, error) { return s.builtInTree(name) }))
	}
	return read.(func() (*Tree, error))()
}
