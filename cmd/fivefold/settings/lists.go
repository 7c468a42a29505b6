package settings

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// ListFlags adds the flags for word lists, and returns a function that reads the lists. A list
// without its flag is the one that the settings name, or else the built-in one.
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
		if err := readDotEnv(p, OfGames); err != nil {
			return nil, fmt.Errorf("%s: %w", dotEnv, err)
		}
		return readLists(get("--answers", *answers, envAnswers), get("--guesses", *guesses, envGuesses))
	}
}

// listFile names a file to use instead of a built-in list, or none if path is empty.
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
	for _, one := range []struct {
		listFile
		source *wordle.Source
	}{{answers, &a}, {guesses, &g}} {
		if one.path == "" {
			continue
		}
		f, err := os.Open(one.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", one.setting, one.path, cli.Bare(err))
		}
		defer f.Close()
		*one.source = wordle.Source{Name: one.setting + ": " + one.path, Reader: f}
	}
	return wordle.ReadLists(a, g)
}

// ReadWords reads the words of a file, which errors call by its setting or flag.
func ReadWords(setting, path string) ([]wordle.Word, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", setting, path, cli.Bare(err))
	}
	defer f.Close()
	return wordle.ReadWords(wordle.Source{Name: setting + ": " + path, Reader: f})
}

// ReadTrees reads files that the subcommand tree wrote for these lists. Their names
// are separated by commas.
func ReadTrees(lists *wordle.Lists, files string) ([]*solver.Tree, error) {
	var trees []*solver.Tree
	s := solver.New(lists)
	for name := range strings.SplitSeq(files, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cli.Bare(err))
		}
		defer f.Close()
		t, err := s.ReadTree(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}
