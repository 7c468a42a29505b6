package data

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/engine"
	"fivefold/storage/transfer"
)

// ExportCommand is the subcommand export.
func ExportCommand(p *cli.Program) *cobra.Command {
	var format, output string
	var overwrite *bool
	cmd := &cobra.Command{
		Use:   "export results|statistics",
		Short: "Write results or statistics as CSV or JSON lines",
		Long: "Write what the bot's store has, in a file or in PostgreSQL, for a spreadsheet or a database: \"results\" has " +
			"a line for each player of each finished game, \"statistics\" one for each player in each server and, without " +
			"a server, everywhere. Answers are in it, also of puzzles that are still being played. For a store in a file, " +
			"the bot must be stopped, or FIVEFOLD_STORE must name a backup.",
		Example:   "  fivefold export results -o results.csv\n  fivefold export statistics --format jsonl",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{string(transfer.TableResults), string(transfer.TableStatistics)},
		RunE: settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
			table, format := transfer.Table(args[0]), transfer.Format(format)
			if format != transfer.CSV && format != transfer.JSONLines {
				return cli.WrongUse("--format %s: it can be csv or jsonl", format)
			}
			file, err := p.Output(output, *overwrite)
			if err != nil {
				return err
			}
			store, err := engine.OpenToRead(ctx, s.StoreURL(settings.BotFile), engine.Options{Password: string(s.Password)})
			if err != nil {
				return app.Explain(ctx, err, s, strings.TrimPrefix(s.StoreURL(settings.BotFile), "bolt:"))
			}
			err = file.Write(0o600, nil, func(w io.Writer) error {
				return transfer.Export(ctx, store, w, table, format)
			})
			return errors.Join(err, store.Close())
		}),
	}
	cmd.Flags().StringVar(&format, "format", string(transfer.CSV), "csv or jsonl")
	cli.Proposes(cmd, "format", string(transfer.CSV), string(transfer.JSONLines))
	cmd.Flags().StringVarP(&output, "output", "o", "-", "the file to write, or - for standard output")
	overwrite = cli.Overwrites(cmd)
	return cmd
}
