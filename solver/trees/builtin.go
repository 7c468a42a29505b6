// Package trees has plans for whole games of the word game, as files: what was proven beforehand, so that a solver
// looks it up.
package trees

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"fivefold/game/wordle"
)

// files has trees of the built-in lists, the totals of all openers, and second guesses. The best easy tree is made
// without a limit; a test checks that it needs no more than six guesses. The other trees are those of openers that
// people like. They have no limit, except where six guesses suffice in hard mode.
//
//go:embed easy hard *.openers *.seconds
var files embed.FS

// Folder returns the name for files of the mode.
func Folder(hard bool) string {
	if hard {
		return "hard"
	}
	return "easy"
}

// BestOpener returns the opener of the best tree of the built-in lists.
func BestOpener(hard bool) wordle.Word {
	if hard {
		return wordle.MustParse("salet")
	}
	return wordle.MustParse("slate")
}

// BuiltIn reads the built-in files when they are first needed. For other lists than those of the files it has nothing.
// An error means that a file is damaged. It is safe for concurrent use.
type BuiltIn struct {
	lists *wordle.Lists
	read  sync.Map // by file, functions that read it once
}

// Of returns the built-in files for the lists.
func Of(lists *wordle.Lists) *BuiltIn { return &BuiltIn{lists: lists} }

// Tree returns the tree that begins with the word, or nil.
func (b *BuiltIn) Tree(hard bool, opener wordle.Word) (*Tree, error) {
	name := Folder(hard) + "/" + strings.ToLower(opener.String()) + ".tree"
	if _, err := fs.Stat(files, name); err != nil {
		return nil, nil
	}
	return once(b, name, parse)
}

// Openers returns the totals of all openers, or nil.
func (b *BuiltIn) Openers(hard bool) (*Openers, error) {
	return once(b, Folder(hard)+".openers", ReadOpeners)
}

// Seconds returns the best second guesses, or nil.
func (b *BuiltIn) Seconds(hard bool) (*Seconds, error) {
	return once(b, Folder(hard)+".seconds", ReadSeconds)
}

// once reads a file when it is first asked for; it returns nil if the file was made for other lists.
func once[T any](b *BuiltIn, name string, read func(lists *wordle.Lists, file []byte) (*T, error)) (*T, error) {
	first, ok := b.read.Load(name)
	if !ok {
		first, _ = b.read.LoadOrStore(name, sync.OnceValues(func() (*T, error) {
			file, err := files.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("the built-in files: %w", err)
			}
			// The checksum of the lists comes first, and reading all of a file takes longer.
			if !bytes.HasPrefix(file, []byte(`{"lists":"`+Checksum(b.lists)+`"`)) {
				return nil, nil
			}
			v, err := read(b.lists, file)
			if err != nil {
				return nil, fmt.Errorf("the built-in file %s: %w", name, err)
			}
			return v, nil
		}))
	}
	return first.(func() (*T, error))()
}
