package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"fivefold/storage/durable"
)

// Every file that a command is asked to write goes through an output. We have no library for
// it: github.com/google/renameio does not support Windows, follows no links, would replace a
// device, and leaves the folder unsynced, so that all but ten lines of this would remain.

// Output is where a command writes what it was asked for, such as the file of --csv.
type Output struct {
	flag  string // such as --csv, or empty for an argument
	typed string // what the user typed

	direct io.Writer // standard output, or nil
	// Path is the file to make or to replace, with links followed. It is empty if the file
	// must not be replaced, such as a device or a FIFO, which is written to directly.
	Path string
	info fs.FileInfo // of what was there; nil for nothing, and for "-"
}

// standardOutput is what a user types for standard output.
const standardOutput = "-"

// Output finds out whether the file can be written, so that nobody waits for work whose
// result cannot be saved. It changes nothing. The flag is empty for an argument.
func (p *Program) Output(flag, typed string) (*Output, error) {
	o := &Output{flag: flag, typed: typed}
	if typed == standardOutput {
		o.direct = p.Out
		return o, nil
	}
	var err error
	o.info, err = os.Stat(typed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, o.prepareNew()
	case err != nil:
		return o, o.Fault(err)
	case o.info.IsDir():
		return o, o.Fault(errors.New("it is a folder, not a file"))
	case o.info.Mode()&fs.ModeSocket != 0:
		return o, o.Fault(errors.New("it is a socket, which cannot be written like a file"))
	case !o.info.Mode().IsRegular():
		return o, nil
	}
	if f, ok := p.Out.(*os.File); ok { // such as /dev/stdout
		if info, err := f.Stat(); err == nil && os.SameFile(info, o.info) {
			o.direct = f
			return o, nil
		}
	}
	f, err := os.OpenFile(typed, os.O_WRONLY, 0)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return o, o.Fault(err)
	}
	resolved, err := filepath.EvalSymlinks(typed)
	if err != nil {
		return o, o.Fault(err)
	}
	if info, err := os.Lstat(resolved); err != nil || !os.SameFile(info, o.info) {
		return o, nil // a file without a name of its own, as in /proc
	}
	o.Path = resolved
	return o, o.checkFolder()
}

// OutputIf is output, or nil if the user gave no name.
func (p *Program) OutputIf(flag, typed string) (*Output, error) {
	if typed == "" {
		return nil, nil
	}
	return p.Output(flag, typed)
}

// prepareNew finds the path of a file that does not exist.
func (o *Output) prepareNew() error {
	path, err := FollowLinks(o.typed)
	if err != nil {
		return o.Fault(err)
	}
	if _, base := filepath.Split(path); base == "" {
		return o.Fault(errors.New("that is the name of a folder, not of a file"))
	}
	o.Path = path
	return o.checkFolder()
}

// FollowLinks returns what a link leads to, or else the path itself. The file need not exist.
func FollowLinks(path string) (string, error) {
	const most = 40 // as on Linux
	for range most {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// Not filepath.Join: it would drop x/.., even if x is a link.
			folder, _ := filepath.Split(path)
			to = folder + to
		}
		path = to
	}
	return "", errors.New("too many links")
}

// folder returns the folder of the file.
func (o *Output) folder() string {
	folder, _ := filepath.Split(o.Path)
	if folder == "" {
		return "."
	}
	return folder
}

// checkFolder finds out whether a file can be made next to the output.
func (o *Output) checkFolder() error {
	f, err := o.temporary(0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return o.Fault(fmt.Errorf("there is no folder %s", filepath.Clean(o.folder())))
	}
	if err != nil {
		return o.Fault(fmt.Errorf("no file can be made in that folder: %w", Bare(err)))
	}
	return o.Fault(errors.Join(f.Close(), os.Remove(f.Name())))
}

// temporary makes an empty file in the folder of the output. Its name is short, since the
// output's own may be as long as a name can be.
func (o *Output) temporary(perm fs.FileMode) (*os.File, error) {
	const tries = 100
	for i := 1; ; i++ {
		name := o.folder() + string(filepath.Separator) + ".fivefold-" + strconv.FormatUint(rand.Uint64(), 36)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || i == tries {
			return f, err
		}
	}
}

// Fault names the output in an error, as the user typed it; nil stays nil.
func (o *Output) Fault(err error) error {
	if err == nil {
		return nil
	}
	name := o.typed
	if o.flag != "" {
		name = o.flag + " " + o.typed
	}
	return fmt.Errorf("%s: %w", name, Bare(err))
}

