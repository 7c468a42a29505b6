// Package data has the subcommands that check, repair, copy, back up and restore the bot's store.
package data

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/engine"
)

// CheckCommand is the subcommand check.
func CheckCommand(p *cli.Program) *cobra.Command {
	return onStore(p, &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check every record of the bot's store, or of a backup",
		Long: "Check every page and every record of the bot's store, and whether the log, the statistics and the indexes " +
			"agree; or those of FILE, a backup. Nothing is changed. The bot must be stopped; while it runs, check a " +
			"backup. The exit code is 0 only if all is well.",
		Example: "  fivefold check\n  fivefold check today.db",
	}, func(ctx context.Context, s settings.Settings, path string) error {
		problems, err := checkFile(ctx, p, path)
		if err == nil && problems > 0 {
			err = fmt.Errorf("problems: %d: %w", problems, game.ErrDamaged)
		}
		return explainFile(ctx, err, s, path)
	})
}

// onStore completes a subcommand that works on the file given, or else on the bot's store.
func onStore(p *cli.Program, cmd *cobra.Command, run func(ctx context.Context, s settings.Settings, path string) error) *cobra.Command {
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.RunE = settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
		if len(args) == 1 {
			return run(ctx, s, args[0])
		}
		path, err := engine.Path(s.StoreURL(settings.BotFile))
		if errors.Is(err, engine.ErrNoFile) && cmd.Name() == "repair" {
			path, err = s.Store, nil
		}
		if err != nil {
			return err
		}
		return run(ctx, s, path)
	})
	return cmd
}

// checkFile prints what is in a file and what is wrong with it, and returns how many problems
// there are.
func checkFile(ctx context.Context, p *cli.Program, path string) (problems int, err error) {
	show, end := p.Progress("Checking")
	var all []check.Affected
	records, problems, err := check.File(ctx, path, kinds.Codecs(), check.Options{Report: func(f check.Finding) {
		end()
		fmt.Fprintln(p.Out, f)
	}, Progress: show, Affected: func(a check.Affected) { all = append(all, a) }})
	end()
	printAffected(p.Out, all)
	if err != nil {
		return problems, err
	}
	_, err = fmt.Fprintf(p.Out, "%s: records: %d; problems: %d\n", path, records, problems)
	return problems, err
}

// explainFile says what to do about a file that is in use, damaged or missing.
func explainFile(ctx context.Context, err error, s settings.Settings, path string) error {
	switch {
	case errors.Is(err, bolt.ErrLocked):
		return fmt.Errorf("%w\nstop the bot first, or work on a copy: \"fivefold backup FILE\" makes one while it runs", err)
	case errors.Is(err, game.ErrDamaged):
		return fmt.Errorf("%w\n%s\n\"fivefold repair %s\" makes a new one of what can be read", err, app.RestoreAdvice(ctx, s), path)
	case errors.Is(err, fs.ErrNotExist) && "bolt:"+path == s.StoreURL(settings.BotFile):
		return fmt.Errorf("%w\nrun this in the folder that has the bot's .env, or name that with --env-file", err)
	}
	return err
}
