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

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/durable"
)

// RestoreCommand is the subcommand restore.
func RestoreCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the bot's store",
		Long: "Put a copy of FILE, a backup, in the place of the bot's store. The backup is checked\n" +
			"first. A store that is already there is kept next to it, under a name that says\n" +
			"when. The bot must be stopped.",
		Example: "  fivefold restore today.db",
		Args:    cli.Arguments("FILE"),
		RunE:    settings.With(p, settings.OfGames, restoreFrom),
	}
}

func restoreFrom(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
	from := args[0]
	to, err := storage.Path(s.StoreURL(settings.BotFile))
	if err != nil {
		return err
	}
	if file, err := filepath.EvalSymlinks(to); err == nil {
		to = file // what is kept aside must be the store, not a link to it
	}
	if err := differ(to, from); err != nil {
		return err
	}
	if err := unused(to); err != nil {
		return err
	}
	problems, err := check(ctx, p, from)
	if err == nil && problems > 0 {
		err = fmt.Errorf("%s has problems: %d; take another backup, or repair a copy of this one", from, problems)
	}
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	store, err := p.Output(to)
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	aside, bytes := "", int64(0)
	err = store.Write(0o600, func(copied string) error {
		if err := bolt.Inspect(copied); err != nil {
			return err
		}
		aside, err = keepAside(to, time.Now())
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
		return fmt.Errorf("the backup may not be in the store's place: %w\nthe store that was there is %s", err, aside)
	case err != nil:
		return fmt.Errorf("nothing was changed: %w", err)
	}
	if aside != "" {
		fmt.Fprintf(p.Out, "The store that was there is now %s.\n", aside)
	}
	_, err = fmt.Fprintf(p.Out, "Restored %s to %s, %d bytes.\n", from, to, bytes)
	return err
}

// keepAside gives the store that is there, if any, a second name, under which it stays when
// another takes its place. A damaged store is kept, too.
func keepAside(store string, now time.Time) (aside string, err error) {
	if _, err := os.Stat(store); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err := unused(store); err != nil {
		return "", err
	}
	return durable.Keep(store, fmt.Sprintf("%s.before-%s", store, now.UTC().Format("20060102T150405Z")))
}

// unused returns an error if a process uses the store.
func unused(store string) error {
	if err := bolt.Inspect(store); errors.Is(err, bolt.ErrLocked) {
		return fmt.Errorf("nothing was changed: %w; stop the bot first", err)
	}
	return nil
}
