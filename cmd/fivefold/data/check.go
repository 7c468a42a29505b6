// Package data looks after data: the subcommands that check, repair, copy and move the bot's store.
package data

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/bolt"
)

// CheckCommand is the subcommand check.
func CheckCommand(p *cli.Program) *cobra.Command {
	return onStore(p, &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check every record of the bot's store, or of a backup",
		Long: "Check every page and every record of the bot's store, and whether the log, the\n" +
			"statistics and the indexes agree; or those of FILE, a backup. Nothing is changed.\n" +
			"The bot must be stopped; while it runs, check a backup. The exit code is 0 only if\n" +
			"all is well.",
		Example: "  fivefold check\n  fivefold check today.db",
	}, func(ctx context.Context, path string) error {
		problems, err := check(ctx, p, path)
		if err == nil && problems > 0 {
			err = fmt.Errorf("problems: %d: %w", problems, game.ErrDamaged)
		}
		return explainFile(err)
	})
}

// onStore completes a subcommand that works on the file it is given, or else on the bot's
// store.
func onStore(p *cli.Program, cmd *cobra.Command, run func(ctx context.Context, path string) error) *cobra.Command {
	cmd.Args = cli.Arguments("[FILE]")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := storeFile(p, args)
		if err != nil {
			return err
		}
		return run(cmd.Context(), path)
	}
	return cmd
}

// storeFile returns the file that is named, or else that of the bot's store.
func storeFile(p *cli.Program, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return "", err
	}
	return storage.Path(s.StoreURL(settings.BotFile))
}

// check prints what is in a file and what is wrong with it, and returns how many problems
// there are.
func check(ctx context.Context, p *cli.Program, path string) (problems int, err error) {
	show, end := p.Progress("Checking")
	records, problems, err := storage.CheckFile(ctx, path, kinds.Codecs(), storage.CheckOptions{Report: func(f storage.Finding) {
		end()
		fmt.Fprintln(p.Out, f)
	}, Progress: show})
	end()
	if err != nil {
		return problems, err
	}
	_, err = fmt.Fprintf(p.Out, "%s: %d records; problems: %d\n", path, records, problems)
	return problems, err
}

// explainFile says what to do about a file that a bot uses, or that is damaged.
func explainFile(err error) error {
	switch {
	case errors.Is(err, bolt.ErrLocked):
		return fmt.Errorf("%w\nstop the bot first, or work on a copy: \"fivefold backup FILE\" makes one while it runs", err)
	case errors.Is(err, game.ErrDamaged):
		return fmt.Errorf("%w\nstop the bot and run \"fivefold repair\", or restore a backup", err)
	}
	return err
}