// Bare returns an error about a file, or several joined ones, without the path, which may be a
// temporary one.
func Bare(err error) error {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Err
	case *os.LinkError:
		return err.Err
	case interface{ Unwrap() []error }:
		var all []error
		for _, one := range err.Unwrap() {
			all = append(all, Bare(one))
		}
		return errors.Join(all...)
	}
	return err
}

// isStandard reports whether the output is standard output. If so, no other text may go there.
func (o *Output) isStandard() bool { return o != nil && o.direct != nil }

// Same reports whether two outputs are the same file.
func (o *Output) Same(other *Output) bool {
	switch {
	case o.isStandard() || other.isStandard():
		return o.isStandard() && other.isStandard()
	case o.info != nil && other.info != nil:
		// Anything may be written twice to a device.
		return o.Path != "" && os.SameFile(o.info, other.info)
	}
	return o.Path != "" && filepath.Clean(o.Path) == filepath.Clean(other.Path)
}

// Text returns where the other text of a command goes: to standard error if standard
// output is taken by one of the outputs, which may be nil.
func (p *Program) Text(outputs ...*Output) io.Writer {
	for _, o := range outputs {
		if o.isStandard() {
			return p.ErrOut
		}
	}
	return p.Out
}

// FileOptions say how an output is written.
type FileOptions struct {
	Private bool                    // for the owner only, whatever the mode was
	Check   func(path string) error // of the whole file before it gets its name; nil for none
}

// WriteOutput writes the content to the output, and says so.
func (p *Program) WriteOutput(ctx context.Context, o *Output, content []byte) error {
	if err := o.WriteBytes(ctx, content); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.Text(o), "Written to %s, %d bytes.\n", o.typed, len(content))
	return err
}

// WriteBytes writes the content to the output.
func (o *Output) WriteBytes(ctx context.Context, content []byte) error {
	_, err := o.Write(ctx, FileOptions{}, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(content))
		return err
	})
	return err
}

// Write writes the output and returns its length. A file appears under its name, or replaces
// what was there, when it is whole and on the disk; after an error the old one is still there.
// An output without a path is written to directly; when ctx ends, that no longer waits for the
// reader of a FIFO.
func (o *Output) Write(ctx context.Context, options FileOptions, fill func(io.Writer) error) (int64, error) {
	if o.Path == "" {
		n, err := o.writeDirectly(ctx, fill)
		return n, o.Fault(err)
	}
	n, err := o.replace(options, fill)
	return n, o.Fault(err)
}

func (o *Output) writeDirectly(ctx context.Context, fill func(io.Writer) error) (int64, error) {
	if o.direct != nil {
		return measured(o.direct, fill)
	}
	type opened struct {
		f   *os.File
		err error
	}
	flags := os.O_WRONLY
	if o.info.Mode().IsRegular() { // not every system can shorten a device
		flags |= os.O_TRUNC
	}
	opening := make(chan opened, 1)
	go func() { // it waits for the reader of a FIFO, and cannot be stopped
		f, err := os.OpenFile(o.typed, flags, 0)
		opening <- opened{f, err}
	}()
	select {
	case <-ctx.Done():
		return 0, errors.New("stopped before it was read")
	case file := <-opening:
		if file.err != nil {
			return 0, file.err
		}
		n, err := measured(file.f, fill)
		return n, errors.Join(err, file.f.Close())
	}
}

func measured(w io.Writer, fill func(io.Writer) error) (int64, error) {
	c := &Counter{To: w}
	err := fill(c)
	return int64(c.n), err
}

func (o *Output) replace(options FileOptions, fill func(io.Writer) error) (n int64, err error) {
	perm := fs.FileMode(0o666) // less what the umask takes
	if options.Private {
		perm = 0o600
	}
	f, err := o.temporary(perm)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			if removing := os.Remove(f.Name()); !errors.Is(removing, fs.ErrNotExist) {
				err = errors.Join(err, removing)
			}
		}
	}()
	n, err = measured(f, fill)
	if err == nil && o.info != nil && !options.Private {
		err = f.Chmod(o.info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	if options.Check != nil {
		if err := options.Check(f.Name()); err != nil {
			return 0, fmt.Errorf("the copy cannot be used: %w", err)
		}
	}
	return n, durable.Rename(f.Name(), o.Path)
}

// Counter counts the bytes written, and shows how many they are.
type Counter struct {
	To   io.Writer
	n    int
	Show func(n int) // nil to show nothing
}

func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.To.Write(b)
	c.n += n
	if c.Show != nil {
		c.Show(c.n)
	}
	return n, err
}
