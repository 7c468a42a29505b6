package solver

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"fivefold/game/wordle"
)

//go:generate go run fivefold/cmd/fivefold tree --limit 0 -o trees/easy/slate.tree
//go:generate go run fivefold/cmd/fivefold tree --hard -o trees/hard/salet.tree
//go:generate go test -run BuiltInOpeners -update -timeout 3h
//go:generate go test -run SecondGuesses -prove 1h -timeout 3h

// builtIn has trees of the built-in lists, the totals of all openers, and second guesses. Go generate takes
// about an hour on two cores to find the best openers, to prove that they are the best, and to
// find the totals. Second guesses that are on record stay. The best easy tree is made without a limit; a test checks that it needs no more
// than six guesses.
//
// The other trees are those of openers that people like, which go test -run OpenerTrees -update
// writes. They have no limit, except where six guesses suffice in hard mode.
//
//go:embed trees
var builtIn embed.FS

// folder returns the name for files of the mode.
func folder(hard bool) string {
	if hard {
		return "hard"
	}
	return "easy"
}

// bestOpener returns the opener of the best tree.
func bestOpener(hard bool) wordle.Word {
	if hard {
		return wordle.MustParse("salet")
	}
	return wordle.MustParse("slate")
}

// readBuiltIn reads a built-in file, and returns nil if it was made for other lists than the
// solver's. The error means that the file is damaged.
func readBuiltIn[T any](s *Solver, name string, read func(file []byte) (*T, error)) (*T, error) {
	file, err := builtIn.ReadFile("trees/" + name)
	if err != nil {
		return nil, fmt.Errorf("the built-in files: %w", err)
	}
	// The checksum of the lists comes first, and reading all of a file takes longer.
	if !bytes.HasPrefix(file, []byte(`{"lists":"`+checksum(s.lists)+`"`)) {
		return nil, nil
	}
	v, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("the built-in file %s: %w", name, err)
	}
	return v, nil
}

// openerTree returns the built-in tree that begins with the word, or nil if there is none.
// It is read when it is first needed.
func (s *Solver) openerTree(hard bool, opener wordle.Word) (*Tree, error) {
	name := folder(hard) + "/" + strings.ToLower(opener.String()) + ".tree"
	if _, err := fs.Stat(builtIn, "trees/"+name); err != nil {
		return nil, nil
	}
	read, ok := s.openerTrees.Load(name)
	if !ok {
		read, _ = s.openerTrees.LoadOrStore(name, sync.OnceValues(func() (*Tree, error) { return readBuiltIn(s, name, s.readTree) }))
	}
	return read.(func() (*Tree, error))()
}
