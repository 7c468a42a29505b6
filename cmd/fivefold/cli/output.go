package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fivefold/storage/durable"
)

// Output is where a command writes its result, such as the file of --csv.
type Output struct {
	path string
	to   io.Writer // standard output, or nil for a file
}

// Overwrites adds the flag for replacing a file that exists.
func Overwrites(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("overwrite", false, "replace a file that exists")
}

// Output checks, before the work, that a file can be written; "-" is standard output. A file that exists
// must be overwritten. Nothing is changed yet.
func (p *Program) Output(typed string, overwrite bool) (*Output, error) {
	if typed == "-" {
		return &Output{to: p.Out}, nil
	}
	path := typed
	if target, err := filepath.EvalSymlinks(typed); err == nil {
		path = target // the file is replaced, and not a link to it
	}
	info, err := os.Stat(path)
	if folder, missing := os.Stat(filepath.Dir(typed)); missing != nil || !folder.IsDir() {
		return nil, fmt.Errorf("%s: there is no folder %s", typed, filepath.Dir(typed))
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is a folder or a device, not a file", typed)
	}
	if err == nil && !overwrite {
		return nil, WrongUse("%s: it exists already; --overwrite replaces it", typed)
	}
	return &Output{path: path}, nil
}

// OutputIf is Output, or nil without a name.
func (p *Program) OutputIf(typed string, overwrite bool) (*Output, error) {
	if typed == "" {
		return nil, nil
	}
	return p.Output(typed, overwrite)
}

// Text returns where the other text of a command goes: standard error if the output, which may be
// nil, goes to standard output.
func (p *Program) Text(o *Output) io.Writer {
	if o != nil && o.to != nil {
		return p.ErrOut
	}
	return p.Out
}

// Write writes the output. A file gets its name when it is whole, on the disk and passes check,
// which may be nil. After an error the old file is still there.
func (o *Output) Write(perm fs.FileMode, check func(path string) error, fill func(io.Writer) error) error {
	if o.to != nil {
		return fill(o.to)
	}
	path := fmt.Sprintf("%s.%x", o.path, rand.Uint32())
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, Bare(err))
	}
	if err = fill(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil && check != nil {
		err = check(path)
	}
	if err == nil {
		err = durable.Rename(path, o.path)
	}
	if err != nil {
		os.Remove(path) // renaming may have removed it
		return fmt.Errorf("%s: %w", o.path, Bare(err))
	}
	return nil
}

// Bare returns an error without the path of its file, which may be temporary.
func Bare(err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Err
	}
	return err
}
