package data

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/engine"
	"fivefold/storage/transfer"
)

// CopyCommand is the subcommand copy.
func CopyCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy the bot's store to a database, to another one or to a file",
		Long: "Copy all games, statistics and settings from one store to another, and compare them. Both are written as in " +
			"FIVEFOLD_STORE, bolt:PATH or postgres://…. FROM stays as it is. TO is a file that does not exist yet, or a " +
			"database with an empty table: make it with \"fivefold migrate\".\n\n" +
			"Nothing may use FROM meanwhile. A file is locked; of a database, stop all bots. If something did change, the " +
			"copy fails at the end.\n\n" +
			"A copy that was interrupted starts from the beginning when the same command is run again; until it is whole, " +
			"no bot starts with TO. Passwords can come from PGPASSWORD or PGPASSFILE.",
		Example: "  fivefold copy bolt:fivefold.db 'postgres://fivefold@db.example/fivefold'\n" +
			"  fivefold copy 'postgres://fivefold@db.example/fivefold' bolt:fivefold.db",
		Args: cobra.ExactArgs(2),
		RunE: settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
			if err := errors.Join(engine.Check(args[0]), engine.Check(args[1])); err != nil {
				return cli.WrongUse("%w", err)
			}
			return copyStore(ctx, p, s, args[0], args[1])
		}),
	}
}

// copyStore copies one store to another, with its progress, and says what was copied.
func copyStore(ctx context.Context, p *cli.Program, s settings.Settings, from, to string) error {
	stage, show, end := "", func(int, int) {}, func() {}
	defer func() { end() }()
	records, err := transfer.CopyURL(ctx, from, to, engine.Options{Password: string(s.Password)}, func(now string, done, of int) {
		if now != stage {
			end()
			stage = now
			show, end = p.Progress(now)
		}
		show(done, of)
	})
	end()
	if err != nil {
		return app.Explain(ctx, err, s, strings.TrimPrefix(from, "bolt:"))
	}
	_, err = fmt.Fprintf(p.Out, "Copied %s to %s. Records: %d, all of them compared.\n", engine.Name(from), engine.Name(to), records)
	return err
}
