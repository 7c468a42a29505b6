package settings

import (
	"errors"
	"fmt"
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
	before := len(m.all)
	for _, one := range []struct {
		listFile
		source *wordle.Source
	}{{answers, &a}, {guesses, &g}} {
		if one.path == "" {
			continue
		}
		f, err := os.Open(one.path)
		if err != nil {
			m.add(one.setting, fmt.Errorf("%s: %w", one.path, cli.Bare(err)))
			continue
		}
		defer f.Close()
		*one.source = wordle.Source{Name: m.name(one.setting) + ": " + one.path, Reader: f}
	}
	if len(m.all) > before {
		return nil
	}
	read := func() (*wordle.Lists, error) { return wordle.ReadLists(a, g) }
	if answers.path == "" && guesses.path == "" {
		read = wordle.Embedded
	}
	lists, err := read()
	if err != nil {
		m.all = append(m.all, err) // it names the file
	}
	return lists
}

// ReadWords reads the words of a file that a setting or flag names.
func ReadWords(setting, path string) ([]wordle.Word, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", setting, path, cli.Bare(err))
	}
	defer f.Close()
	return wordle.ReadWords(wordle.Source{Name: setting + ": " + path, Reader: f})
}

// ReadTrees reads files of the subcommand tree, with commas between their names. Without lists it only opens them.
func ReadTrees(lists *wordle.Lists, files string) ([]*trees.Tree, error) {
	var all []*trees.Tree
	var faults []error
	for name := range strings.SplitSeq(files, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		f, err := os.Open(name)
		if err == nil && lists != nil {
			var t *trees.Tree
			t, err = trees.Read(lists, f)
			all = append(all, t)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, cli.Bare(err)))
		}
		defer f.Close()
	}
	return all, errors.Join(faults...)
}
