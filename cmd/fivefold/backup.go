package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fivefold/bot/admin"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/durable"
)

// backupCommand is the subcommand backup.
func (p *program) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the bot's store, also while the bot runs",
		Long: "Write a copy of the bot's store to FILE. A running bot makes the copy itself and goes\n" +
			"on serving; for that, FIVEFOLD_ADMIN must name a Unix socket of it. Of a stopped\n" +
			"bot the file is copied. An existing FILE is replaced only by a copy that is whole.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.settings(false)
			if err != nil {
				return err
			}
			return p.backup(cmd.Context(), s, args[0])
		},
	}
}

func (p *program) backup(ctx context.Context, s settings, to string) error {
	from, err := storage.Path(s.storeURL(botFile))
	if err != nil {
		return err
	}
	if err := differ(from, to); err != nil {
		return err
	}
	source, err := p.backupSource(ctx, s, from)
	if err != nil {
		return err
	}
	size := 0
	if info, err := os.Stat(from); err == nil {
		size = int(info.Size())
	}
	show, end := p.progress("copying")
	defer end()
	bytes, err := writeDurably(to, func(f *os.File) error {
		return source(ctx, &counter{to: f, show: func(n int) { show(min(n, size), size) }})
	}, bolt.Inspect)
	if err != nil {
		return err
	}
	end()
	_, err = fmt.Fprintf(p.out, "Copied to %s, %d bytes.\n", to, bytes)
	return err
}

// backupSource returns what writes a copy: the running bot, or the file of a stopped one.
func (p *program) backupSource(ctx context.Context, s settings, from string) (func(context.Context, io.Writer) error, error) {
	for _, a := range s.admin {
		if !a.IsSocket() {
			continue
		}
		client := admin.NewClient(a)
		ask, cancel := context.WithTimeout(ctx, askTimeout)
		err := client.Healthy(ask)
		cancel()
		if errors.Is(err, admin.ErrNobody) {
			continue
		}
		return func(ctx context.Context, w io.Writer) error {
			_, err := client.Backup(ctx, w)
			return err
		}, nil
	}
	switch err := bolt.Inspect(from); {
	case errors.Is(err, bolt.ErrLocked):
		return nil, fmt.Errorf("%w\nstop the bot, or set %s to a Unix socket of the running one, such as unix:/run/fivefold/admin.sock", err, envAdmin)
	case err != nil:
		return nil, err
	}
	return func(ctx context.Context, w io.Writer) error { return bolt.CopyClosed(ctx, from, w) }, nil
}

// differ returns an error if the two are the same file.
func differ(store, other string) error {
	a, err := os.Stat(store)
	if err != nil {
		return nil // what is wrong with the store is found when it is used
	}
	if b, err := os.Stat(other); err == nil && os.SameFile(a, b) {
		return fmt.Errorf("%s is the store itself", other)
	}
	return nil
}

// writeDurably writes a file for its owner only. It appears under its name, or replaces the
// one that is there, when it is on the disk and the check finds nothing wrong with it.
func writeDurably(name string, write func(*os.File) error, check func(name string) error) (bytes int64, err error) {
	folder := filepath.Dir(name)
	f, err := os.CreateTemp(folder, "."+filepath.Base(name)+".*")
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
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return 0, err
	}
	if err := check(f.Name()); err != nil {
		return 0, fmt.Errorf("the copy cannot be used: %w", err)
	}
	if err := durable.Rename(f.Name(), name); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// counter shows how many bytes were written.
type counter struct {
	to   io.Writer
	n    int
	show func(n int)
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += n
	c.show(c.n)
	return n, err
}
