package data

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage/engine"
	"fivefold/storage/postgres"
)

// MigrateCommand is the subcommand migrate.
func MigrateCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Make or update the tables of a store in PostgreSQL",
		Long: "Make the tables of the store in the PostgreSQL database that FIVEFOLD_STORE names, or bring those of an " +
			"earlier release up to date. Run it once before the bot of a new release starts; several may run at once.",
		Example: "  FIVEFOLD_STORE=postgres://fivefold@db.example/fivefold fivefold migrate",
		Args:    cobra.NoArgs,
		RunE: settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
			where := s.StoreURL(settings.BotFile)
			steps, err := engine.Migrate(ctx, where, engine.Options{Password: string(s.Password), Log: s.Logger(p.ErrOut, slog.LevelWarn)})
			if err != nil {
				return postgres.Advised(err)
			}
			if steps == 0 {
				_, err = fmt.Fprintf(p.Out, "The tables in %s are up to date.\n", engine.Name(where))
				return err
			}
			_, err = fmt.Fprintf(p.Out, "The tables in %s are up to date now; steps taken: %d.\n", engine.Name(where), steps)
			return err
		}),
	}
}
