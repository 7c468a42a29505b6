package main

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

// output is where a command writes what it was asked for, such as the file of --csv.
type output struct {
	flag  string // such as --csv, or empty for an argument
	typed string // what the user typed

	direct io.Writer // standard output, or nil
	// path is the file to make or to replace, with links followed. It is empty if the file
	// must not be replaced, such as a device or a FIFO, which is written to directly.
	path string
	info fs.FileInfo // of what was there; nil for nothing, and for "-"
}

// standardOutput is what a user types for standard output.
const standardOutput = "-"

// output finds out whether the file can be written, so that nobody waits for work whose
// result cannot be saved. It changes nothing. The flag is empty for an argument.
func (p *program) output(flag, typed string) (*output, error) {
	o := &output{flag: flag, typed: typed}
	if typed == standardOutput {
		o.direct = p.out
		return o, nil
	}
	var err error
	o.info, err = os.Stat(typed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, o.prepareNew()
	case err != nil:
		return o, o.fault(err)
	case o.info.IsDir():
		return o, o.fault(errors.New("it is a folder, not a file"))
	case o.info.Mode()&fs.ModeSocket != 0:
		return o, o.fault(errors.New("it is a socket, which cannot be written like a file"))
	case !o.info.Mode().IsRegular():
		return o, nil
	}
	if f, ok := p.out.(*os.File); ok { // such as /dev/stdout
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
		return o, o.fault(err)
	}
	resolved, err := filepath.EvalSymlinks(typed)
	if err != nil {
		return o, o.fault(err)
	}
	if info, err := os.Lstat(resolved); err != nil || !os.SameFile(info, o.info) {
		return o, nil // a file without a name of its own, as in /proc
	}
	o.path = resolved
	return o, o.checkFolder()
}

// outputIf is output, or nil if the user gave no name.
func (p *program) outputIf(flag, typed string) (*output, error) {
	if typed == "" {
		return nil, nil
	}
	return p.output(flag, typed)
}

// prepareNew finds the path of a file that does not exist.
func (o *output) prepareNew() error {
	path, err := followLinks(o.typed)
	if err != nil {
		return o.fault(err)
	}
	if _, base := filepath.Split(path); base == "" {
		return o.fault(errors.New("that is the name of a folder, not of a file"))
	}
	o.path = path
	return o.checkFolder()
}

// followLinks returns what a link leads to, or else the path itself. The file need not exist.
func followLinks(path string) (string, error) {
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
func (o *output) folder() string {
	folder, _ := filepath.Split(o.path)
	if folder == "" {
		return "."
	}
	return folder
}

// checkFolder finds out whether a file can be made next to the output.
func (o *output) checkFolder() error {
	f, err := o.temporary(0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return o.fault(fmt.Errorf("there is no folder %s", filepath.Clean(o.folder())))
	}
	if err != nil {
		return o.fault(fmt.Errorf("no file can be made in that folder: %w", bare(err)))
	}
	return o.fault(errors.Join(f.Close(), os.Remove(f.Name())))
}

// temporary makes an empty file in the folder of the output. Its name is short, since the
// output's own may be as long as a name can be.
func (o *output) temporary(perm fs.FileMode) (*os.File, error) {
	const tries = 100
	for i := 1; ; i++ {
		name := o.folder() + string(filepath.Separator) + ".fivefold-" + strconv.FormatUint(rand.Uint64(), 36)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || i == tries {
			return f, err
		}
	}
}

// fault names the output in an error, as the user typed it; nil stays nil.
func (o *output) fault(err error) error {
	if err == nil {
		return nil
	}
	name := o.typed
	if o.flag != "" {
		name = o.flag + " " + o.typed
	}
	return fmt.Errorf("%s: %w", name, bare(err))
}

// bare returns an error about a file, or several joined ones, without the path, which may be a
// temporary one.
func bare(err error) error {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Err
	case *os.LinkError:
		return err.Err
	case interface{ Unwrap() []error }:
		var all []error
		for _, one := range err.Unwrap() {
			all = append(all, bare(one))
		}
		return errors.Join(all...)
	}
	return err
}

// isStandard reports whether the output is standard output. If so, no other text may go there.
func (o *output) isStandard() bool { return o != nil && o.direct != nil }

// same reports whether two outputs are the same file.
func (o *output) same(other *output) bool {
	switch {
	case o.isStandard() || other.isStandard():
		return o.isStandard() && other.isStandard()
	case o.info != nil && other.info != nil:
		// Anything may be written twice to a device.
		return o.path != "" && os.SameFile(o.info, other.info)
	}
	return o.path != "" && filepath.Clean(o.path) == filepath.Clean(other.path)
}

// text returns where the other text of a command goes: to standard error if standard
// output is taken by one of the outputs, which may be nil.
func (p *program) text(outputs ...*output) io.Writer {
	for _, o := range outputs {
		if o.isStandard() {
			return p.errOut
		}
	}
	return p.out
}

// fileOptions say how an output is written.
type fileOptions struct {
	private bool                    // for the owner only, whatever the mode was
	check   func(path string) error // of the whole file before it gets its name; nil for none
}

// writeOutput writes the content to the output, and says so.
func (p *program) writeOutput(ctx context.Context, o *output, content []byte) error {
	if err := o.writeBytes(ctx, content); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.text(o), "Written to %s, %d bytes.\n", o.typed, len(content))
	return err
}

// writeBytes writes the content to the output.
func (o *output) writeBytes(ctx context.Context, content []byte) error {
	_, err := o.write(ctx, fileOptions{}, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(content))
		return err
	})
	return err
}

// write writes the output and returns its length. A file appears under its name, or replaces
// what was there, when it is whole and on the disk; after an error the old one is still there.
// An output without a path is written to directly; when ctx ends, that no longer waits for the
// reader of a FIFO.
func (o *output) write(ctx context.Context, options fileOptions, fill func(io.Writer) error) (int64, error) {
	if o.path == "" {
		n, err := o.writeDirectly(ctx, fill)
		return n, o.fault(err)
	}
	n, err := o.replace(options, fill)
	return n, o.fault(err)
}

func (o *output) writeDirectly(ctx context.Context, fill func(io.Writer) error) (int64, error) {
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
	c := &counter{to: w}
	err := fill(c)
	return int64(c.n), err
}

func (o *output) replace(options fileOptions, fill func(io.Writer) error) (n int64, err error) {
	perm := fs.FileMode(0o666) // less what the umask takes
	if options.private {
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
	if err == nil && o.info != nil && !options.private {
		err = f.Chmod(o.info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	if options.check != nil {
		if err := options.check(f.Name()); err != nil {
			return 0, fmt.Errorf("the copy cannot be used: %w", err)
		}
	}
	return n, durable.Rename(f.Name(), o.path)
}

// counter counts the bytes written, and shows how many they are.
type counter struct {
	to   io.Writer
	n    int
	show func(n int) // nil to show nothing
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += n
	if c.show != nil {
		c.show(c.n)
	}
	return n, err
}
