// Package trees has plans for whole games of the word game, in files. They were proven beforehand, and a solver looks
// them up.
package trees

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"sync"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// files has trees of the built-in lists, and the totals of all openers. The best easy tree is made
// without a limit; a test checks that it needs no more than six guesses. The other trees are those of openers that
// people like. They have no limit, except where six guesses suffice in hard mode.
//
//go:embed off hard *.openers
var files embed.FS

// secondGuesses has the best second guesses after common openers without a tree, where more than 60 words are left.
//
//go:embed secondguesses.txt
var secondGuesses string

// BestOpener returns the opener of the best tree of the built-in lists.
func BestOpener(hard marks.Hardness) wordle.Word {
	return wordle.MustParse([...]string{marks.Off: "slate", marks.Hard: "salet", marks.Ultra: "slate"}[hard])
}

// BuiltIn reads the built-in files when they are first needed. The files were made for certain lists; other
// lists have no files. It panics if a file is damaged, which a test would have found. It is safe for concurrent use.
type BuiltIn struct {
	// SecondGuesses returns the best second guesses.
	SecondGuesses func() SecondGuesses

	lists *wordle.Lists
	known sync.Map // by file, what was read; nil if the file was made for other lists
}

// Of returns the built-in files for the lists.
func Of(lists *wordle.Lists) *BuiltIn {
	return &BuiltIn{lists: lists, SecondGuesses: sync.OnceValue(func() SecondGuesses {
		return ReadSecondGuesses(secondGuesses, Checksum(lists))
	})}
}

// Tree returns the tree that begins with the word, or nil.
func (b *BuiltIn) Tree(hard marks.Hardness, opener wordle.Word) *Tree {
	return once(b, hard.String()+"/"+strings.ToLower(opener.String())+".tree", parse)
}

// Openers returns the totals of all openers, or nil.
func (b *BuiltIn) Openers(hard marks.Hardness) *Openers {
	return once(b, hard.String()+".openers", readOpeners)
}

// once reads a file when it is first asked for. The result is nil if there is none for the lists.
func once[T any](b *BuiltIn, name string, read func(lists *wordle.Lists, file []byte) (*T, error)) *T {
	if v, ok := b.known.Load(name); ok {
		return v.(*T)
	}
	var v *T
	// A file begins with the checksum of its lists. Reading all of it takes longer.
	file, err := files.ReadFile(name)
	if err == nil && bytes.HasPrefix(file, []byte(`{"lists":"`+Checksum(b.lists)+`"`)) {
		if v, err = read(b.lists, file); err != nil {
			panic(fmt.Errorf("the built-in file %s: %w", name, err))
		}
	}
	b.known.Store(name, v)
	return v
}
