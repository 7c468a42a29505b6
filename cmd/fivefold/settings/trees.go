package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fivefold/game/wordle"
	"fivefold/solver"
)

// ReadTrees reads files that the subcommand tree wrote for these lists. Their names
// are separated by commas.
func ReadTrees(lists *wordle.Lists, files string) ([]*solver.Tree, error) {
	var trees []*solver.Tree
	s := solver.New(lists)
	for name := range strings.SplitSeq(files, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		t, err := readTree(s, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}

func readTree(s *solver.Solver, name string) (*solver.Tree, error) {
	file, err := os.Open(name)
	var path *fs.PathError
	if errors.As(err, &path) {
		return nil, path.Err
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was only read
	return s.ReadTree(file)
}
