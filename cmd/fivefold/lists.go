package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/game/wordle"
)

// listFlags adds the flags for word lists, and returns a function that reads the lists.
// A list without its flag comes from the settings.
func (p *program) listFlags(cmd *cobra.Command) func() (*wordle.Lists, error) {
	answers := cmd.Flags().String("answers", "", "a file of words to find, one a line ("+envAnswers+", or the built-in list)")
	guesses := cmd.Flags().String("guesses", "", "a file of words that may be guessed ("+envGuesses+", or the built-in list)")
	get := func(flag, value, setting string) listFile {
		if value != "" {
			return listFile{flag, value}
		}
		return listFile{setting, strings.TrimSpace(p.env[setting])}
	}
	return func() (*wordle.Lists, error) {
		if err := p.readDotEnv(); err != nil {
			return nil, fmt.Errorf(".env: %w", err)
		}
		return readLists(get("--answers", *answers, envAnswers), get("--guesses", *guesses, envGuesses))
	}
}

// listFile names a file in place of a built-in list; none if path is empty.
type listFile struct {
	setting string // as it is called in errors
	path    string
}

// readLists reads the files, or the built-in list for an empty path.
func readLists(answers, guesses listFile) (*wordle.Lists, error) {
	if answers.path == "" && guesses.path == "" {
		return wordle.Embedded()
	}
	a, g := wordle.EmbeddedSources()
	for _, file := range []struct {
		listFile
		source *wordle.Source
	}{{answers, &a}, {guesses, &g}} {
		if file.path == "" {
			continue
		}
		b, err := os.ReadFile(file.path)
		*file.source = wordle.Source{Name: file.setting + ": " + file.path, Reader: &contents{*bytes.NewReader(b), err}}
	}
	return wordle.ReadLists(a, g)
}

// contents is a file that has been read, at least in part.
type contents struct {
	bytes.Reader
	err error // of reading it, nil when all went well
}

func (c *contents) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	var path *fs.PathError
	if errors.As(c.err, &path) {
		return n, path.Err // the list's name is the path
	}
	return n, err
}
