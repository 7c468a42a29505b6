package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"fivefold/bot/admin"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/bolt"
	"fivefold/storage/engine"
)

// BackupCommand is the subcommand backup.
func BackupCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the bot's store, also while the bot runs",
		Long: "Write a copy of the bot's store to FILE. A running bot makes the copy itself and goes on serving; for that, " +
			"FIVEFOLD_ADMIN must name a Unix socket of it. Of a stopped bot the file is copied. \"-\" is standard output. " +
			"With --overwrite, a FILE that exists is replaced, by a copy that is whole.",
		Example: "  fivefold backup today.db\n  fivefold backup - | ssh elsewhere 'cat >fivefold.db'",
		Args:    cobra.ExactArgs(1),
	}
	overwrite := cli.Overwrites(cmd)
	cmd.RunE = settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
		return backupTo(ctx, p, s, args[0], *overwrite)
	})
	return cmd
}

func backupTo(ctx context.Context, p *cli.Program, s settings.Settings, to string, overwrite bool) error {
	from, err := engine.Path(s.StoreURL(settings.BotFile))
	if err != nil {
		return err
	}
	if err := differ(from, to); err != nil {
		return err
	}
	file, err := p.Output(to, overwrite)
	if err != nil {
		return err
	}
	source := func(ctx context.Context, w io.Writer) error { return bolt.CopyClosed(ctx, from, w) }
	for _, a := range s.Admin {
		if client := admin.NewClient(a); a.IsSocket() && !errors.Is(client.Healthy(ctx), admin.ErrNobody) {
			source = client.Backup
		}
	}
	err = file.Write(0o600, bolt.Inspect, func(w io.Writer) error { return source(ctx, w) })
	if errors.Is(err, bolt.ErrLocked) {
		return fmt.Errorf("%w\nstop the bot, or set %s to a Unix socket of the running one, such as unix:/run/fivefold/admin.sock", err, settings.EnvAdmin)
	}
	if err != nil {
		return app.Explain(ctx, err, s, from)
	}
	_, err = fmt.Fprintf(p.Text(file), "Copied to %s.\n", to)
	return err
}

// differ returns an error if the two are the same file.
func differ(store, other string) error {
	a, err := os.Stat(store)
	b, failed := os.Stat(other)
	if err == nil && failed == nil && os.SameFile(a, b) { // other errors come when the files are used
		return fmt.Errorf("%s is the store itself", other)
	}
	return nil
}
