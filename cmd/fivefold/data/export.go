package data

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage"
	"fivefold/storage/postgres"
)

// ExportCommand is the subcommand export.
func ExportCommand(p *cli.Program) *cobra.Command {
	format, output := string(storage.CSV), ""
	cmd := &cobra.Command{
		Use:   "export results|statistics",
		Short: "Write results or statistics as CSV or JSON lines",
		Long: "Write what the bot's store has, in a file or in PostgreSQL, for a spreadsheet or a\n" +
			"database: \"results\" has a line for each player of each finished game, \"statistics\"\n" +
			"one for each player in each server and, without a server, everywhere. Answers are in\n" +
			"it, also of puzzles that are still being played. For a store in a file, the bot must be\n" +
			"stopped, or FIVEFOLD_STORE must name a backup.",
		Example:   "  fivefold export results -o results.csv\n  fivefold export statistics --format jsonl",
		Args:      cobra.MatchAll(cli.Arguments("results or statistics"), knownTable),
		ValidArgs: []string{string(storage.TableResults), string(storage.TableStatistics)},
		RunE: settings.With(p, settings.OfGames, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
			file, err := p.Output(output)
			if err != nil {
				return err
			}
			store, err := storage.OpenToRead(ctx, s.StoreURL(settings.BotFile), kinds.Codecs(), storage.Options{Password: string(s.Password)})
			if err != nil {
				return explainUse(postgres.Advised(err))
			}
			err = file.Write(0o600, nil, func(w io.Writer) error {
				return store.Export(ctx, w, storage.Table(args[0]), storage.Format(format))
			})
			return errors.Join(err, store.Close())
		}),
	}
	cmd.Flags().Var(cli.Choice(&format, []string{string(storage.CSV), string(storage.JSONLines)}), "format", "csv or jsonl")
	cmd.Flags().StringVarP(&output, "output", "o", "-", "the file to write, or - for standard output")
	return cmd
}

// knownTable returns an error for a table that cannot be exported.
func knownTable(_ *cobra.Command, args []string) error {
	if t := storage.Table(args[0]); t != storage.TableResults && t != storage.TableStatistics {
		return cli.WrongUse("%q cannot be exported: write results or statistics", args[0])
	}
	return nil
}
