package settings

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
)

// ListFlags adds the flags for word lists, and returns a function that reads the lists. A list
// without its flag is the one that the settings name, or else the built-in one. If the
// command's context ends meanwhile, the error is its cause.
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
			return nil, fmt.Errorf("%s: %w", DotEnv, err)
		}
		return readLists(cmd.Context(), get("--answers", *answers, envAnswers), get("--guesses", *guesses, envGuesses))
	}
}

// listFile names a file to use instead of a built-in list, or none if path is empty.
type listFile struct {
	setting string // as it is called in errors
	path    string
}

// readLists reads the files, or the built-in list for an empty path. If ctx ends meanwhile, the
// error is its cause.
func readLists(ctx context.Context, answers, guesses listFile) (*wordle.Lists, error) {
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
		source, end := file.open(ctx)
		defer end()
		*file.source = source
	}
	lists, err := wordle.ReadLists(a, g)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return lists, err
}

// ReadWords reads the words of a file, which errors call by its setting or flag.
func ReadWords(ctx context.Context, setting, path string) ([]wordle.Word, error) {
	source, end := listFile{setting, path}.open(ctx)
	defer end()
	words, err := wordle.ReadWords(source)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return words, err
}

// open opens the file, and returns what closes it. An error is that of reading the source.
func (l listFile) open(ctx context.Context) (source wordle.Source, end func() error) {
	f, err := os.Open(l.path)
	return wordle.Source{Name: l.setting + ": " + l.path, Reader: &listReader{ctx: ctx, f: f, err: err}}, f.Close
}

// longList is how many bytes of a list are read before ctx is looked at.
const longList = 1 << 16

// listReader reads a file. Its errors leave out the path, which is in the name of the list.
type listReader struct {
	ctx context.Context // ends the reading
	f   *os.File
	err error // of opening it

	read int // bytes
}

func (r *listReader) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, cli.Bare(r.err)
	}
	if r.read > longList && r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	n, err := r.f.Read(b)
	r.read += n
	return n, cli.Bare(err)
}
