package data

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/engine"
)

// RepairCommand is the subcommand repair.
func RepairCommand(p *cli.Program) *cobra.Command {
	return onStore(p, &cobra.Command{
		Use:   "repair [FILE]",
		Short: "Make a new store from what can be read of a damaged one",
		Long: "Make a new store from what can be read of a damaged one: the bot's, or FILE. A good backup has more: " +
			"\"fivefold check\" says which games are affected, and names the newest good copy for \"fivefold restore\".\n\n" +
			"Each problem is a line. Statistics and lists are made again; a record that cannot be read is lost. The " +
			"damaged store is kept next to the new one, as FILE.damaged-TIME. The bot must be stopped, and the disk must " +
			"have room for both. A store in a PostgreSQL database stays where it is: every record is checked, and mended " +
			"there, while bots use it.\n\n" +
			"The exit code is 0 if the store is in order afterwards.",
		Example: "  fivefold repair\n  fivefold repair copy.db",
	}, func(ctx context.Context, s settings.Settings, path string) error {
		problems, lost := 0, map[string]bool{} // by key: several things can be wrong with a record
		show, end := p.Progress("Repairing")
		o := check.Options{Mend: true, Report: func(f check.Finding) {
			problems++
			if !f.Derived {
				lost[f.Key] = true
			}
			end()
			fmt.Fprintln(p.Out, f)
		}, Progress: show}
		var old string
		var err error
		if _, noFile := engine.Path(path); errors.Is(noFile, engine.ErrNoFile) {
			err = mendDatabase(ctx, s, path, o)
		} else {
			old, err = check.Repair(ctx, path, kinds.Codecs(), o)
		}
		end()
		if errors.Is(err, game.ErrDamaged) {
			return errors.New("nothing was changed: " + err.Error() + "\nnothing of it can be read\n" + app.RestoreAdvice(ctx, s))
		}
		if err != nil {
			return fmt.Errorf("nothing was changed: %w", err)
		}
		if problems == 0 {
			_, err := fmt.Fprintf(p.Out, "%s: nothing was wrong, and nothing was changed.\n", engine.Name(path))
			return err
		}
		if old != "" {
			fmt.Fprintf(p.Out, "The damaged store is now %s.\n", old)
		}
		_, err = fmt.Fprintf(p.Out, "%s is repaired; problems: %d; records lost: %d.\n", engine.Name(path), problems, len(lost))
		return err
	})
}

// mendDatabase mends a store that bots may use.
func mendDatabase(ctx context.Context, s settings.Settings, url string, o check.Options) error {
	store, err := storage.Open(ctx, url, kinds.Codecs(), storage.Options{Options: engine.Options{Password: string(s.Password)}})
	if err != nil {
		return err
	}
	_, err = store.Check(ctx, o)
	return errors.Join(err, store.Close())
}

// CompactCommand is the subcommand compact.
func CompactCommand(p *cli.Program) *cobra.Command {
	return onStore(p, &cobra.Command{
		Use:   "compact [FILE]",
		Short: "Write the bot's store again without unused space",
		Long: "Check the bot's store, or FILE, and write it again without unused space. It is replaced only when the new one " +
			"is whole. The bot must be stopped, and the disk must have room for both.",
		Example: "  fivefold compact\n  fivefold compact copy.db",
	}, func(ctx context.Context, s settings.Settings, path string) error {
		show, end := p.Progress("Compacting")
		before, after, err := bolt.Compact(ctx, path, show)
		end()
		if err != nil {
			return fmt.Errorf("nothing was changed: %w", err)
		}
		_, err = fmt.Fprintf(p.Out, "%s had %d bytes and has %d now.\n", path, before, after)
		return err
	})
}
