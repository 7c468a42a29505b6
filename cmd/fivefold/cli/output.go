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
	typed string
	to    io.Writer // standard output, or nil for a file
	plain bool      // written in place: a device or a link, which renaming would replace
}

// Overwrites adds the flag for replacing a file that exists.
func Overwrites(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("overwrite", false, "replace a file that exists")
}

// Output checks, before the work, that a file can be written; "-" is standard output. A file that exists
// must be overwritten. Nothing is changed yet.
func (p *Program) Output(typed string, overwrite bool) (*Output, error) {
	if typed == "-" {
		return &Output{typed: typed, to: p.Out}, nil
	}
	if folder := filepath.Dir(typed); !isFolder(folder) {
		return nil, fmt.Errorf("%s: there is no folder %s", typed, folder)
	}
	if isFolder(typed) {
		return nil, fmt.Errorf("%s: it is a folder, not a file", typed)
	}
	if info, err := os.Stat(typed); err == nil && info.Mode().IsRegular() && !overwrite {
		return nil, WrongUse("%s: it exists already; --overwrite replaces it", typed)
	}
	info, err := os.Lstat(typed)
	return &Output{typed: typed, plain: err == nil && !info.Mode().IsRegular()}, nil
}

// OutputIf is Output, or nil without a name.
func (p *Program) OutputIf(typed string, overwrite bool) (*Output, error) {
	if typed == "" {
		return nil, nil
	}
	return p.Output(typed, overwrite)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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
// which may be nil. After an error the old file is still there. A device or a link is written in
// place.
func (o *Output) Write(perm fs.FileMode, check func(path string) error, fill func(io.Writer) error) (err error) {
	if o.to != nil {
		return fill(o.to)
	}
	path, flags := o.typed, os.O_WRONLY|os.O_CREATE|os.O_TRUNC
	if !o.plain {
		path, flags = fmt.Sprintf("%s.%x", o.typed, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, perm)
	if err != nil {
		return fmt.Errorf("%s: %w", o.typed, Bare(err))
	}
	if o.plain {
		return errors.Join(fill(f), f.Close())
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil && check != nil {
		err = check(path)
	}
	if err == nil {
		err = durable.Rename(path, o.typed)
	}
	if err != nil {
		os.Remove(path) // renaming may have removed it
		return fmt.Errorf("%s: %w", o.typed, Bare(err))
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
