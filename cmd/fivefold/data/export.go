package data

import (
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
		Args:      cobra.MatchAll(cli.OneArgument("results or statistics"), knownTable),
		ValidArgs: []string{string(storage.TableResults), string(storage.TableStatistics)},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := settings.Read(p, settings.OfGames)
			if err != nil {
				return err
			}
			if f := storage.Format(format); f != storage.CSV && f != storage.JSONLines {
				return cli.WrongUse("--format %s: write csv or jsonl", format)
			}
			file, err := p.Output("output", output)
			if err != nil {
				return err
			}
			store, err := storage.OpenToRead(cmd.Context(), s.StoreURL(settings.BotFile), kinds.Codecs(), storage.Options{Password: string(s.Password)})
			if err != nil {
				return explainUse(postgres.Advised(err))
			}
			_, err = file.Write(cmd.Context(), cli.FileOptions{Private: true}, func(w io.Writer) error {
				return store.Export(cmd.Context(), w, storage.Table(args[0]), storage.Format(format))
			})
			if closing := store.Close(); err == nil {
				err = closing
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "csv or jsonl")
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
