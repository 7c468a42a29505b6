package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver/trees"
)

// ListFlags adds the flags for word lists, and returns a function that reads the lists. Without its
// flag, a list is that of the settings or built in.
func ListFlags(p *cli.Program, cmd *cobra.Command) func() (*wordle.Lists, error) {
	answers := cmd.Flags().String("answers", "", "a `file` of words to find, one a line ("+envAnswers+", or the built-in list)")
	guesses := cmd.Flags().String("guesses", "", "a `file` of words that may be guessed ("+envGuesses+", or the built-in list)")
	get := func(flag, value, setting string) listFile {
		if value != "" {
			return listFile{flag, value}
		}
		return listFile{setting, strings.TrimSpace(p.Env[setting])}
	}
	return func() (*wordle.Lists, error) {
		m, _ := readDotEnv(p, OfGames)
		lists := readLists(m, get("--answers", *answers, envAnswers), get("--guesses", *guesses, envGuesses))
		if err := errors.Join(m.all...); err != nil {
			return nil, cli.WrongUse("%w", err)
		}
		return lists, nil
	}
}

// listFile is a file with a word list. An empty path means the built-in list.
type listFile struct {
	setting string // its name in errors
	path    string
}

// readLists reads word lists. If it cannot, it adds the mistakes and returns nil.
func readLists(m *mistakes, answers, guesses listFile) *wordle.Lists {
	a, g := wordle.EmbeddedSources()
	lists, err := (*wordle.Lists)(nil), errors.Join(open(&a, answers.setting, answers.path), open(&g, guesses.setting, guesses.path))
	switch {
	case err != nil:
	case answers.path == "" && guesses.path == "":
		lists, err = wordle.Embedded()
	default:
		lists, err = wordle.ReadLists(a, g)
	}
	if err != nil { // it names the file
		m.all = append(m.all, err)
	}
	return lists
}

// open replaces a source by a file, if there is a path. The name is that of the setting in errors.
func open(s *wordle.Source, name, path string) error {
	if path == "" {
		return nil
	}
	content, err := read(path)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", name, path, err)
	}
	*s = wordle.Source{Name: name + ": " + path, Reader: content}
	return nil
}

// maxFile is how much of a file is read: more than lists and trees may have, and less than endless devices.
const maxFile = 1 << 26

func read(path string) (io.Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cli.Bare(err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile))
	return bytes.NewReader(content), err
}

// ReadWords reads the words of a file that a setting or flag names.
func ReadWords(setting, path string) ([]wordle.Word, error) {
	var s wordle.Source
	if err := open(&s, setting, path); err != nil {
		return nil, err
	}
	return wordle.ReadWords(s)
}

// ReadTrees reads files of the subcommand tree, with commas between their names. Without lists it only looks for them.
func ReadTrees(lists *wordle.Lists, files string) ([]*trees.Tree, error) {
	var all []*trees.Tree
	var faults []error
	for name := range strings.SplitSeq(files, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		content, err := read(name)
		if err == nil && lists != nil {
			var t *trees.Tree
			t, err = trees.Read(lists, content)
			all = append(all, t)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	return all, errors.Join(faults...)
}
