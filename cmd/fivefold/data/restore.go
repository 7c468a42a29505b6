package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/bolt"
	"fivefold/storage/durable"
	"fivefold/storage/engine"
)

// RestoreCommand is the subcommand restore.
func RestoreCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the bot's store",
		Long: "Put a copy of FILE, a backup, in the place of the bot's store. The backup is checked first. A store that is " +
			"already there is kept next to it, under a name that says when. The bot must be stopped.",
		Example: "  fivefold restore today.db",
		Args:    cobra.ExactArgs(1),
		RunE:    settings.With(p, settings.OfStore, restoreFrom),
	}
}

func restoreFrom(ctx context.Context, p *cli.Program, s settings.Settings, args []string) (err error) {
	from, aside, bytes := args[0], "", int64(0)
	defer func() {
		if err != nil && aside == "" {
			err = fmt.Errorf("nothing was changed: %w", err)
		}
	}()
	to, err := engine.Path(s.StoreURL(settings.BotFile))
	if err != nil {
		return err
	}
	if file, err := filepath.EvalSymlinks(to); err == nil {
		to = file // the store is kept aside, not a link to it
	}
	if err := differ(to, from); err != nil {
		return err
	}
	if err := checkFile(ctx, p, from); err != nil {
		return app.Explain(ctx, err, s, from)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	store, err := p.Output(to, true)
	if err != nil {
		return err
	}
	err = store.Write(0o600, func(copied string) error {
		if err := bolt.Inspect(copied); err != nil {
			return err
		}
		// A store that is already there is kept aside, even a damaged one.
		if err := bolt.Inspect(to); errors.Is(err, bolt.ErrLocked) {
			return fmt.Errorf("%w; stop the bot first", bolt.ErrLocked)
		} else if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		aside, err = durable.Keep(to, to+".before-"+time.Now().UTC().Format("20060102T150405Z"))
		return err
	}, func(w io.Writer) error {
		backup, err := os.Open(from)
		if err != nil {
			return err
		}
		bytes, err = io.Copy(w, backup)
		return errors.Join(err, backup.Close())
	})
	switch {
	case err != nil && aside != "":
		return fmt.Errorf("the backup may or may not be in the store's place: %w\nthe store that was there is %s", err, aside)
	case err != nil:
		return err
	case aside != "":
		fmt.Fprintf(p.Out, "The store that was there is now %s.\n", aside)
	}
	fmt.Fprintf(p.Out, "Restored %s to %s, %d bytes.\n", from, to, bytes)
	return nil
}
